-- The groups that a benchmark's questions count in: those with equal keys belong together. One row
-- per question and kind of group.
-- @name The kind of group, such as figure.
-- @group_key The parts of the key, with | between.
-- @counts all: every question has to be right; mean: the mean of their scores.
WITH placed AS (
    SELECT
        q.dataset_id, q.question_id, q.question_key,
        row_number() OVER (
            PARTITION BY q.dataset_id
            ORDER BY as_number(q.question_key), q.question_key
        ) - 1 AS place
    FROM main.question AS q
    WHERE
        q.dataset_id IN (
            SELECT d.dataset_id
            FROM main.dataset AS d
            INNER JOIN main.benchmark_group AS g USING (benchmark_id)
            WHERE g.superseded_by IS NULL
        )
),

part AS (
    SELECT
        q.question_id, g.name, g.counts, g.ordinal,
        CASE
            WHEN g.size IS NOT NULL THEN CAST(q.place // g.size AS VARCHAR)
            WHEN g.modulo IS NOT NULL THEN CAST(q.place % g.modulo AS VARCHAR)
            WHEN g.pattern IS NOT NULL
                THEN first_group(CASE WHEN g.attribute IS NULL THEN q.question_key ELSE a.value END, g.pattern)
            WHEN g.attribute IS NULL THEN q.question_key
            ELSE a.value
        END AS part
    FROM main.benchmark_group AS g
    INNER JOIN main.dataset AS d USING (benchmark_id)
    INNER JOIN placed AS q USING (dataset_id)
    LEFT JOIN main.question_attribute AS a
        ON q.question_id = a.question_id AND g.attribute = a.name
    WHERE g.superseded_by IS NULL
)

SELECT
    question_id, name, max(counts) AS counts,
    array_to_string(list_sort(list(CAST(ordinal AS VARCHAR) || ':' || coalesce(part, ''))), '|') AS group_key
FROM part
GROUP BY question_id, name

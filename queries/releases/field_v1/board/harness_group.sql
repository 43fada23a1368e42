-- Ours of a figure that a harness made of one group of samples (Inspect's grouped): the mean of our
-- scores of the questions that have an ability of the group's name, else an attribute of that
-- value. One row per run, scorer and group whose questions are known here.
-- @internal
-- @metric What the harness calls the scorer.
-- @figure What it calls the figure: grouped|NAME.
-- @n_scored Answers of the group that the harness scored.
-- @n_differ How many of those scores differ from ours.
-- @ours 0 to 1; NULL: an answer has no score of ours.
WITH wanted AS (
    SELECT DISTINCT
        run_id, filter AS metric, metric AS figure, substr(metric, 9) AS group_name,
        -- Where several figures are of one group, Inspect numbers their names.
        substr(
            metric, 9, length(metric) - 8 - length(regexp_extract(metric || '~', '([0-9]+)~', 1))
        ) AS unnumbered_name
    FROM harness_bound
    WHERE fit IS NOT NULL AND filter IS NOT NULL AND substr(metric, 1, 8) = 'grouped|'
),

member AS (
    SELECT
        w.run_id, w.metric, w.figure, l.question_id,
        CASE WHEN t.ability = w.group_name THEN 0 ELSE 2 END AS place
    FROM wanted AS w
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN ability_tree AS t
        ON r.benchmark_id = t.benchmark_id AND t.ability IN (w.group_name, w.unnumbered_name)
    INNER JOIN question_level AS l USING (ability_id)
    INNER JOIN main.question AS q USING (question_id, dataset_id)
    UNION
    SELECT
        w.run_id, w.metric, w.figure, a.question_id,
        CASE WHEN a.value = w.group_name THEN 1 ELSE 3 END AS place
    FROM wanted AS w
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.question_attribute AS a
        ON q.question_id = a.question_id AND a.value IN (w.group_name, w.unnumbered_name)
),

placed AS (
    SELECT *, min(place) OVER (PARTITION BY run_id, metric, figure) AS first_place
    FROM member
)

SELECT
    p.run_id, p.metric, p.figure, count(*) AS n_scored,
    count(CASE WHEN NOT d.is_same THEN 1 END) AS n_differ,
    CASE WHEN count(d.ours) = count(*) THEN avg(d.ours) END AS ours
FROM placed AS p
INNER JOIN harness_sample_difference AS d
    ON p.run_id = d.run_id AND p.metric = d.metric AND d.filter IS NULL AND p.question_id = d.question_id
WHERE p.place = p.first_place AND d.published IS NOT NULL
GROUP BY p.run_id, p.metric, p.figure

-- What there is to ask, with the content of each subject.

-- name: todo
-- As judge_todo and judge_todo_all are, of the runs and questions in scope.
(
    SELECT *
    FROM (
        SELECT
            n.*,
            row_number() OVER (
                PARTITION BY n.judge_id, n.judge_sample, n.subject_hash
                ORDER BY n.question_id, n.pass, n.run_id, n.sample
            ) AS place,
            count(*) OVER (PARTITION BY n.judge_id, n.judge_sample, n.subject_hash) AS n_answers
        FROM judge_need AS n
        INNER JOIN current_run AS r ON n.run_id = r.run_id
        WHERE ($all OR n.is_next) AND {in_scope}
    )
    WHERE place = 1
)

-- name: in_scope
(
    ($benchmark IS NULL OR r.benchmark = $benchmark)
    AND ($run IS NULL OR r.run = $run)
    AND (
        $subset IS NULL
        OR n.question_id IN (
            SELECT q.question_id
            FROM main.subset_question AS q
            INNER JOIN main.dataset_subset AS s ON q.subset_id = s.subset_id
            WHERE s.name = $subset AND s.superseded_by IS NULL
        )
    )
)

-- name: tasks
-- What the runs in scope need a judge for: what their benchmarks' rules say, else what is usual for
-- choices and for open answers. The other rules read answers without a judge.
WITH scoped AS (
    SELECT DISTINCT b.benchmark_id, b.task
    FROM main.run AS r
    INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
    INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
    WHERE
        r.superseded_by IS NULL
        AND r.retracted_at IS NULL
        AND ($benchmark IS NULL OR b.name = $benchmark)
        AND ($run IS NULL OR r.label = $run)
),

needed AS (
    SELECT
        CASE
            WHEN u.rule IS NULL OR u.rule = 'choice' THEN CASE s.task WHEN 'choice' THEN $choice ELSE $open END
            WHEN u.rule = 'extracted' AND u.normaliser IN ('equivalence', 'bare', 'words') THEN 'equivalence'
            WHEN u.rule = 'extracted' THEN 'answer_extraction'
        END AS task
    FROM scoped AS s
    LEFT JOIN main.benchmark_rule AS u
        ON s.benchmark_id = u.benchmark_id AND u.superseded_by IS NULL
    UNION ALL
    -- Questions in words among those of choice, without a rule of their own (see question_rule).
    SELECT 'equivalence' AS task
    FROM scoped AS s
    INNER JOIN main.dataset AS d ON s.benchmark_id = d.benchmark_id
    INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
    WHERE
        s.task = 'choice'
        AND q.question_id IN (SELECT question_id FROM main.reference_answer)
        AND q.question_id NOT IN (SELECT question_id FROM main.choice)
        AND NOT EXISTS (
            SELECT 1
            FROM main.benchmark_rule AS u
            LEFT JOIN main.question_attribute AS a
                ON q.question_id = a.question_id AND u.attribute = a.name
            WHERE
                s.benchmark_id = u.benchmark_id
                AND u.superseded_by IS NULL
                AND u.rule <> 'choice'
                AND (u.attribute IS NULL OR u.value = a.value)
        )
)

SELECT DISTINCT task FROM needed WHERE task IS NOT NULL ORDER BY task

-- name: imported_tasks
-- The benchmarks whose answers judges grade that no template of ours words.
SELECT DISTINCT
    b.name,
    CASE u.normaliser WHEN 'pair' THEN 'pair' ELSE 'points' END AS task
FROM main.run AS r
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
INNER JOIN main.benchmark_rule AS u ON b.benchmark_id = u.benchmark_id AND u.superseded_by IS NULL
WHERE
    r.superseded_by IS NULL
    AND r.retracted_at IS NULL
    AND u.rule = 'graded'
    AND (u.normaliser = 'pair' OR starts_with(u.normaliser, 'points_'))
    AND ($benchmark IS NULL OR b.name = $benchmark)
    AND ($run IS NULL OR r.label = $run)
ORDER BY 1

-- name: labels
SELECT DISTINCT r.label
FROM main.run AS r
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE
    r.superseded_by IS NULL
    AND r.retracted_at IS NULL
    AND ($benchmark IS NULL OR b.name = $benchmark)
ORDER BY 1

-- name: subsets
SELECT DISTINCT s.name
FROM main.dataset_subset AS s
INNER JOIN main.dataset AS d ON s.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE s.superseded_by IS NULL AND ($benchmark IS NULL OR b.name = $benchmark)
ORDER BY 1

-- name: benchmarks
SELECT name FROM main.benchmark ORDER BY 1

-- name: wave
-- An attempt is not made twice. Where an early one failed after all, its number is free, and a
-- later one's is taken.
WITH todo AS MATERIALIZED (
    SELECT * FROM {todo} WHERE judge_id = $judge_id
),

taken AS (
    SELECT g.subject_hash, g.judge_sample, list(DISTINCT CAST(g.attempt AS BIGINT)) AS attempts
    FROM main.judgment AS g
    SEMI JOIN (
        SELECT t.subject_hash, t.judge_sample
        FROM todo AS t
        INNER JOIN main.judgment AS j
            ON
                t.judge_id = j.judge_id
                AND t.subject_hash = j.subject_hash
                AND t.judge_sample = j.judge_sample
                AND t.attempt = j.attempt
        WHERE j.error IS NULL AND j.request_key IS NOT NULL
    ) AS s ON g.subject_hash = s.subject_hash AND g.judge_sample = s.judge_sample
    WHERE g.judge_id = $judge_id AND g.error IS NULL AND g.request_key IS NOT NULL
    GROUP BY g.subject_hash, g.judge_sample
)

SELECT
    t.subject_hash, t.judge_sample,
    coalesce(
        list_min(list_filter(range(len(a.attempts) + 1), lambda n: NOT list_contains(a.attempts, n))),
        t.attempt
    ) AS attempt,
    t.run_id, t.question_key, t.pass, t.prediction, t.n_answers, q.text AS question,
    d.name AS dataset, d.language, c.labels, c.texts, r.texts AS reference_texts,
    CASE
        WHEN c.labels IS NOT NULL THEN 'the label of one of the choices'
        WHEN f.answer_type IN ('integer', 'int') THEN 'an integer'
        WHEN f.answer_type = 'float' AND f.decimals = 1 THEN 'a number with 1 decimal'
        WHEN f.answer_type = 'float' AND f.decimals > 1 THEN 'a number with ' || f.decimals || ' decimals'
        WHEN f.answer_type = 'float' THEN 'a number'
        WHEN f.answer_type = 'list' THEN 'a list in square brackets'
        ELSE 'a number, a word or a few words, whichever the question wants'
    END AS form
FROM todo AS t
LEFT JOIN taken AS a ON t.subject_hash = a.subject_hash AND t.judge_sample = a.judge_sample
INNER JOIN main.question AS q ON t.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
LEFT JOIN (
    SELECT
        question_id, pass, list(label ORDER BY label) AS labels, list(text ORDER BY label) AS texts
    FROM main.choice
    GROUP BY question_id, pass
) AS c ON t.question_id = c.question_id AND t.pass = c.pass
LEFT JOIN (
    SELECT question_id, list(text ORDER BY ordinal) AS texts
    FROM main.reference_answer
    GROUP BY question_id
) AS r ON t.question_id = r.question_id
LEFT JOIN (
    SELECT
        question_id, max(CASE WHEN name = 'answer_type' THEN lower(value) END) AS answer_type,
        max(CASE WHEN name = 'precision' THEN CAST(TRY_CAST(value AS DOUBLE) AS INTEGER) END) AS decimals
    FROM main.question_attribute
    WHERE name IN ('answer_type', 'precision')
    GROUP BY question_id
) AS f ON t.question_id = f.question_id
ANTI JOIN given_up AS g ON t.subject_hash = g.subject_hash AND t.judge_sample = g.judge_sample
ORDER BY t.judge_sample, t.question_id, t.pass, t.subject_hash
LIMIT $most

-- name: per_run
SELECT
    n.run_id, r.model, r.dataset, count(*) AS pending,
    count(*) FILTER (NOT $all AND NOT n.is_alive) AS decided,
    count(*) FILTER (NOT $all AND n.is_alive AND NOT n.is_next) AS later,
    count(*) FILTER ($all OR n.is_next) AS needed
FROM judge_need AS n
INNER JOIN current_run AS r ON n.run_id = r.run_id
WHERE n.judge_id = $judge_id AND {in_scope}
GROUP BY n.run_id, r.model, r.dataset
ORDER BY n.run_id

-- What the results of each run rest on, as a stamp: every command that changes facts gives it
-- another value, in the transaction of the facts. Of a run's own answers none is needed, as they
-- never change: other answers are another run. One row per run that counts.
-- @stamp A hash of the run, of its benchmark and of the judges; and of how many rows of which
--   sources its dataset has, but not of what stands in them (evalhouse check and refresh --verify
--   look at that).
WITH dataset_row AS (
    SELECT dataset_id, 1 AS kind, question_id, source_id, 0 AS superseded_by FROM main.question
    UNION ALL
    SELECT q.dataset_id, f.kind, f.question_id, f.source_id, f.superseded_by
    FROM (
        SELECT 2 AS kind, question_id, source_id, 0 AS superseded_by FROM main.question_pass
        UNION ALL
        SELECT 3 AS kind, question_id, source_id, 0 AS superseded_by FROM main.choice
        UNION ALL
        SELECT 4 AS kind, question_id, source_id, coalesce(superseded_by, 0) AS superseded_by FROM main.answer
        UNION ALL
        SELECT 5 AS kind, question_id, source_id, 0 AS superseded_by FROM main.reference_answer
        UNION ALL
        SELECT 6 AS kind, question_id, source_id, 0 AS superseded_by FROM main.question_component
        UNION ALL
        SELECT 7 AS kind, question_id, source_id, 0 AS superseded_by FROM main.question_ability
        UNION ALL
        SELECT 8 AS kind, question_id, source_id, 0 AS superseded_by FROM main.question_attribute
    ) AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
),

dataset_fact AS (
    SELECT
        dataset_id,
        hash(kind, count(*), sum(source_id), sum(superseded_by), max(source_id), sum(question_id)) AS fact
    FROM dataset_row
    GROUP BY dataset_id, kind
    UNION ALL
    SELECT dataset_id, hash('subset', subset_id, name) AS fact
    FROM main.dataset_subset
    WHERE superseded_by IS NULL
    UNION ALL
    SELECT dataset_id, hash('dropped', question_id) AS fact
    FROM main.dropped_question
    WHERE restored_by IS NULL
),

dataset_stamp AS (
    SELECT dataset_id, sum(CAST(fact AS HUGEINT)) AS stamp FROM dataset_fact GROUP BY dataset_id
),

benchmark_fact AS (
    SELECT benchmark_id, hash('benchmark', task, macro_level, strategy, average, thinking) AS fact FROM main.benchmark
    UNION ALL
    SELECT benchmark_id, hash('ability', ability_id, level, parent_id) AS fact FROM main.ability
    UNION ALL
    SELECT benchmark_id, hash('taken away', ability_id, superseded_by) AS fact
    FROM main.ability
    WHERE superseded_by IS NOT NULL
    UNION ALL
    SELECT a.benchmark_id, hash('part', f.ability_id, f.part_id) AS fact
    FROM main.ability_part AS f
    INNER JOIN main.ability AS a ON f.ability_id = a.ability_id
    UNION ALL
    SELECT benchmark_id, hash('rule', ordinal, rule, attribute, value, normaliser, tolerance) AS fact
    FROM main.benchmark_rule
    WHERE superseded_by IS NULL
    UNION ALL
    SELECT benchmark_id, hash('group', name, ordinal, attribute, pattern, size, modulo, counts) AS fact
    FROM main.benchmark_group
    WHERE superseded_by IS NULL
    UNION ALL
    SELECT benchmark_id, hash('figure', ordinal, name, aggregate, strategy, level, scale, parts, metrics) AS fact
    FROM main.benchmark_figure
    WHERE superseded_by IS NULL
),

benchmark_stamp AS (
    SELECT benchmark_id, sum(CAST(fact AS HUGEINT)) AS stamp FROM benchmark_fact GROUP BY benchmark_id
),

sample_stamp AS (
    SELECT run_id, sum(CAST(hash(sample) AS HUGEINT)) AS stamp FROM main.run_sample GROUP BY run_id
),

judge_stamp AS (
    SELECT sum(CAST(hash(judge_id, judge, task, max_attempts, judge_sample, is_first) AS HUGEINT)) AS stamp
    FROM {internal}.judge_asked
)

SELECT
    r.run_id,
    hash(
        r.run_id, r.model, r.run, r.dataset, r.dataset_id, r.benchmark_id, r.method,
        t.marks, d.stamp, b.stamp, s.stamp, j.stamp
    ) AS stamp
FROM {schema}.current_run AS r
LEFT JOIN dataset_stamp AS d ON r.dataset_id = d.dataset_id
LEFT JOIN benchmark_stamp AS b ON r.benchmark_id = b.benchmark_id
LEFT JOIN sample_stamp AS s ON r.run_id = s.run_id
LEFT JOIN main.run_thinking AS t ON r.run_id = t.run_id
CROSS JOIN judge_stamp AS j

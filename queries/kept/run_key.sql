-- What the results of each run rest on, as hashes: where they are equal, so are the results. One row per run that counts.
-- @facts_key Of the run's own facts, its dataset's (questions, passes, choices, answers, abilities, subsets), its benchmark's and the judges'.
-- @answers_key Of each of its answers and choice scores; NULL in a warehouse of more than 30 million of them, which relies on that facts are never changed in place (evalhouse check and refresh verify it).
WITH dataset_fact AS (
    SELECT dataset_id, hash('question', question_id, question_key, text) AS fact FROM main.question
    UNION ALL
    SELECT q.dataset_id, hash('pass', f.question_id, f.pass) AS fact
    FROM main.question_pass AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('choice', f.question_id, f.pass, f.label, f.ordinal, f.text) AS fact
    FROM main.choice AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('answer', f.question_id, f.pass, f.label) AS fact
    FROM main.answer AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    WHERE f.superseded_by IS NULL
    UNION ALL
    SELECT q.dataset_id, hash('reference', f.question_id, f.ordinal, f.text) AS fact
    FROM main.reference_answer AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('component', f.question_id, f.component) AS fact
    FROM main.question_component AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('ability', f.question_id, f.ability_id) AS fact
    FROM main.question_ability AS f
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('subset', s.name, f.question_id) AS fact
    FROM main.dataset_subset AS s
    INNER JOIN main.subset_question AS f ON s.subset_id = f.subset_id
    INNER JOIN main.question AS q ON f.question_id = q.question_id
    WHERE s.superseded_by IS NULL
),

dataset_key AS (
    SELECT dataset_id, sum(CAST(fact AS HUGEINT)) AS key FROM dataset_fact GROUP BY dataset_id
),

benchmark_fact AS (
    SELECT benchmark_id, hash('benchmark', task, macro_level) AS fact FROM main.benchmark
    UNION ALL
    SELECT benchmark_id, hash('ability', ability_id, level, parent_id) AS fact FROM main.ability
    UNION ALL
    SELECT a.benchmark_id, hash('part', f.ability_id, f.part_id) AS fact
    FROM main.ability_part AS f
    INNER JOIN main.ability AS a ON f.ability_id = a.ability_id
),

benchmark_key AS (
    SELECT benchmark_id, sum(CAST(fact AS HUGEINT)) AS key FROM benchmark_fact GROUP BY benchmark_id
),

sample_key AS (
    SELECT run_id, sum(CAST(hash(sample) AS HUGEINT)) AS key FROM main.run_sample GROUP BY run_id
),

judge_key AS (
    SELECT sum(CAST(hash(judge_id, judge, task, max_attempts, judge_sample, is_first) AS HUGEINT)) AS key
    FROM judge_asked
),

-- Nothing is read where this is empty.
few AS (
    SELECT 1 AS one
    WHERE (SELECT count(*) FROM main.prediction) + (SELECT count(*) FROM main.choice_score) <= {most_answers}
),

answer_fact AS (
    SELECT p.run_id, hash(p.question_id, p.pass, p.sample, p.text, p.failed) AS fact
    FROM main.prediction AS p
    CROSS JOIN few
    UNION ALL
    SELECT
        s.run_id,
        hash(s.question_id, s.pass, s.sample, s.component, s.label, s.score, s.scorer) AS fact
    FROM main.choice_score AS s
    CROSS JOIN few
),

answer_key AS (
    SELECT run_id, sum(CAST(fact AS HUGEINT)) AS key FROM answer_fact GROUP BY run_id
)

SELECT
    r.run_id,
    hash(
        r.run_id, r.model, r.run, r.dataset, r.dataset_id, r.benchmark_id, r.method, d.key, b.key, s.key, j.key
    ) AS facts_key,
    CASE WHEN EXISTS (SELECT 1 FROM few) THEN coalesce(a.key, 0) END AS answers_key
FROM current_run AS r
LEFT JOIN dataset_key AS d ON r.dataset_id = d.dataset_id
LEFT JOIN benchmark_key AS b ON r.benchmark_id = b.benchmark_id
LEFT JOIN sample_key AS s ON r.run_id = s.run_id
CROSS JOIN judge_key AS j
LEFT JOIN answer_key AS a ON r.run_id = a.run_id

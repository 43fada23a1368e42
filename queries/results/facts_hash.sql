-- A hash of every fact that the results of some runs rest on but judgments, which computed_judging
-- has: what somebody changed by hand changes it. One row per run of the table looked_at.
WITH looked_at_run AS (
    SELECT r.run_id, r.dataset_id, r.model, r.run, r.dataset
    FROM {schema}.current_run AS r
    INNER JOIN looked_at AS l ON r.run_id = l.run_id
),

question AS (
    SELECT q.*
    FROM main.question AS q
    WHERE q.dataset_id IN (SELECT dataset_id FROM looked_at_run)
),

dataset_fact AS (
    SELECT dataset_id, hash('question', question_id, question_key, text) AS fact FROM question
    UNION ALL
    SELECT q.dataset_id, hash('pass', f.question_id, f.pass) AS fact
    FROM main.question_pass AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('choice', f.question_id, f.pass, f.label, f.ordinal, f.text) AS fact
    FROM main.choice AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('answer', f.question_id, f.pass, f.label) AS fact
    FROM main.answer AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    WHERE f.superseded_by IS NULL
    UNION ALL
    SELECT q.dataset_id, hash('reference', f.question_id, f.ordinal, f.text) AS fact
    FROM main.reference_answer AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('component', f.question_id, f.component) AS fact
    FROM main.question_component AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('ability', f.question_id, f.ability_id) AS fact
    FROM main.question_ability AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('attribute', f.question_id, f.name, f.value) AS fact
    FROM main.question_attribute AS f
    INNER JOIN question AS q ON f.question_id = q.question_id
    UNION ALL
    SELECT q.dataset_id, hash('subset', s.name, f.question_id) AS fact
    FROM main.dataset_subset AS s
    INNER JOIN main.subset_question AS f ON s.subset_id = f.subset_id
    INNER JOIN question AS q ON f.question_id = q.question_id
    WHERE s.superseded_by IS NULL
),

dataset_key AS (
    SELECT dataset_id, sum(CAST(fact AS HUGEINT)) AS key FROM dataset_fact GROUP BY dataset_id
),

answer_fact AS (
    SELECT p.run_id, hash(p.question_id, p.pass, p.sample, p.text, p.failed) AS fact
    FROM main.prediction AS p
    INNER JOIN looked_at AS l ON p.run_id = l.run_id
    UNION ALL
    SELECT
        s.run_id,
        hash(s.question_id, s.pass, s.sample, s.component, s.label, s.score, s.scorer) AS fact
    FROM main.choice_score AS s
    INNER JOIN looked_at AS l ON s.run_id = l.run_id
),

answer_key AS (
    SELECT run_id, sum(CAST(fact AS HUGEINT)) AS key FROM answer_fact GROUP BY run_id
)

SELECT
    r.run_id, r.model, r.run, r.dataset,
    coalesce(a.key, 0) + CAST(hash(d.key) AS HUGEINT) AS facts_hash
FROM looked_at_run AS r
LEFT JOIN dataset_key AS d ON r.dataset_id = d.dataset_id
LEFT JOIN answer_key AS a ON r.run_id = a.run_id

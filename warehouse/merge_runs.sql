-- Names and content of runs on both sides, by which `run` in merge_maps.sql finds those that are
-- here already; after the maps of models, datasets and questions.

-- name: find_names
-- What runs are and were called, by the models' ids here: `runs rename` gives another label or
-- model.
CREATE OR REPLACE TEMP TABLE merge_name AS
WITH models_here AS (
    SELECT model_id, name FROM main.model
    UNION
    SELECT model_id, alias AS name FROM main.model_alias
),

models_there AS (
    SELECT model_id, name FROM the_other.main.model
    UNION
    SELECT model_id, alias AS name FROM the_other.main.model_alias
),

labels AS (
    SELECT true AS is_here, run_id, label FROM main.run
    UNION
    SELECT true AS is_here, run_id, before AS label FROM main.run_event WHERE event = 'rename_run'
    UNION
    SELECT false AS is_here, run_id, label FROM the_other.main.run
    UNION
    SELECT false AS is_here, run_id, before AS label
    FROM the_other.main.run_event
    WHERE event = 'rename_run'
),

models AS (
    SELECT true AS is_here, run_id, model_id FROM main.run
    UNION
    SELECT true AS is_here, e.run_id, m.model_id
    FROM main.run_event AS e
    INNER JOIN models_here AS m ON e.before = m.name
    WHERE e.event = 'rename_model'
    UNION
    SELECT false AS is_here, r.run_id, m.id AS model_id
    FROM the_other.main.run AS r
    INNER JOIN merge_model AS m ON r.model_id = m.other_id
    UNION
    SELECT false AS is_here, e.run_id, m.id AS model_id
    FROM the_other.main.run_event AS e
    INNER JOIN models_there AS t ON e.before = t.name
    INNER JOIN merge_model AS m ON t.model_id = m.other_id
    WHERE e.event = 'rename_model'
)

SELECT is_here, run_id, model_id, label
FROM labels
INNER JOIN models USING (is_here, run_id)

-- name: find_candidates
-- Runs of the same dataset, model and label on both sides, by any of their names and in any state.
CREATE OR REPLACE TEMP TABLE merge_candidate AS
SELECT DISTINCT
    o.run_id AS other_id, r.run_id AS id, m.id = r.model_id AND o.label = r.label AS is_same_name
FROM the_other.main.run AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id
INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
INNER JOIN merge_name AS t ON NOT t.is_here AND o.run_id = t.run_id
INNER JOIN merge_name AS h ON h.is_here AND t.model_id = h.model_id AND t.label = h.label
INNER JOIN main.run AS r
    ON
        h.run_id = r.run_id
        AND d.id = r.dataset_id
        AND o.method = r.method
        AND o.reduction IS NOT DISTINCT FROM r.reduction
        AND o.scored IS NOT DISTINCT FROM r.scored

-- name: sign_candidates
-- The rows of candidates as a number; the engine's own hash will do, as it does not leave this
-- query.
CREATE OR REPLACE TEMP TABLE merge_signed AS
WITH rows_here AS (
    SELECT
        p.run_id, hash(p.question_id, p.pass, p.sample, p.text, p.failed) AS one,
        hash(p.failed, p.text, p.sample, p.pass, p.question_id, 'two') AS two
    FROM main.prediction AS p
    WHERE p.run_id IN (SELECT id FROM merge_candidate)
    UNION ALL
    SELECT
        s.run_id,
        hash(
            s.question_id, s.pass, s.sample, s.component, s.label, s.score, s.n_tokens, s.scorer
        ) AS one,
        hash(
            s.scorer, s.n_tokens, s.score, s.label, s.component, s.sample, s.pass, s.question_id, 'two'
        ) AS two
    FROM main.choice_score AS s
    WHERE s.run_id IN (SELECT id FROM merge_candidate)
),

rows_there AS (
    SELECT
        p.run_id, hash(q.id, p.pass, p.sample, p.text, p.failed) AS one,
        hash(p.failed, p.text, p.sample, p.pass, q.id, 'two') AS two
    FROM the_other.main.prediction AS p
    INNER JOIN merge_question AS q ON p.question_id = q.other_id
    WHERE p.run_id IN (SELECT other_id FROM merge_candidate)
    UNION ALL
    SELECT
        s.run_id,
        hash(q.id, s.pass, s.sample, s.component, s.label, s.score, s.n_tokens, s.scorer) AS one,
        hash(s.scorer, s.n_tokens, s.score, s.label, s.component, s.sample, s.pass, q.id, 'two') AS two
    FROM the_other.main.choice_score AS s
    INNER JOIN merge_question AS q ON s.question_id = q.other_id
    WHERE s.run_id IN (SELECT other_id FROM merge_candidate)
)

SELECT true AS is_here, run_id, count(*) AS n, sum(one) AS one, sum(two) AS two
FROM rows_here
GROUP BY run_id
UNION ALL
SELECT false AS is_here, run_id, count(*) AS n, sum(one) AS one, sum(two) AS two
FROM rows_there
GROUP BY run_id

-- name: find_overlap
-- Of live runs of the same name: how many answers there, how many of them to what is answered here
-- too, and how many of these are the same.
CREATE OR REPLACE TEMP TABLE merge_overlap AS
WITH pairs AS (
    SELECT c.other_id, c.id
    FROM merge_candidate AS c
    INNER JOIN main.run AS h ON c.id = h.run_id
    INNER JOIN the_other.main.run AS t ON c.other_id = t.run_id
    WHERE
        c.is_same_name
        AND h.superseded_by IS NULL
        AND h.retracted_at IS NULL
        AND t.superseded_by IS NULL
        AND t.retracted_at IS NULL
),

said AS (
    SELECT
        p.other_id, p.id, h.question_id IS NOT NULL AS is_in_both,
        h.question_id IS NOT NULL
        AND t.text IS NOT DISTINCT FROM h.text
        AND t.failed = h.failed AS is_same
    FROM pairs AS p
    INNER JOIN the_other.main.prediction AS t ON p.other_id = t.run_id
    INNER JOIN merge_question AS q ON t.question_id = q.other_id
    LEFT JOIN main.prediction AS h
        ON
            p.id = h.run_id
            AND q.id = h.question_id
            AND t.pass = h.pass
            AND t.sample = h.sample
    UNION ALL
    SELECT
        p.other_id, p.id, h.question_id IS NOT NULL AS is_in_both,
        h.question_id IS NOT NULL AND t.score IS NOT DISTINCT FROM h.score AS is_same
    FROM pairs AS p
    INNER JOIN the_other.main.choice_score AS t ON p.other_id = t.run_id
    INNER JOIN merge_question AS q ON t.question_id = q.other_id
    LEFT JOIN main.choice_score AS h
        ON
            p.id = h.run_id
            AND q.id = h.question_id
            AND t.pass = h.pass
            AND t.sample = h.sample
            AND t.component = h.component
            AND t.label = h.label
)

SELECT
    other_id, id, count(*) AS n_there, count(*) FILTER (is_in_both) AS n_in_both,
    count(*) FILTER (is_same) AS n_same
FROM said
GROUP BY other_id, id

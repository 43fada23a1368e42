-- From what scorers said of samples (`stage_scored`, `stage_sample_fact`) to staged scores.

-- name: stage_scores
-- An answer that is the whole text, in any case, says nothing of what was read in it. Several
-- changes of one person are kept apart by number.
INSERT INTO stage_harness_score
SELECT
    row, $model, split, question_key, pass, sample, metric,
    CASE
        WHEN author IS NOT NULL
            THEN 'changed by ' || author
            || CASE WHEN n_of_author > 1 THEN ' (' || CAST(place_of_author AS VARCHAR) || ')' ELSE '' END
    END,
    value,
    CASE
        WHEN value IN ('C', 'true') OR lower(value) IN ('yes', 'true') THEN 1.0
        WHEN value IN ('I', 'N', 'false') OR lower(value) IN ('no', 'false') THEN 0.0
        WHEN value = 'P' THEN 0.5
        WHEN isfinite(TRY_CAST(value AS DOUBLE)) THEN CAST(value AS DOUBLE)
    END,
    answer
FROM (
    SELECT
        w.row, p.split, p.question_key, p.pass, p.sample, w.author, w.value,
        w.scorer || CASE WHEN w.part IS NULL THEN '' ELSE '|' || w.part END AS metric,
        CASE WHEN lower(trim(w.answer)) <> lower(trim(coalesce(r.prediction, ''))) THEN w.answer END
            AS answer,
        count(*) OVER (PARTITION BY w.row, w.scorer, w.part, w.author) AS n_of_author,
        row_number() OVER (PARTITION BY w.row, w.scorer, w.part, w.author ORDER BY w.place)
            AS place_of_author
    FROM (
        SELECT
            * REPLACE (
                CASE
                    WHEN value = 'null' THEN NULL
                    WHEN starts_with(value, '"') THEN value ->> '$'
                    ELSE value
                END AS value
            )
        FROM stage_scored
    ) AS w
    INNER JOIN stage_place_of_sample AS p ON w.row = p.row
    INNER JOIN raw AS r ON w.row = r.__row
)

-- name: stage_explanations
INSERT INTO stage_harness_score
SELECT
    e.row, $model, p.split, p.question_key, p.pass, p.sample, e.scorer || '|explanation', NULL,
    e.explanation, NULL, NULL
FROM stage_explained AS e
INNER JOIN stage_place_of_sample AS p ON e.row = p.row

-- name: stage_costs
INSERT INTO stage_harness_score
SELECT f.row, $model, p.split, p.question_key, p.pass, p.sample, 'sample', NULL, f.fact, NULL, NULL
FROM stage_sample_fact AS f
INNER JOIN stage_place_of_sample AS p ON f.row = p.row

-- name: graders
-- The judge of each scorer that asked one model alone.
SELECT scorer, min(judge) AS judge
FROM stage_judge
WHERE task IN ('letter_grade', 'soft_score') AND kind = 'import'
GROUP BY scorer
HAVING count(*) = 1

-- name: changed
SELECT DISTINCT scorer
FROM stage_scored
WHERE author IS NOT NULL

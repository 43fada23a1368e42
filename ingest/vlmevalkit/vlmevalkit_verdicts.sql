-- VLMEvalKit's logs, with the run that each is about.

-- name: scores_out_of_range
SELECT row, score
FROM stage_log
WHERE
    score IS NOT NULL
    AND NOT coalesce(TRY_CAST(score AS DOUBLE) BETWEEN 0 AND 1, false)
ORDER BY row
LIMIT 1

-- name: hits_that_are_none
SELECT row, score
FROM stage_log
WHERE
    score IS NOT NULL
    AND NOT coalesce(TRY_CAST(score AS DOUBLE) IN (0, 1), false)
    AND lower(trim(score)) NOT IN ('true', 'false', '')
ORDER BY row
LIMIT 1

-- name: read_hits
UPDATE stage_log
SET score = CASE
    WHEN lower(trim(score)) = 'true' THEN '1'
    WHEN lower(trim(score)) = 'false' THEN '0'
    ELSE nullif(trim(score), '')
END
WHERE score IS NOT NULL

-- name: scores_that_are_nan
UPDATE stage_log
SET score = NULL
WHERE lower(trim(score)) IN ('', 'nan')

-- name: rows_of_the_runs
SELECT p.run_id, p.question_id, p.pass, p.text, a.label
FROM main.prediction AS p
SEMI JOIN stage_graded AS g ON p.run_id = g.run_id AND p.question_id = g.question_id
LEFT JOIN main.answer AS a
    ON p.question_id = a.question_id AND p.pass = a.pass AND a.superseded_by IS NULL
WHERE p.sample = 0
ORDER BY p.run_id, p.question_id, p.pass

-- name: logs
SELECT
    l.row, l.model, l.split, l.question_key, l.pass, l.judge, l.prediction, l.log, l.score,
    g.question_id, g.run_id,
    EXISTS (SELECT 1 FROM main.choice AS c WHERE c.question_id = g.question_id) AS has_choices
FROM stage_log AS l
INNER JOIN stage_graded AS g ON l.row = g.row
ORDER BY l.row

-- Which questions a run answered.

-- name: runs
SELECT run_id, model, run, dataset, dataset_id
FROM current_run
WHERE
    model_id = $model_id
    AND lower(benchmark) = lower($benchmark)
    AND (run = $run OR $run IS NULL AND is_latest)
    AND ($split IS NULL OR split = $split)
    AND ($version IS NULL OR version = $version)
    AND ($language IS NULL OR language = $language)
ORDER BY dataset

-- name: refusal_columns
SELECT column_name
FROM duckdb_columns()
WHERE schema_name = $schema AND table_name = 'refusal'

-- name: no_refusals
CREATE OR REPLACE TEMP TABLE refused (question_id INTEGER)

-- name: add_refusals
INSERT INTO refused
SELECT DISTINCT question_id
FROM refusal
WHERE run_id = $run_id AND {is_refusal}

-- name: find_answers
CREATE OR REPLACE TEMP TABLE answer_state AS
SELECT question_id, state
FROM choice_match
WHERE run_id = $run_id
UNION ALL
SELECT question_id, state
FROM open_answer
WHERE run_id = $run_id
UNION ALL
SELECT question_id, CASE WHEN picked IS NULL THEN 'failed' ELSE 'ranked' END AS state
FROM ranked_pick
WHERE run_id = $run_id
UNION ALL
SELECT question_id, 'expected' AS state
FROM main.question
WHERE dataset_id = $dataset_id

-- name: states
SELECT
    CASE
        WHEN n_given = 0 OR n_failed > 0 THEN 'missing'
        WHEN n_blank > 0 THEN 'blank'
        WHEN question_id IN (SELECT question_id FROM refused) THEN 'refused'
        ELSE 'answered'
    END AS state,
    list(question_id) AS question_ids
FROM (
    SELECT
        question_id, count(*) FILTER (state <> 'expected') AS n_given,
        count(*) FILTER (state = 'failed') AS n_failed, count(*) FILTER (state = 'blank') AS n_blank
    FROM answer_state
    GROUP BY question_id
)
GROUP BY 1

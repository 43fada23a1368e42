-- The kept rows of judge_need. Where somebody dropped kept_subject, the table of that name in main
-- takes its place: it is empty, and has the first two columns alone.
SELECT
    k.run_id,
    k.question_id,
    k.question_key,
    k.pass,
    k.sample,
    k.judge_id,
    k.judge,
    k.task,
    k.judge_sample,
    k.attempt,
    k.subject_hash,
    k.prediction,
    k.is_alive,
    k.is_next
FROM (
    SELECT * FROM kept_subject
    UNION ALL BY NAME
    SELECT
        CAST(NULL AS INTEGER) AS question_id,
        CAST(NULL AS VARCHAR) AS question_key,
        CAST(NULL AS SMALLINT) AS pass,
        CAST(NULL AS SMALLINT) AS sample,
        CAST(NULL AS INTEGER) AS judge_id,
        CAST(NULL AS VARCHAR) AS judge,
        CAST(NULL AS VARCHAR) AS task,
        CAST(NULL AS SMALLINT) AS judge_sample,
        CAST(NULL AS BIGINT) AS attempt,
        CAST(NULL AS VARCHAR) AS subject_hash,
        CAST(NULL AS VARCHAR) AS prediction,
        CAST(NULL AS BOOLEAN) AS is_alive,
        CAST(NULL AS BOOLEAN) AS is_next
    WHERE FALSE
) AS k
WHERE k.judge_id IS NOT NULL AND k.run_id IN (SELECT run_id FROM fresh)

-- The kept rows of judge_need.
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
FROM {internal}.kept_subject AS k
WHERE k.judge_id IS NOT NULL AND k.run_id IN (SELECT run_id FROM fresh)

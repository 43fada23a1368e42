-- What counts of all that a judge said of an answer, where judges extract, compare or grade: of the
-- run's own judgments the first attempt that can be read, else a shared one. One row per run,
-- question, sample, judge and judge sample.
-- @task What the judge does: answer_extraction, equivalence, points or pair.
-- @model The judge's model.
-- @said Its grade, 0 to 1; NULL: it extracted an answer, or no grade can be read.
-- @reference_said What it gave the reference, 0 to 1 (pair); NULL: nothing.
-- @state ok, unparsable, or failed (the call failed).
-- @n_unusable Attempts that could not be read.
WITH ranked AS (
    SELECT
        p.run_id, p.question_id, p.sample, j.judge_id, j.judge, j.model, j.task, j.max_attempts,
        j.judge_sample, j.judgment_id, j.reply, j.said, j.reference_said, j.state,
        row_number() OVER (
            PARTITION BY p.run_id, p.question_id, p.sample, j.judge_id, j.judge_sample
            ORDER BY
                CASE
                    WHEN j.state = 'failed' THEN 3
                    WHEN j.run_id = p.run_id THEN CASE j.state WHEN 'ok' THEN 0 ELSE 1 END
                    ELSE 2
                END,
                CASE j.state WHEN 'ok' THEN 0 ELSE 1 END,
                CASE WHEN j.run_id IS NULL THEN 0 ELSE 1 END,
                j.attempt, j.judgment_id
        ) AS place,
        sum(CASE WHEN j.state = 'unparsable' AND coalesce(j.run_id, p.run_id) = p.run_id THEN 1 ELSE 0 END) OVER (
            PARTITION BY p.run_id, p.question_id, p.sample, j.judge_id, j.judge_sample
        ) AS n_unusable
    FROM main.prediction AS p
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN judged_reply AS j ON p.question_id = j.question_id AND p.text IS NOT DISTINCT FROM j.text
    WHERE p.pass = 0
)

SELECT
    run_id, question_id, sample, judge_id, judge, model, task, max_attempts, judge_sample,
    judgment_id, reply, said, reference_said, state, CAST(n_unusable AS BIGINT) AS n_unusable
FROM ranked
WHERE place = 1

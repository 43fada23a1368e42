-- What judges said who grade an answer and the reference in one reply (LLaVA-Bench, Visual
-- Instruction Tuning, Section 5.1): two numbers on the reply's first line, with one space or comma
-- between, as its script reads them. One row per run, question, sample, judge and judge sample, for
-- the answers that were graded.
-- @judgment_id The judgment that counts: the first attempt that can be read.
-- @reply The judge's reply, verbatim.
-- @reference_score The first number: of the reference; NULL: the reply cannot be read.
-- @answer_score The second number: of the run's answer; NULL: the reply cannot be read.
-- @state ok, unparsable, or failed (the call failed).
WITH opened AS (
    SELECT
        judgment_id, judge_id, judge, subject_hash, judge_sample, attempt, run_id, reply,
        state = 'failed' AS is_failed,
        '|' || replace(
            replace(
                replace(
                    substr(reply, 1, strpos(reply || decode(unhex('0A')), decode(unhex('0A'))) - 1),
                    '|', '?'
                ) || '|',
                decode(unhex('0D7C')), '|'
            ),
            ',', ' '
        ) AS line
    FROM parsed_reply
    WHERE task = 'pair'
),

read AS (
    SELECT
        *,
        CAST(
            nullif(regexp_extract(line, '[|]([0-9]+[.]?[0-9]*) [0-9]+[.]?[0-9]*[|]', 1), '') AS DOUBLE
        ) AS reference_score,
        CAST(
            nullif(regexp_extract(line, '[|][0-9]+[.]?[0-9]* ([0-9]+[.]?[0-9]*)[|]', 1), '') AS DOUBLE
        ) AS answer_score
    FROM opened
),

ordered AS (
    SELECT
        *,
        CASE
            WHEN is_failed THEN 'failed'
            WHEN answer_score IS NULL THEN 'unparsable'
            ELSE 'ok'
        END AS state,
        row_number() OVER (
            PARTITION BY judge_id, subject_hash, judge_sample, run_id
            ORDER BY
                CASE WHEN is_failed THEN 2 WHEN answer_score IS NULL THEN 1 ELSE 0 END,
                attempt, judgment_id
        ) AS place
    FROM read
)

SELECT
    a.run_id, a.model, a.dataset, a.question_id, a.question_key, a.sample, o.judge_id, o.judge,
    o.judge_sample, o.judgment_id, o.reply, o.reference_score, o.answer_score, o.state
FROM ordered AS o
INNER JOIN open_answer AS a USING (run_id)
INNER JOIN open_subject AS s
    ON a.question_id = s.question_id AND a.prediction = s.text AND o.subject_hash = s.subject_hash
WHERE o.place = 1

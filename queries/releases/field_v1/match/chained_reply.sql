-- What programs said of what another judge extracted (see judge_chain): the first attempt that can
-- be read counts. One row per program, sample, question and extracted text.
-- @internal
-- @said 1 or 0: whether it is a reference; NULL: no reply can be read.
-- @state ok, unparsable, or failed (the call failed).
-- @n_unusable Attempts that could not be read.
WITH found AS (
    SELECT
        c.judge_id, j.judge_sample, s.question_id, s.text,
        CASE stripped(j.reply) WHEN '1' THEN 1.0 WHEN '0' THEN 0.0 END AS said,
        CASE WHEN j.error IS NULL THEN 1 ELSE 0 END AS is_reply
    FROM judge_chain AS c
    INNER JOIN extracted_subject AS s ON c.extractor_id = s.judge_id
    INNER JOIN main.judgment AS j ON c.judge_id = j.judge_id AND s.subject_hash = j.subject_hash
)

SELECT
    judge_id, judge_sample, question_id, text, CAST(max(said) AS DOUBLE) AS said,
    CASE
        WHEN count(said) > 0 THEN 'ok'
        WHEN max(is_reply) = 1 THEN 'unparsable'
        ELSE 'failed'
    END AS state,
    CAST(sum(CASE WHEN said IS NULL THEN is_reply ELSE 0 END) AS BIGINT) AS n_unusable
FROM found
GROUP BY judge_id, judge_sample, question_id, text

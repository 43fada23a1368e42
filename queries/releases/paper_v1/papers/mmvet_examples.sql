-- MM-Vet, examples (appendix): what a judge gave for an answer. One row per question, sample and
-- judge of a model's latest run, for the answers that are neither blank nor failed.
-- @question The question's text.
-- @references_text What is right, verbatim, by the alphabet, with a bar between several.
-- @prediction The model's raw output.
-- @score The mean over the judge's samples, from 0 to 1; NULL while pending.
-- @sample_scores What each judge sample gave, in order and as the replies have it; -: pending.
WITH judged AS (
    SELECT
        o.dataset, o.judge, o.run_id, o.model, o.question_id, o.question_key, o.sample,
        o.judge_sample, o.prediction, o.verdict_score, o.judgment_id
    FROM open_judged AS o
    INNER JOIN graded_sample AS g USING (run_id, judge_id, judge_sample)
    INNER JOIN current_run AS r USING (run_id)
    WHERE o.task = 'soft_score' AND r.benchmark = 'MM-Vet' AND r.is_latest
),

worded AS (
    SELECT j.*, v.verdict AS word
    FROM judged AS j
    INNER JOIN verdict AS v USING (judgment_id)
    WHERE j.verdict_score IS NOT NULL
    UNION ALL
    SELECT *, '-' AS word
    FROM judged
    WHERE verdict_score IS NULL
),

placed AS (
    SELECT
        *,
        -- Lists are put in order as texts, so that the number of the sample has five digits.
        repeat('0', 5 - length(CAST(judge_sample AS VARCHAR))) || CAST(judge_sample AS VARCHAR) || word AS place
    FROM worded
),

listed AS (
    SELECT question_id, array_to_string(list_sort(list(text)), ' | ') AS references_text
    FROM main.reference_answer
    GROUP BY question_id
)

SELECT
    p.dataset, p.judge, p.run_id, p.question_id, p.question_key, q.text AS question,
    l.references_text, p.model, p.sample, p.prediction,
    CASE WHEN count(p.verdict_score) = count(*) THEN avg(p.verdict_score) END AS score,
    array_to_string(
        list_transform(list_sort(list(p.place)), lambda x_: substr(x_, 6)), ', '
    ) AS sample_scores
FROM placed AS p
INNER JOIN main.question AS q USING (question_id)
INNER JOIN listed AS l USING (question_id)
GROUP BY
    p.dataset, p.judge, p.run_id, p.question_id, p.question_key, q.text, l.references_text, p.model,
    p.sample, p.prediction

-- What a judge said of each answer of MM-Vet's runs: one row per run, question, sample and judge
-- sample
-- that counts, in the order of the question file. Blank and missing answers are not judged and
-- have no reply.
WITH wanted AS (
    SELECT
        o.run_id, r.model, r.run, r.dataset, o.question_id, q.question_key, o.sample,
        o.judge_sample, o.resolved_by, o.score
    FROM pass_result AS o
    INNER JOIN graded_sample AS g
        ON o.run_id = g.run_id AND o.judge = g.judge AND o.judge_sample = g.judge_sample
    INNER JOIN current_run AS r ON o.run_id = r.run_id
    INNER JOIN main.question AS q ON o.question_id = q.question_id
    WHERE
        o.task = 'open'
        AND r.benchmark = 'MM-Vet'
        AND o.judge = $judge
        AND ($model_id IS NULL OR r.model_id = $model_id)
        AND ($dataset IS NULL OR r.dataset = $dataset)
        AND CASE WHEN $run IS NULL THEN r.is_latest ELSE r.run = $run END
),

judged AS (
    SELECT run_id, question_id, sample, judge_sample, judgment_id
    FROM open_judged
    WHERE judge = $judge AND judgment_id IS NOT NULL
)

SELECT
    w.run_id, w.model, w.run, w.dataset, w.question_id, w.question_key, w.sample, w.judge_sample,
    w.resolved_by, w.score, j.reply
FROM wanted AS w
LEFT JOIN judged AS g
    ON
        w.run_id = g.run_id
        AND w.question_id = g.question_id
        AND w.sample = g.sample
        AND w.judge_sample = g.judge_sample
LEFT JOIN main.judgment AS j ON g.judgment_id = j.judgment_id
ORDER BY w.run_id, w.question_id, w.sample, w.judge_sample

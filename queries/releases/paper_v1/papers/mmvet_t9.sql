-- MM-Vet, Table 9: how far evaluators are from a person, on one model's answers (the paper's are
-- those of one model too). One row per dataset, person who gave soft scores, model and evaluator
-- that scored some of the same answers, by the mean of its samples, over the model's latest run;
-- the evaluator keyword is keyword matching, which needs no judge (see keyword_score).
-- @reference_judge The person.
-- @evaluator The judge, or keyword.
-- @n Answers that both scored.
-- @delta Mean distance of the two scores.
WITH scored AS (
    SELECT
        o.run_id, o.question_id, o.sample, o.subject_hash, o.judge_id, o.judge,
        avg(o.verdict_score) AS score
    FROM open_judged AS o
    INNER JOIN current_run AS r USING (run_id)
    WHERE o.task = 'soft_score' AND o.resolved_by = 'graded' AND r.is_latest
    GROUP BY o.run_id, o.question_id, o.sample, o.subject_hash, o.judge_id, o.judge
),

persons AS (
    SELECT s.*
    FROM scored AS s
    INNER JOIN main.judge AS j USING (judge_id)
    WHERE j.kind = 'human'
),

measured AS (
    SELECT
        p.run_id, p.judge AS reference_judge, m.judge AS evaluator,
        abs(m.score - p.score) AS distance
    FROM persons AS p
    INNER JOIN scored AS m
        ON
            p.run_id = m.run_id
            AND p.question_id = m.question_id
            AND p.sample = m.sample
            AND p.judge_id <> m.judge_id
    UNION ALL
    SELECT
        p.run_id, p.judge AS reference_judge, 'keyword' AS evaluator,
        abs(k.score - p.score) AS distance
    FROM persons AS p
    INNER JOIN keyword_score AS k USING (subject_hash)
)

SELECT
    r.dataset, m.reference_judge, r.model, m.evaluator, count(*) AS n,
    CAST(avg(CAST(m.distance AS DECIMAL(18, 15))) AS DOUBLE) AS delta, m.run_id
FROM measured AS m
INNER JOIN current_run AS r USING (run_id)
GROUP BY r.dataset, m.reference_judge, r.model, m.evaluator, m.run_id

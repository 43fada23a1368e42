-- MM-Vet, Table 9: how far evaluators are from a person. One row per dataset, person who gave soft scores, and evaluator that scored some of the same answers, by the mean of its samples; the evaluator keyword is keyword matching, which asks nobody (see keyword_score).
-- @reference_judge The person.
-- @evaluator The judge, or keyword.
-- @n Answers that both scored.
-- @delta Mean distance of the two scores.
WITH asked AS (
    SELECT DISTINCT
        q.dataset_id,
        s.subject_hash
    FROM open_subject AS s
    INNER JOIN main.question AS q ON s.question_id = q.question_id
),

scored AS (
    SELECT
        judge_id,
        judge,
        subject_hash,
        avg(verdict_score) AS score
    FROM shared_verdict
    WHERE task = 'soft_score' AND state = 'ok' AND verdict_score IS NOT NULL
    GROUP BY judge_id, judge, subject_hash
),

measured AS (
    SELECT
        judge,
        subject_hash,
        score
    FROM scored
    UNION ALL
    SELECT
        'keyword' AS judge,
        subject_hash,
        score
    FROM keyword_score
),

persons AS (
    SELECT
        s.judge,
        s.subject_hash,
        s.score
    FROM scored AS s
    INNER JOIN main.judge AS j ON s.judge_id = j.judge_id
    WHERE j.kind = 'human'
)

SELECT
    d.name AS dataset,
    p.judge AS reference_judge,
    m.judge AS evaluator,
    count(*) AS n,
    avg(abs(m.score - p.score)) AS delta
FROM persons AS p
INNER JOIN measured AS m ON p.subject_hash = m.subject_hash AND p.judge <> m.judge
INNER JOIN asked AS a ON p.subject_hash = a.subject_hash
INNER JOIN main.dataset AS d ON a.dataset_id = d.dataset_id
GROUP BY d.name, p.judge, m.judge

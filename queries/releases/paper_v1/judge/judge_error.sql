-- How far a judge's soft scores or marks are from another's (MM-Vet, Table 9), over the subjects
-- that both have scored, each by the mean of its samples. One row per judge and reference judge
-- that have subjects in common; the judge keyword is the free baseline of keyword_score.
-- @reference_judge The judge that is taken for right.
-- @n Subjects in common.
-- @mean_abs_error Mean distance of the two numbers.
WITH scored AS (
    SELECT judge, task, subject_hash, avg(verdict_score) AS score
    FROM shared_verdict
    WHERE state = 'ok' AND verdict_score IS NOT NULL
    GROUP BY judge, task, subject_hash
),

measured AS (
    SELECT *
    FROM scored
    UNION ALL
    SELECT 'keyword' AS judge, 'soft_score' AS task, subject_hash, score
    FROM keyword_score
)

SELECT
    m.judge, s.judge AS reference_judge, m.task, count(*) AS n,
    avg(abs(m.score - s.score)) AS mean_abs_error
FROM measured AS m
INNER JOIN scored AS s
    ON m.subject_hash = s.subject_hash AND m.task = s.task AND m.judge <> s.judge
GROUP BY m.judge, s.judge, m.task

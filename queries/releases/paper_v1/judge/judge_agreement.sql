-- How far two judges of the same task agree, over the subjects of which both have a verdict, by
-- each judge's first sample. One row per pair of judges that have subjects in common.
-- @judge_a The judge whose name comes first.
-- @judge_b The other one.
-- @n Subjects in common.
-- @n_agree Subjects with the same verdict; soft scores and marks: the same number.
-- @agreement n_agree as a share of n.
-- @n_case_1 Disagreements where exactly one judge says that it is none of the choices; NULL: the
--   task has no choices.
-- @n_case_2 Disagreements on which choice it is; NULL: the task has no choices.
-- @kappa Cohen's kappa over labels (or numbers, each a category); NULL: undefined, as both always
--   say the same one.
WITH said AS (
    SELECT
        v.judge_id, v.judge, v.task, v.subject_hash,
        -- One of the two is there: a label, or a number.
        CASE WHEN v.verdict_score IS NULL THEN v.verdict ELSE '' END AS label,
        coalesce(v.verdict_score, 0.0) AS number
    FROM shared_verdict AS v
    INNER JOIN judge_scope AS j USING (judge_id, judge_sample)
    WHERE v.state = 'ok' AND j.is_first
),

paired AS (
    SELECT
        a.judge AS judge_a, b.judge AS judge_b, a.task, a.label AS label_a, b.label AS label_b,
        a.number AS number_a, b.number AS number_b
    FROM said AS a
    INNER JOIN said AS b
        ON a.subject_hash = b.subject_hash AND a.task = b.task AND a.judge < b.judge
),

counted AS (
    SELECT
        judge_a, judge_b, task, count(*) AS n,
        CAST(
            sum(CASE WHEN label_a = label_b AND number_a = number_b THEN 1 ELSE 0 END) AS BIGINT
        ) AS n_agree,
        CAST(
            sum(CASE WHEN (label_a = 'X') <> (label_b = 'X') THEN 1 ELSE 0 END) AS BIGINT
        ) AS n_one_none,
        CAST(
            sum(
                CASE
                    WHEN label_a <> label_b AND label_a <> 'X' AND label_b <> 'X' THEN 1 ELSE 0
                END
            ) AS BIGINT
        ) AS n_two_choices
    FROM paired
    GROUP BY judge_a, judge_b, task
),

-- How often the two would say the same by chance: of each verdict, its count at a times that at b.
tallied AS (
    SELECT judge_a, judge_b, task, label_a AS label, number_a AS number, 1 AS n_a, 0 AS n_b
    FROM paired
    UNION ALL
    SELECT judge_a, judge_b, task, label_b AS label, number_b AS number, 0 AS n_a, 1 AS n_b
    FROM paired
),

products AS (
    SELECT judge_a, judge_b, task, CAST(sum(n_a) AS DOUBLE) * CAST(sum(n_b) AS DOUBLE) AS product
    FROM tallied
    GROUP BY judge_a, judge_b, task, label, number
),

expected AS (
    SELECT judge_a, judge_b, task, sum(product) AS by_chance
    FROM products
    GROUP BY judge_a, judge_b, task
)

SELECT
    c.judge_a, c.judge_b, c.task, c.n, c.n_agree, CAST(c.n_agree AS DOUBLE) / c.n AS agreement,
    CASE WHEN c.task = 'choice_extraction' THEN c.n_one_none END AS n_case_1,
    CASE WHEN c.task = 'choice_extraction' THEN c.n_two_choices END AS n_case_2,
    (CAST(c.n_agree AS DOUBLE) * c.n - e.by_chance)
    / nullif(CAST(c.n AS DOUBLE) * c.n - e.by_chance, 0) AS kappa
FROM counted AS c
INNER JOIN expected AS e USING (judge_a, judge_b, task)

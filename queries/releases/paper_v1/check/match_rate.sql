-- How the choices were found (MMBench, Table 2): by the rules of step 1, and what a judge adds.
-- Vanilla looks at pass 0 alone, the others at every pass; of a judge with several samples, the
-- first one is counted. One row per run, judge and strategy, for runs that generated text on choice
-- questions.
-- @n_answers Answers with text.
-- @n_matched Those that the rules match.
-- @match_rate n_matched as a share of n_answers.
-- @n_asked Those to which the judge has replied at least once; 0 for the judge none.
-- @n_extracted Those in which the judge found a choice, or that it is none of them.
-- @extraction_rate n_extracted as a share of n_asked; NULL: n_asked is 0.
-- @rules_score The overall score by the rules alone.
-- @judge_gain score less rules_score.
-- @score The overall score under the judge; NULL while pending or hidden.
WITH seen AS (
    SELECT
        run_id, count(*) AS n_answers,
        sum(CASE WHEN state = 'matched' THEN 1 ELSE 0 END) AS n_matched,
        sum(CASE WHEN pass = 0 THEN 1 ELSE 0 END) AS first_answers,
        sum(CASE WHEN pass = 0 AND state = 'matched' THEN 1 ELSE 0 END) AS first_matched
    FROM choice_match
    WHERE state IN ('matched', 'open')
    GROUP BY run_id
),

-- Every judge has a row for every run, also where it judged nothing; so no LEFT JOIN.
replied AS (
    SELECT
        p.run_id, p.judge,
        CASE WHEN p.resolved_by = 'judge' OR p.n_unusable > 0 THEN 1 ELSE 0 END AS n_asked,
        CASE WHEN p.resolved_by = 'judge' THEN 1 ELSE 0 END AS n_extracted,
        CASE WHEN p.pass = 0 THEN 1 ELSE 0 END AS is_first
    FROM judged_pass AS p
    INNER JOIN judge_scope AS j USING (judge_id, judge_sample)
    WHERE j.is_first
    UNION ALL
    SELECT s.run_id, j.judge, 0 AS n_asked, 0 AS n_extracted, 0 AS is_first
    FROM seen AS s
    INNER JOIN judge_scope AS j ON j.task = 'choice_extraction' AND j.is_first
),

per_judge AS (
    SELECT
        run_id, judge, sum(n_asked) AS n_asked, sum(n_extracted) AS n_extracted,
        sum(n_asked * is_first) AS first_asked, sum(n_extracted * is_first) AS first_extracted
    FROM replied
    GROUP BY run_id, judge
),

scored AS (
    SELECT run_id, strategy, judge, score
    FROM ability_score
    WHERE level = 'overall' AND average = 'micro'
),

joined AS (
    SELECT
        b.run_id, b.judge, b.strategy,
        CASE WHEN b.strategy = 'vanilla' THEN s.first_answers ELSE s.n_answers END AS n_answers,
        CASE WHEN b.strategy = 'vanilla' THEN s.first_matched ELSE s.n_matched END AS n_matched,
        CASE WHEN b.strategy = 'vanilla' THEN g.first_asked ELSE g.n_asked END AS n_asked,
        CASE WHEN b.strategy = 'vanilla' THEN g.first_extracted ELSE g.n_extracted END
            AS n_extracted,
        n.score AS rules_score, b.score
    FROM scored AS b
    INNER JOIN scored AS n ON b.run_id = n.run_id AND b.strategy = n.strategy AND n.judge = 'none'
    INNER JOIN seen AS s ON b.run_id = s.run_id
    INNER JOIN per_judge AS g ON b.run_id = g.run_id AND b.judge = g.judge
)

SELECT
    j.run_id, r.model, r.run, r.dataset, r.benchmark, j.judge, j.strategy,
    CAST(j.n_answers AS BIGINT) AS n_answers, CAST(j.n_matched AS BIGINT) AS n_matched,
    CAST(j.n_matched AS DOUBLE) / nullif(j.n_answers, 0) AS match_rate,
    CAST(j.n_asked AS BIGINT) AS n_asked, CAST(j.n_extracted AS BIGINT) AS n_extracted,
    CAST(j.n_extracted AS DOUBLE) / nullif(j.n_asked, 0) AS extraction_rate, j.rules_score,
    j.score - j.rules_score AS judge_gain, j.score
FROM joined AS j
INNER JOIN current_run AS r USING (run_id)

-- What each judge sample adds up to, from which MM-Vet's ± is computed. One row per run, subset,
-- judge, judge sample, level and ability, for judges that give soft scores on open benchmarks, and
-- the judge samples that count for the run (see graded_sample).
-- @n Questions of the subset that count for the ability.
-- @n_pending Answers without a usable reply yet.
-- @n_missing Samples without an answer; they score 0.
-- @total 100 times the score, not rounded; NULL while pending.
-- Sums of decimals do not depend on the order of addition.
WITH summed AS (
    SELECT
        o.run_id, o.judge, o.judge_sample, l.subset, l.ability_id,
        count(DISTINCT o.question_id) AS n,
        sum(CASE WHEN o.resolved_by = 'pending' THEN 1 ELSE 0 END) AS n_pending,
        sum(CASE WHEN o.resolved_by = 'missing' THEN 1 ELSE 0 END) AS n_missing,
        CAST(
            avg(CAST(CASE WHEN o.resolved_by = 'pending' THEN 0.0 ELSE o.score END AS DECIMAL(18, 15))) AS DOUBLE
        ) AS score_low,
        CAST(
            avg(CAST(CASE WHEN o.resolved_by = 'pending' THEN 1.0 ELSE o.score END AS DECIMAL(18, 15))) AS DOUBLE
        ) AS score_high
    FROM pass_result AS o
    INNER JOIN graded_sample AS g USING (run_id, judge, judge_sample)
    INNER JOIN subset_level AS l USING (question_id)
    WHERE o.task = 'open'
    GROUP BY o.run_id, o.judge, o.judge_sample, l.subset, l.ability_id
)

SELECT
    s.run_id, r.model, r.run, r.dataset, r.benchmark, s.judge, s.judge_sample, s.subset, t.level,
    t.ability, t.abbreviation, t.ordinal AS ability_ordinal, s.n,
    CAST(s.n_pending AS BIGINT) AS n_pending, CAST(s.n_missing AS BIGINT) AS n_missing,
    CASE WHEN s.n_pending = 0 THEN s.score_low END AS score,
    s.score_low, s.score_high,
    CASE WHEN s.n_pending = 0 THEN 100 * s.score_low END AS total
FROM summed AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)

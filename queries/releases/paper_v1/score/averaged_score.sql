-- From questions to abilities: the means of ability_sum, over whole datasets and over each of their
-- subsets; what ability_score and subset_score have in common. One row per run, subset, strategy,
-- judge, level, ability and average.
-- @table per run
-- @key subset strategy judge ability_id average
-- @subset The subset's name; all for the whole dataset.
-- @average micro (over questions; vanilla_all: over passes) or macro (over the abilities of the
--   level below, or of the benchmark's macro_level).
-- @n Questions of the subset, as far as the release counts them: all of them in paper_v1.
-- @n_answered Questions without a missing pass.
-- @points Sum of the question scores; NULL while pending.
-- @n_hidden Questions without a score because an answer is hidden.
-- @weight What the score is divided by: n, under vanilla_all the questions' passes.
-- @answered_weight The same of the n_answered questions.
-- @weighted_points Points by weight: the score is weighted_points / weight, under vanilla_all the
--   right passes; a macro average is of its abilities' scores, and not this. NULL while pending.
-- @score Over all n questions, missing ones wrong; NULL while pending or hidden, or where the run
--   does not reach the ability.
-- @is_reached Whether the run reaches the ability (see ability_reach).
-- @score_answered Over the n_answered questions.
-- @stderr Standard error of the mean over questions.
WITH summed AS (
    SELECT
        *,
        -- The variance over questions; what is left of it by rounding where all score alike is no
        -- spread.
        CASE
            WHEN n > 1
                THEN abs(round(squares / n - (points_low / n) * (points_low / n), 12)) * n / (n - 1)
        END AS variance
    FROM ability_sum
),

micro AS (
    SELECT
        s.run_id, s.strategy, s.judge, s.subset, s.ability_id, h.is_reached, s.n, s.n_answered,
        s.n_pending, s.n_fallback, s.n_missing, s.n_hidden, s.weight, s.answered_weight,
        CASE WHEN h.is_reached AND s.n_hidden = 0 AND s.points_low = s.points_high THEN s.points_low END AS points,
        CASE
            WHEN h.is_reached AND s.n_hidden = 0 AND s.points_low = s.points_high THEN s.weighted_low
        END AS weighted_points,
        CASE WHEN h.is_reached AND s.n_hidden = 0 THEN s.weighted_low / nullif(s.weight, 0) END AS score_low,
        CASE WHEN h.is_reached AND s.n_hidden = 0 THEN s.weighted_high / nullif(s.weight, 0) END AS score_high,
        CASE
            WHEN h.is_reached AND s.n_hidden = 0 AND s.points_low = s.points_high
                THEN s.answered_low / nullif(s.answered_weight, 0)
        END AS score_answered,
        CASE
            WHEN h.is_reached AND s.n_hidden = 0 AND s.points_low = s.points_high
                THEN sqrt(s.variance / s.n)
        END AS stderr
    FROM summed AS s
    INNER JOIN ability_reach AS h USING (run_id, ability_id)
),

placed AS (
    SELECT m.*, b.ability_id AS above_id
    FROM micro AS m
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN ability_base AS b
        ON r.benchmark_id = b.benchmark_id AND m.ability_id = b.base_id
),

children AS (
    SELECT
        run_id, strategy, judge, subset, above_id, count(*) AS n_children,
        count(score_low) AS n_known, count(score_answered) AS n_settled,
        CAST(avg(CAST(score_low AS DECIMAL(18, 15))) AS DOUBLE) AS score_low,
        CAST(avg(CAST(score_high AS DECIMAL(18, 15))) AS DOUBLE) AS score_high,
        CAST(avg(CAST(score_answered AS DECIMAL(18, 15))) AS DOUBLE) AS score_answered,
        sqrt(sum(stderr * stderr)) / count(*) AS stderr, count(stderr) AS n_stderr
    FROM placed
    GROUP BY run_id, strategy, judge, subset, above_id
),

macro AS (
    SELECT
        m.run_id, m.strategy, m.judge, m.subset, m.ability_id, m.is_reached, m.n, m.n_answered,
        m.n_pending, m.n_fallback, m.n_missing, m.n_hidden, m.weight, m.answered_weight, m.points,
        m.weighted_points,
        CASE WHEN m.is_reached AND c.n_known = c.n_children THEN c.score_low END AS score_low,
        CASE WHEN m.is_reached AND c.n_known = c.n_children THEN c.score_high END AS score_high,
        CASE WHEN m.is_reached AND c.n_settled = c.n_children THEN c.score_answered END AS score_answered,
        CASE WHEN m.is_reached AND c.n_stderr = c.n_children THEN c.stderr END AS stderr
    FROM micro AS m
    INNER JOIN children AS c
        ON
            m.run_id = c.run_id
            AND m.strategy = c.strategy
            AND m.judge = c.judge
            AND m.subset = c.subset
            AND m.ability_id = c.above_id
),

both_averages AS (
    SELECT 'micro' AS average, *
    FROM micro
    UNION ALL
    SELECT 'macro' AS average, *
    FROM macro
)

SELECT
    b.run_id, r.benchmark, r.dataset, r.version, r.split, r.language, r.model, r.run, r.dataset_id,
    r.is_latest, r.method, b.subset, b.strategy, b.judge, t.level, t.ability, t.abbreviation,
    t.ordinal AS ability_ordinal, t.ability_id, t.parent_id, b.average, b.is_reached, b.n,
    CAST(b.n_answered AS BIGINT) AS n_answered, b.points,
    CASE WHEN b.score_low = b.score_high THEN b.score_low END AS score,
    b.score_answered, b.score_low, b.score_high,
    -- Its last bits depend on the order in which an engine adds up.
    round(b.stderr, 12) AS stderr,
    CAST(b.n_pending AS BIGINT) AS n_pending, CAST(b.n_fallback AS BIGINT) AS n_fallback,
    CAST(b.n_missing AS BIGINT) AS n_missing, CAST(b.n_hidden AS BIGINT) AS n_hidden, b.weight,
    b.answered_weight, b.weighted_points
FROM both_averages AS b
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)

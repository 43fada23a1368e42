-- The scores of each run's questions added up by ability (MMBench, Section 4.2, by strategy; MM-Vet's soft scores): all that boards need of questions. Equal to the sums over question_result. One row per run, strategy, judge, subset and ability.
-- @subset The subset's name; all for the whole dataset.
-- @n Questions, as far as the release counts them.
-- @n_answered Questions without a missing pass.
-- @n_hidden Questions without a score because an answer is hidden.
-- @points_low Sum of the question scores if every pending verdict turns out wrong.
-- @points_high The same if every one turns out right.
-- @squares Sum of the squares of the lower scores, from which their spread follows.
-- @weight What the questions count for: 1 each, under vanilla_all their passes.
-- @weighted_low As points_low, by weight.
-- @weighted_high As points_high, by weight.
-- @answered_weight As weight, over the answered questions.
-- @answered_low As weighted_low, over the answered questions.
WITH strategies AS (
    SELECT 'vanilla' AS strategy
    UNION ALL
    SELECT 'circular' AS strategy
    UNION ALL
    SELECT 'vanilla_all' AS strategy
),

counted AS (
    SELECT
        o.run_id,
        o.set_id,
        o.question_id,
        o.n_questions,
        o.first_answered,
        j.judge,
        j.is_first,
        s.strategy,
        of_strategy(s.strategy, o.n_first, o.n_expected) AS n_expected,
        of_strategy(
            s.strategy,
            o.n_first,
            CASE s.strategy
                WHEN 'circular' THEN required_passes(o.n_answered, o.n_expected)
                ELSE o.n_expected
            END
        ) AS n_required,
        of_strategy(s.strategy, o.n_first_hidden, o.n_hidden) AS n_hidden,
        of_strategy(s.strategy, o.first_answered, o.n_answered) AS n_passes,
        of_strategy(
            s.strategy,
            o.first_right + coalesce(t.first_right, 0),
            o.n_right + coalesce(t.n_right, 0)
        ) AS n_right,
        of_strategy(s.strategy, coalesce(t.first_pending, 0), coalesce(t.n_pending, 0)) AS n_pending,
        of_strategy(s.strategy, coalesce(t.first_fallback, 0), coalesce(t.n_fallback, 0)) AS n_fallback
    FROM question_outcome AS o
    INNER JOIN judge_scope AS j
        ON
            j.task = 'choice_extraction'
            -- What is counted together does not depend on the judge.
            AND (j.is_first OR o.question_id IS NOT NULL)
    LEFT JOIN judged_tally AS t
        ON
            o.run_id = t.run_id
            AND o.question_id = t.question_id
            AND o.sample = t.sample
            AND j.judge_id = t.judge_id
            AND j.judge = t.judge
            AND j.judge_sample = t.judge_sample
    CROSS JOIN strategies AS s
),

scored AS (
    SELECT
        *,
        strategy_score(strategy, n_right, n_required, n_expected, n_hidden) AS low,
        strategy_score(strategy, n_right + n_pending, n_required, n_expected, n_hidden) AS high,
        strategy_pending(strategy, n_right, n_pending, n_required, n_hidden) AS n_open
    FROM counted
),

rated AS (
    SELECT
        run_id,
        set_id,
        judge,
        strategy,
        n_questions,
        low AS score_low,
        high AS score_high,
        n_expected,
        n_expected - n_passes AS n_missing,
        n_open AS n_pending,
        n_fallback,
        is_counted(first_answered) AS is_counted
    FROM scored
    WHERE question_id IS NULL
    UNION ALL
    SELECT
        run_id,
        set_id,
        judge,
        strategy,
        1 AS n_questions,
        avg(low) AS score_low,
        avg(high) AS score_high,
        sum(CASE WHEN is_first THEN n_expected ELSE 0 END) AS n_expected,
        sum(CASE WHEN is_first THEN n_expected - n_passes ELSE 0 END) AS n_missing,
        sum(n_open) AS n_pending,
        sum(n_fallback) AS n_fallback,
        is_counted(max(first_answered)) AS is_counted
    FROM scored
    WHERE question_id IS NOT NULL
    GROUP BY run_id, set_id, question_id, judge, strategy
    UNION ALL
    SELECT
        run_id,
        question_id AS set_id,
        judge,
        'graded' AS strategy,
        1 AS n_questions,
        score_low,
        score_high,
        n_expected,
        n_missing,
        n_pending,
        0 AS n_fallback,
        TRUE AS is_counted
    FROM open_graded
),

-- Sums of decimals are the same in whatever order an engine adds.
weighted AS (
    SELECT
        run_id,
        strategy,
        judge,
        set_id,
        CAST(n_questions AS INTEGER) AS n_questions,
        CAST(CASE WHEN strategy = 'vanilla_all' THEN n_questions * n_expected ELSE n_questions END AS INTEGER) AS weight,
        CAST(score_low AS DECIMAL(25, 15)) AS score_low,
        CAST(score_high AS DECIMAL(25, 15)) AS score_high,
        CAST(score_low * score_low AS DECIMAL(25, 15)) AS square,
        n_pending,
        n_fallback,
        n_missing
    FROM rated
    -- A question of which the dataset has no pass 0 has no vanilla score.
    WHERE n_expected > 0 AND is_counted
),

by_set AS (
    SELECT
        run_id,
        strategy,
        judge,
        set_id,
        sum(n_questions) AS n,
        sum(CASE WHEN n_missing = 0 THEN n_questions ELSE 0 END) AS n_answered,
        sum(CASE WHEN score_low IS NULL THEN n_questions ELSE 0 END) AS n_hidden,
        sum(score_low * n_questions) AS points_low,
        sum(score_high * n_questions) AS points_high,
        sum(square * n_questions) AS squares,
        sum(weight) AS weight,
        sum(score_low * weight) AS weighted_low,
        sum(score_high * weight) AS weighted_high,
        sum(CASE WHEN n_missing = 0 THEN weight ELSE 0 END) AS answered_weight,
        sum(CASE WHEN n_missing = 0 THEN score_low * weight END) AS answered_low,
        sum(n_questions * n_pending) AS n_pending,
        sum(n_questions * n_fallback) AS n_fallback,
        sum(n_questions * n_missing) AS n_missing
    FROM weighted
    GROUP BY run_id, strategy, judge, set_id
)

SELECT
    s.run_id,
    s.strategy,
    s.judge,
    l.subset,
    l.ability_id,
    CAST(sum(s.n) AS BIGINT) AS n,
    CAST(sum(s.n_answered) AS BIGINT) AS n_answered,
    CAST(sum(s.n_hidden) AS BIGINT) AS n_hidden,
    CAST(sum(s.points_low) AS DOUBLE) AS points_low,
    CAST(sum(s.points_high) AS DOUBLE) AS points_high,
    CAST(sum(s.squares) AS DOUBLE) AS squares,
    CAST(sum(s.weight) AS BIGINT) AS weight,
    CAST(sum(s.weighted_low) AS DOUBLE) AS weighted_low,
    CAST(sum(s.weighted_high) AS DOUBLE) AS weighted_high,
    CAST(sum(s.answered_weight) AS BIGINT) AS answered_weight,
    CAST(coalesce(sum(s.answered_low), 0) AS DOUBLE) AS answered_low,
    CAST(sum(s.n_pending) AS BIGINT) AS n_pending,
    CAST(sum(s.n_fallback) AS BIGINT) AS n_fallback,
    CAST(sum(s.n_missing) AS BIGINT) AS n_missing
FROM by_set AS s
INNER JOIN subset_level AS l ON s.set_id = l.question_id
GROUP BY s.run_id, s.strategy, s.judge, l.subset, l.ability_id

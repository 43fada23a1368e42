-- From verdicts to a question, by strategy (MMBench, Section 4.2): vanilla is pass 0, circular
-- wants every pass right, vanilla_all is the share of right passes; graded is the mean soft score
-- of an open question. Questions with a rule have rows under the strategies of ruled_strategy.
-- Computed per sample and judge sample, then averaged. One row per run, question, strategy and
-- judge; every question of the dataset has its rows.
-- @table per run
-- @key strategy question_id judge
-- @hook Gets question_count, open_graded and ruled_question; must keep a row for each question of
--   the dataset under each strategy and judge, and score_low <= score <= score_high.
-- @score NULL exactly while pending verdicts could still change it, or where an answer is hidden.
-- @score_low The score if every pending verdict turns out wrong.
-- @score_high The score if every pending verdict turns out right.
-- @n_passes Passes with an answer.
-- @n_expected Passes that the strategy needs.
-- @n_pending Pending verdicts that could still change the score.
-- @counted Whether the release counts the question for its abilities.
WITH strategies AS (
    SELECT 'vanilla' AS strategy
    UNION ALL
    SELECT 'circular' AS strategy
    UNION ALL
    SELECT 'vanilla_all' AS strategy
),

counted AS (
    SELECT
        c.run_id, c.question_id, c.judge,
        -- A judge that only this release knows has no samples in the warehouse.
        coalesce(j.is_first, c.judge_sample = 0) AS is_first,
        c.first_answered, s.strategy,
        of_strategy(s.strategy, c.n_first, c.n_expected) AS n_expected,
        of_strategy(
            s.strategy, c.n_first,
            CASE s.strategy
                WHEN 'circular' THEN required_passes(c.n_answered, c.n_expected)
                ELSE c.n_expected
            END
        ) AS n_required,
        of_strategy(s.strategy, c.n_first_hidden, c.n_hidden) AS n_hidden,
        of_strategy(s.strategy, c.first_answered, c.n_answered) AS n_passes,
        of_strategy(s.strategy, c.first_right, c.n_right) AS n_right,
        of_strategy(s.strategy, c.first_pending, c.n_pending) AS n_pending,
        of_strategy(s.strategy, c.first_fallback, c.n_fallback) AS n_fallback
    FROM question_count AS c
    LEFT JOIN judge_scope AS j
        ON j.task = 'choice_extraction' AND c.judge = j.judge AND c.judge_sample = j.judge_sample
    CROSS JOIN strategies AS s
),

scored AS (
    SELECT
        *, strategy_score(strategy, n_right, n_required, n_expected, n_hidden) AS low,
        strategy_score(strategy, n_right + n_pending, n_required, n_expected, n_hidden) AS high,
        strategy_pending(strategy, n_right, n_pending, n_required, n_hidden) AS n_open
    FROM counted
),

averaged AS (
    SELECT
        run_id, question_id, judge, strategy, avg(low) AS score_low, avg(high) AS score_high,
        sum(CASE WHEN is_first THEN n_passes ELSE 0 END) AS n_passes,
        sum(CASE WHEN is_first THEN n_expected ELSE 0 END) AS n_expected,
        sum(CASE WHEN is_first THEN n_expected - n_passes ELSE 0 END) AS n_missing,
        sum(n_open) AS n_pending, sum(n_fallback) AS n_fallback,
        is_counted(max(first_answered)) AS counted
    FROM scored
    GROUP BY run_id, question_id, judge, strategy
    UNION ALL
    SELECT
        run_id, question_id, judge, 'graded' AS strategy, score_low, score_high, n_passes,
        n_expected, n_missing, n_pending, 0 AS n_fallback, TRUE AS counted
    FROM open_graded
    UNION ALL
    SELECT
        u.run_id, u.question_id, u.judge, t.strategy, u.score_low, u.score_high, u.n_passes,
        u.n_expected, u.n_missing, u.n_pending, 0 AS n_fallback, is_counted(u.n_passes) AS counted
    FROM ruled_question AS u
    INNER JOIN ruled_strategy AS t USING (run_id)
)

SELECT
    a.run_id, r.model, r.run, r.dataset, r.dataset_id, a.question_id, q.question_key, a.strategy,
    a.judge,
    CASE WHEN a.score_low = a.score_high THEN a.score_low END AS score,
    a.score_low, a.score_high, CAST(a.n_passes AS BIGINT) AS n_passes,
    CAST(a.n_expected AS BIGINT) AS n_expected, CAST(a.n_missing AS BIGINT) AS n_missing,
    CAST(a.n_pending AS BIGINT) AS n_pending, CAST(a.n_fallback AS BIGINT) AS n_fallback, a.counted
FROM averaged AS a
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)

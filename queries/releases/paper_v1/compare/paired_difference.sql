-- Two runs compared over the questions that both answered, paired by question (Miller, "Adding
-- Error Bars to Evals", arXiv 2411.00640, Section 4.2: the standard error of the mean of the
-- questions' differences; clustered where questions share their images, equation 4 in Section 2.2).
-- The 95 % interval and t are Student's, with one degree of freedom less than there are clusters,
-- in place of Miller's 1.96, which it becomes where there are many. Right and wrong answers are
-- tested by McNemar (1947, Psychometrika 12), exactly and with the correction for continuity, soft
-- scores and shares of passes by t. McNemar takes every question for independent, so where
-- questions share their images p_value is that of t, clustered, for right and wrong too. Everything
-- is over questions (micro; under vanilla_all over their passes), also where a benchmark's board
-- averages over abilities. Under vanilla_all the errors are those of the mean over questions, as if
-- each had as many passes (as in score_interval). Probabilities are integrals over half_line.
-- p_holm is corrected for testing all abilities of a level, those that wait for verdicts too (Holm
-- 1979, Scandinavian Journal of Statistics 6). NULL where a verdict is pending, an answer hidden,
-- or nothing to go by. Every pair of runs of a benchmark is here in both orders: filter by run_a
-- and run_b, which costs no more than those two. One row per pair of runs, subset, strategy, judge,
-- level and ability.
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model.
-- @model_b The second run's model.
-- @label_a The first run's label.
-- @label_b The second run's label.
-- @dataset_a The first run's dataset.
-- @dataset_b The second run's dataset; the same one, or one of the benchmark whose questions have
--   the same keys.
-- @n_common Questions that both datasets have.
-- @n Those that both runs answered; everything is over them.
-- @n_missing_a Questions left out because the first run has no answer to a pass.
-- @n_missing_b Questions left out because the second run has none.
-- @n_pending Questions of which a pending verdict could still change a score.
-- @n_hidden Questions whose answer is hidden.
-- @n_clusters The n questions, those with the same images counted once.
-- @weight_a What the first run's score is over: n, under vanilla_all the passes of its questions.
-- @weight_b The same of the second run's.
-- @score_a The first run's mean score over the questions; under vanilla_all over their passes, as
--   boards have it.
-- @score_b The second run's mean score.
-- @difference score_a less score_b.
-- @stderr_questions Standard error of the difference if every question were independent of the
--   others; NULL: fewer than two.
-- @stderr Standard error of the difference, clustered by image; equal to stderr_questions where no
--   two questions share their images. NULL: fewer than two clusters.
-- @low Lower end of the difference's 95 % interval; NULL where all differences are the same, so
--   that its width is unknown.
-- @high Its upper end.
-- @correlation Pearson's, of both runs' scores; NULL: a run scored all questions alike.
-- @degrees Degrees of freedom of t.
-- @t_statistic The difference in standard errors; NULL: all differences are the same.
-- @t_p_value How likely a t so far from 0 is without a difference, on either side.
-- @n_a_alone Questions that only the first run has right; NULL: scores are not right or wrong
--   alone.
-- @n_b_alone Questions that only the second run has right.
-- @mcnemar_p_value McNemar's test, exact: how likely a split of those as uneven is at even odds, if
--   every question is independent of the others.
-- @chi_square McNemar's statistic with the correction for continuity; NULL: no such questions.
-- @chi_square_p_value Its probability, with one degree of freedom.
-- @test Whose p_value it is: mcnemar (exact) of right and wrong where no two questions share their
--   images, and where else the release's macro is_mcnemar says so; else t.
-- @p_value How likely a difference so large is by chance alone.
-- @p_holm The same with Holm's correction over the abilities of the level.
WITH placed AS (
    SELECT
        p.*, t.level, t.ability, t.abbreviation, t.ordinal AS ability_ordinal, a.run AS label_a,
        b.run AS label_b, a.dataset AS dataset_a, b.dataset AS dataset_b,
        -- A test that waits for verdicts is one of the family.
        count(CASE WHEN p.p_value IS NOT NULL OR p.n_pending > 0 THEN 1 END) OVER (
            PARTITION BY p.run_a, p.run_b, p.model_a, p.model_b, p.strategy, p.judge, p.subset, t.level
        ) AS n_tests,
        row_number() OVER (
            PARTITION BY p.run_a, p.run_b, p.model_a, p.model_b, p.strategy, p.judge, p.subset, t.level
            ORDER BY p.p_value NULLS LAST, p.ability_id
        ) AS place
    FROM paired_test AS p
    INNER JOIN current_run AS a ON p.run_a = a.run_id
    INNER JOIN current_run AS b ON p.run_b = b.run_id
    INNER JOIN ability_tree AS t ON a.benchmark_id = t.benchmark_id AND p.ability_id = t.ability_id
)

SELECT
    run_a, run_b, model_a, model_b, label_a, label_b, dataset_a, dataset_b, subset, strategy, judge,
    level, ability, abbreviation, ability_ordinal, ability_id, n_common, n, n_missing_a,
    n_missing_b, n_pending, n_hidden, n_clusters, weight_a, weight_b, score_a, score_b, difference,
    stderr_questions, stderr, low, high, correlation, degrees, t_statistic, t_p_value, n_a_alone,
    n_b_alone, mcnemar_p_value, chi_square, chi_square_p_value, test, p_value,
    CASE
        WHEN p_value IS NOT NULL
            THEN probability(
                max((n_tests - place + 1) * p_value) OVER (
                    PARTITION BY run_a, run_b, model_a, model_b, strategy, judge, subset, level
                    ORDER BY place
                )
            )
    END AS p_holm
FROM placed

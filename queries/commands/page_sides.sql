-- The four-field table of two runs over the questions that both answered: as paired_question has
-- them.
SELECT
    count(*) AS n, count(*) FILTER (score_a >= 1 AND score_b >= 1) AS n_both,
    count(*) FILTER (score_a >= 1 AND score_b <= 0) AS n_a,
    count(*) FILTER (score_a <= 0 AND score_b >= 1) AS n_b,
    count(*) FILTER (score_a <= 0 AND score_b <= 0) AS n_neither
FROM paired_question
WHERE
    run_a = $run_a AND run_b = $run_b AND strategy = $strategy AND judge = $judge AND state = 'both'

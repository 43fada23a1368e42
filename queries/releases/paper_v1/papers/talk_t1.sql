-- MMBench talk (2024), Table 1: what matching by rules finds, and what a judge adds. One row per
-- run and judge, under VanillaEval, over the questions that were answered, as in Table 4 of the
-- paper (mmbench_t4); runs that were ranked have none.
-- @match_rate Answers to pass 0 with text that the rules match, in percent.
-- @match_acc X: the accuracy by the rules alone, in percent; NULL: hidden.
-- @judge_gain Y: what the judge's verdicts add, in percentage points; NULL while pending or hidden.
-- @total_acc X+Y: the accuracy under the judge, in percent; NULL while pending or hidden.
-- @n_answers Answers with text.
-- @coverage Questions whose pass 0 was answered, in percent of all.
WITH scored AS (
    SELECT run_id, judge, percent, coverage
    FROM mmbench_cell
    WHERE level = 'overall' AND strategy = 'vanilla'
)

SELECT
    m.dataset, m.judge, m.run_id, m.model, 100 * m.match_rate AS match_rate, n.percent AS match_acc,
    b.percent - n.percent AS judge_gain, b.percent AS total_acc, m.n_answers, b.coverage
FROM match_rate AS m
INNER JOIN scored AS b USING (run_id, judge)
INNER JOIN scored AS n ON m.run_id = n.run_id AND n.judge = 'none'
WHERE m.strategy = 'vanilla'

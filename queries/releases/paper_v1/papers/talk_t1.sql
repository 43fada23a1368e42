-- MMBench talk (2024), Table 1: what matching by rules finds, and what a judge adds. One row per run and judge, under VanillaEval; runs that were ranked have none.
-- @match_rate Answers to pass 0 with text that the rules match, in percent.
-- @match_acc X: the accuracy by the rules alone, in percent.
-- @judge_gain Y: what the judge's verdicts add, in percentage points; NULL while pending.
-- @total_acc X+Y: the accuracy under the judge, in percent; NULL while pending.
-- @n_answers Answers with text.
SELECT
    m.dataset,
    m.judge,
    m.run_id,
    m.model,
    100 * m.match_rate AS match_rate,
    100 * m.rules_score AS match_acc,
    100 * m.judge_gain AS judge_gain,
    100 * m.score AS total_acc,
    m.n_answers
FROM match_rate AS m
INNER JOIN current_run AS r ON m.run_id = r.run_id
WHERE m.benchmark = 'MMBench' AND m.strategy = 'vanilla' AND r.is_latest

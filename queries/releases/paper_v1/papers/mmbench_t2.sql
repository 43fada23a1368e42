-- MMBench, Table 2: success rates of step 1 (matching by rules) and step 2 (extraction by the
-- judge). One row per run and judge, over the answers to pass 0: the paper's is a single-pass
-- inference (Section 4.3). Runs that were ranked have none.
-- @step_1 Answers to pass 0 with text that the rules match, in percent.
-- @step_2 Percent of the answers put to the judge in which it found a choice, or that it is none of
--   them; NULL: none was put to it.
-- @n_answers Answers to pass 0 with text.
-- @n_asked Answers to which the judge has replied at least once.
SELECT
    m.dataset, m.judge, m.run_id, m.model, 100 * m.match_rate AS step_1,
    100 * m.extraction_rate AS step_2, m.n_answers, m.n_asked
FROM match_rate AS m
INNER JOIN current_run AS r USING (run_id)
WHERE m.benchmark = 'MMBench' AND m.strategy = 'vanilla' AND r.is_latest

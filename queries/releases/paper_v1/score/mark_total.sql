-- What the marks of a run come to (MMBench, Table 3). One row per run, judge and judge sample.
-- @n Answers with text.
-- @n_marked Answers with a mark.
-- @mean_mark Mean of the marks, 1 to 5, over the answers that have one; NULL: none has.
SELECT
    m.run_id, r.model, r.run, r.dataset, m.judge, m.judge_sample, count(*) AS n,
    count(m.mark) AS n_marked, avg(m.mark) AS mean_mark
FROM mark_result AS m
INNER JOIN current_run AS r USING (run_id)
GROUP BY m.run_id, r.model, r.run, r.dataset, m.judge, m.judge_sample

-- Under CircularEval every row that a file has of a question has to be right, also where there are
-- two of a pass: what a further row is read as that is not right. One row per run, question, pass
-- and sample that has one.
-- @internal
-- @matched A label that is wrong; NULL: none is read.
-- @rule The rule that matched; NULL: none did.
-- @state matched, open (for a judge) or blank.
SELECT
    f.run_id, f.question_id, f.pass, f.sample, max(m.matched) AS matched, max(m.rule) AS rule,
    CASE WHEN max(m.matched) IS NOT NULL THEN 'matched' ELSE max(m.state) END AS state
FROM further_row AS f
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
INNER JOIN text_match AS m USING (question_id, pass, text)
INNER JOIN main.answer AS a
    ON f.question_id = a.question_id AND f.pass = a.pass AND a.superseded_by IS NULL
WHERE b.strategy = 'circular' AND m.matched IS DISTINCT FROM a.label
GROUP BY f.run_id, f.question_id, f.pass, f.sample

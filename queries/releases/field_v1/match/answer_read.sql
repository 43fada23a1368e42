-- The distinct texts that rules read of the answers to a question and pass: raw, but for marks of
-- thinking that a run or benchmark declares (see the macro read_text).
-- @internal
SELECT p.question_id, p.pass, read_text(p.given, r.thinking) AS text
FROM given_answer AS p
INNER JOIN current_run AS r USING (run_id)
GROUP BY p.question_id, p.pass, read_text(p.given, r.thinking)
-- As in paper_v1's answer_text.
HAVING count(*) > 0

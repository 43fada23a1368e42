-- What each run's results take from judgments: the subjects of its answers, also of those to
-- questions of a rule that needs a judge, and what was extracted from these for a program. One row
-- per run and subject that some judge could judge.
-- @internal
-- @table per run
-- @key subject_hash
SELECT run_id, subject_hash
FROM judged_pass
UNION
SELECT run_id, subject_hash
FROM open_judged
UNION
SELECT p.run_id, s.subject_hash
FROM ruled_subject AS s
INNER JOIN main.prediction AS p ON s.question_id = p.question_id AND s.text IS NOT DISTINCT FROM p.text
INNER JOIN current_run AS r ON p.run_id = r.run_id
WHERE p.pass = 0
UNION
SELECT v.run_id, s.subject_hash
FROM extracted_subject AS s
INNER JOIN judged_answer AS v ON s.question_id = v.question_id AND s.judge_id = v.judge_id AND s.text = v.reply
WHERE s.judge_id IN (SELECT extractor_id FROM judge_chain)

-- Answers that wait for a judge who extracts an answer or compares it with the reference; of a
-- program that compares what another judge extracted (judge_chain), those of which something was.
-- One row per waiting answer: run, question, sample, judge and judge sample.
-- @stored_in judge_need task IN ('answer_extraction', 'equivalence')
-- @hook Gets answer_match's rows that are pending; must keep one row per answer that waits.
-- @task What the judge does: answer_extraction or equivalence.
-- @attempt Index of the next attempt: how many came back unusable so far.
-- @prediction The raw output to be judged, or what was extracted from it.
SELECT
    r.run_id, r.question_id, r.question_key, r.pass, r.sample, j.judge_id, r.judge, j.task,
    r.judge_sample, coalesce(v.n_unusable, 0) AS attempt, s.subject_hash, p.text AS prediction
FROM judged_rule_result AS r
INNER JOIN judge_asked AS j USING (judge, judge_sample)
INNER JOIN main.prediction AS p USING (run_id, question_id, pass, sample)
INNER JOIN ruled_subject AS s USING (question_id, text)
LEFT JOIN judged_answer AS v USING (run_id, question_id, sample, judge_id, judge_sample)
WHERE
    r.resolved_by = 'pending'
    AND j.task IN ('answer_extraction', 'equivalence')
    AND j.judge_id NOT IN (SELECT judge_id FROM judge_chain)
UNION ALL
SELECT
    r.run_id, r.question_id, r.question_key, r.pass, r.sample, j.judge_id, r.judge, j.task,
    r.judge_sample, coalesce(c.n_unusable, 0) AS attempt, s.subject_hash, s.text AS prediction
FROM judged_rule_result AS r
INNER JOIN judge_asked AS j USING (judge, judge_sample)
INNER JOIN judge_chain AS h USING (judge_id)
INNER JOIN judged_answer AS v
    ON
        r.run_id = v.run_id
        AND r.question_id = v.question_id
        AND r.sample = v.sample
        AND h.extractor_id = v.judge_id
        AND r.judge_sample = v.judge_sample
INNER JOIN extracted_subject AS s
    ON v.question_id = s.question_id AND v.judge_id = s.judge_id AND v.reply = s.text
LEFT JOIN chained_reply AS c
    ON
        j.judge_id = c.judge_id
        AND r.judge_sample = c.judge_sample
        AND s.question_id = c.question_id
        AND s.text = c.text
WHERE r.resolved_by = 'pending' AND v.state = 'ok'

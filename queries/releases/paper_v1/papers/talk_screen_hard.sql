-- MMBench talk (2024), screening: questions that every VLM gets wrong under CircularEval, to be
-- checked by hand. One row per question and judge.
-- @question The question's text.
-- @n_seeing Models that are no text-only LLM and answered every pass of it; all of them get it
--   wrong.
-- @n_absent Models of any kind that did not answer every pass of it, and are not counted.
-- @n_blind Models of kind LLM that answered every pass of it.
-- @n_blind_right Those of them that get it right.
SELECT
    q.dataset, q.judge, q.question_key, t.text AS question, q.n_seeing, q.n_absent, q.n_blind,
    q.n_blind_right, q.question_id
FROM mmbench_question AS q
INNER JOIN main.question AS t USING (question_id)
WHERE q.n_seeing > 0 AND q.n_seeing_wrong = q.n_seeing

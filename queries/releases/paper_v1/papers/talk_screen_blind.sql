-- MMBench talk (2024), screening: questions that every text-only LLM gets right under CircularEval,
-- without having seen the image. One row per question and judge.
-- @question The question's text.
-- @n_blind Models of kind LLM that answered every pass of it; all of them get it right.
-- @n_absent Models of any kind that did not answer every pass of it, and are not counted.
-- @n_seeing Other models that answered every pass of it.
-- @n_seeing_wrong Those of them that get it wrong.
SELECT
    q.dataset, q.judge, q.question_key, t.text AS question, q.n_blind, q.n_absent, q.n_seeing,
    q.n_seeing_wrong, q.question_id
FROM mmbench_question AS q
INNER JOIN main.question AS t USING (question_id)
WHERE q.n_blind > 0 AND q.n_blind_right = q.n_blind

-- MMBench talk (2024), challenging questions: those of the four abilities with the lowest A_max (as
-- many as the talk names), with how many models get them right under CircularEval. One row per
-- question and judge.
-- @place The ability's place among the most challenging ones.
-- @question The question's text.
-- @n_right Models that get it right.
-- @n_models Models that answered every pass of it.
-- @n_open Models among them whose score is pending.
-- @n_absent Models that did not answer every pass of it.
SELECT
    q.dataset, q.judge, c.place, c.ability, q.question_key, t.text AS question, q.n_right,
    q.n_models, q.n_open, q.n_absent, q.question_id
FROM talk_challenging AS c
INNER JOIN main.question_ability AS a USING (ability_id)
INNER JOIN mmbench_question AS q USING (question_id, judge, dataset)
INNER JOIN main.question AS t USING (question_id)
WHERE c.place <= 4

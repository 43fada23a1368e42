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
    q.dataset,
    q.judge,
    c.place,
    c.ability,
    q.question_key,
    t.text AS question,
    q.n_right,
    q.n_models,
    q.n_open,
    q.n_absent,
    q.question_id
FROM talk_challenging AS c
INNER JOIN main.question_ability AS a ON c.ability_id = a.ability_id
INNER JOIN mmbench_question AS q
    ON a.question_id = q.question_id AND c.judge = q.judge AND c.dataset = q.dataset
INNER JOIN main.question AS t ON q.question_id = t.question_id
WHERE c.place <= 4

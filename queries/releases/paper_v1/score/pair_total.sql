-- What the pairs of a run come to (LLaVA-Bench): the model's mean score as a percentage of the
-- reference's, over all questions and by ability. One row per run, judge, judge sample, level and
-- ability.
-- @n Answers with a pair of scores.
-- @n_unread Replies without one: LLaVA's script counts them as -1 on both sides, here they are left
--   out.
-- @reference_score Mean score of the reference; NULL: no pair.
-- @answer_score Mean score of the model's answers; NULL: no pair.
-- @relative_score 100 times the model's mean over the reference's, which is what the paper prints.
SELECT
    p.run_id, p.model, r.run, p.dataset, p.judge, p.judge_sample, t.level, t.ability,
    t.abbreviation, t.ordinal AS ability_ordinal, count(p.answer_score) AS n,
    count(*) - count(p.answer_score) AS n_unread, avg(p.reference_score) AS reference_score,
    avg(p.answer_score) AS answer_score,
    100.0 * sum(p.answer_score) / nullif(sum(p.reference_score), 0) AS relative_score
FROM pair_score AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN question_level AS q USING (question_id)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
GROUP BY
    p.run_id, p.model, r.run, p.dataset, p.judge, p.judge_sample, t.level, t.ability,
    t.abbreviation, t.ordinal

-- Every choice score with what it is worth: higher is better. One row per run, question, pass,
-- sample, component and choice. A score that names its scorer is a similarity (CLIP); any other is
-- what its run declares, and the worse the higher for perplexities.
-- @internal
-- @label The choice.
-- @merit The score, or minus the perplexity.
-- @n_tokens Tokens that the likelihood is over; NULL: not known.
SELECT
    s.run_id, r.model, r.dataset, r.dataset_id, r.method, r.reduction, r.scored, s.question_id,
    q.question_key, s.pass, s.sample, s.component, s.label, c.ordinal, s.score, s.n_tokens,
    s.scorer,
    CASE WHEN r.method = 'perplexity' AND s.scorer IS NULL THEN -s.score ELSE s.score END AS merit
FROM main.choice_score AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
INNER JOIN main.choice AS c USING (question_id, pass, label)
WHERE r.task = 'choice'

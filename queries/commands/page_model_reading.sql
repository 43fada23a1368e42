-- How a model's answers were read: matched by the rules, extracted by a judge, refused.
SELECT
    m.run_id, m.model, m.dataset, m.run, m.judge, m.strategy, m.n_answers, m.match_rate, m.n_asked,
    m.extraction_rate, f.n_refusals, f.refusal_rate
FROM match_rate AS m
INNER JOIN main.benchmark AS b ON m.benchmark = b.name AND m.strategy = b.strategy
LEFT JOIN refusal_rate AS f ON m.run_id = f.run_id
WHERE $model IS NULL OR m.model = $model
ORDER BY m.dataset, m.run, m.judge

-- {comment}
-- @llm Its language model; NULL: not stated.
-- @{dimensions.name} {dimensions.meaning}, in percent; NULL: not reached, or pending.
-- @coverage Questions of these dimensions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id,
        model,
        model_id,
        dataset,
        judge,
        max(CASE WHEN ability = '{dimensions.of}' THEN percent END) AS {dimensions.name},
        100 * CAST(sum(n_answered) AS DOUBLE) / sum(n) AS coverage
    FROM seed_cell
    WHERE
        benchmark = 'SEED-Bench-2'
        AND level = 'dimension'
        AND ability IN (
            '{dimensions.of}'{,}
        )
    GROUP BY run_id, model, model_id, dataset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.run_id,
    a.model,
    m.language_backbone AS llm,
    a.{dimensions.name},
    a.coverage
FROM across AS a
INNER JOIN current_model AS m ON a.model_id = m.model_id

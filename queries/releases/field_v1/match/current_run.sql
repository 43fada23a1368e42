-- The runs that count: neither superseded nor retracted. One row per run.
-- @thinking How its answers mark a model's thinking, as it or its benchmark says (OPEN ... CLOSE,
--   none, known); NULL: nobody says.
-- @is_latest Whether it is its model's newest run of the dataset that saw the images, by the
--   harness's time or else the time of ingest. A run that saw the text alone (main.run_input)
--   stands for no model.
SELECT
    r.run_id, r.model_id, m.name AS model, r.label AS run, r.dataset_id, d.name AS dataset,
    b.benchmark_id, b.name AS benchmark, b.task, d.version, d.split, d.language, r.harness,
    r.method, r.reduction, r.scored, r.produced_at, s.ingested_at,
    coalesce(t.marks, b.thinking) AS thinking,
    i.run_id IS NULL
    AND row_number() OVER (
        PARTITION BY r.model_id, r.dataset_id, i.run_id IS NULL
        ORDER BY coalesce(r.produced_at, s.ingested_at) DESC, r.run_id DESC
    ) = 1 AS is_latest
FROM main.run AS r
INNER JOIN main.model AS m USING (model_id)
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
INNER JOIN main.source AS s ON r.source_id = s.source_id
LEFT JOIN main.run_thinking AS t USING (run_id)
LEFT JOIN main.run_input AS i ON r.run_id = i.run_id AND i.input = 'text'
WHERE r.superseded_by IS NULL AND r.retracted_at IS NULL

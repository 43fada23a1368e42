-- What a reader's figures become.

-- name: add_figure
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, filter, reducer, value, source_id
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

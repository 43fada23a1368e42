-- HELM's own figures.

-- name: add_figure
INSERT INTO main.harness_figure (model_id, benchmark_id, task, label, judge, metric, value, source_id)
VALUES (?, ?, ?, ?, NULL, ?, ?, ?)

-- What a reader's samples are about, and what its figures become.

-- name: add_figure
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, filter, reducer, value, source_id
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: are_own_keys
-- Whether all that is known of a benchmark's questions came from files of one format.
SELECT coalesce(bool_and(s.format = $format), true) AS are_own_keys
FROM main.benchmark AS b
INNER JOIN main.dataset AS d ON b.benchmark_id = d.benchmark_id
INNER JOIN main.dataset_source AS o ON d.dataset_id = o.dataset_id
INNER JOIN main.source AS s ON o.source_id = s.source_id
WHERE lower(b.name) = lower($name)

-- What a benchmark's board can be narrowed to.
SELECT
    d.dataset_id, d.name AS dataset, d.version, d.split, d.language,
    (
        SELECT list(DISTINCT s.name ORDER BY s.name)
        FROM main.dataset_subset AS s
        WHERE s.dataset_id = d.dataset_id AND s.superseded_by IS NULL
    ) AS subsets
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE b.name = $benchmark
ORDER BY d.name

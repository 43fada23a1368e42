-- The figures of benchmarks that are no share of 1: out of another number, or a sum, or made of
-- other figures.
SELECT b.name AS benchmark, f.name AS figure
FROM main.benchmark_figure AS f
INNER JOIN main.benchmark AS b ON f.benchmark_id = b.benchmark_id
WHERE
    f.superseded_by IS NULL
    AND (f.scale <> 1 OR f.aggregate NOT IN ('micro', 'macro', 'precision', 'recall', 'f1'))

-- What the columns of a file in `raw` look like.

-- name: has_passes
SELECT EXISTS (
    SELECT 1
    FROM raw AS r
    INNER JOIN raw AS b
        ON TRY_CAST(CAST(r.index AS VARCHAR) AS BIGINT) % $step
            = TRY_CAST(CAST(b.index AS VARCHAR) AS BIGINT)
    WHERE TRY_CAST(CAST(r.index AS VARCHAR) AS BIGINT) >= $step
) AS has_passes

-- name: look_at_cells
SELECT
    count(DISTINCT cell) AS n, count(*) FILTER (starts_with(cell, '[')) AS n_lists,
    coalesce(max(length(cell)), 0) AS longest, coalesce(list(DISTINCT cell), []) AS cells
FROM (SELECT nullif(trim({cell}), '') AS cell FROM raw)

-- name: is_tree
SELECT coalesce(max(n), 0) <= 1 AS is_tree
FROM (
    SELECT count(DISTINCT lower(trim(CAST({above} AS VARCHAR)))) AS n
    FROM raw
    GROUP BY lower(trim(CAST({column} AS VARCHAR)))
)

-- name: look_at_references
SELECT
    count(*) AS n, count(*) FILTER (lower(rtrim(cell, '.')) IN ('yes', 'no')) AS n_yes_no,
    count(*) FILTER (starts_with(cell, '[')) AS n_lists,
    count(*) FILTER (TRY_CAST(replace(rtrim(cell, '%'), ',', '') AS DOUBLE) IS NOT NULL) AS n_numbers,
    coalesce(max(length(cell) - length(replace(cell, ' ', '')) + 1), 0) AS most_words
FROM (SELECT nullif(trim({cell}), '') AS cell FROM {source})
WHERE cell IS NOT NULL

-- name: count_items
SELECT min(n) AS fewest, max(n) AS most
FROM (SELECT count(*) AS n FROM stage_looked_at GROUP BY cell)

-- name: count_staged_references
SELECT count(*) AS n, min(n) AS fewest, max(n) AS most
FROM (SELECT count(*) AS n FROM stage_reference GROUP BY row)

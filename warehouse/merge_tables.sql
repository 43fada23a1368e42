-- How rows of the other warehouse come here. `t` is such a row, `by_…` the row of a map for its
-- column of that name.

-- name: bring_over
INSERT INTO main.{table} ({columns})
SELECT {values}
FROM the_other.main.{table} AS t{joins}
WHERE {conditions}

-- name: after_abilities_here
t.ordinal + (
    SELECT coalesce(max(k.ordinal) + 1, 0)
    FROM main.ability AS k
    WHERE k.benchmark_id = by_benchmark_id.id
)

-- name: is_declared
(
    by_benchmark_id.is_new
    OR EXISTS (
        SELECT 1
        FROM merge_declared AS c
        WHERE c.table_name = '{table}' AND c.benchmark_id = t.benchmark_id AND c.name = {name}
    )
)

-- name: after_figures_here
coalesce(
    (
        SELECT c.ordinal
        FROM merge_declared AS c
        WHERE c.table_name = 'benchmark_figure' AND c.benchmark_id = t.benchmark_id AND c.name = t.name
    ),
    t.ordinal
)

-- name: is_not_filed_in_tree
NOT EXISTS (
    SELECT 1
    FROM main.question_ability AS k
    INNER JOIN merge_tree AS h ON k.ability_id = h.ability_id
    INNER JOIN merge_tree AS o ON h.tree = o.tree
    WHERE k.question_id = by_question_id.id AND o.ability_id = by_ability_id.id
)

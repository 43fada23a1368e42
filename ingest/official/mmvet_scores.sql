-- MM-Vet's published scores.

-- name: add_score
INSERT INTO main.published_score (
    benchmark_id, model_id, ability_id, total, spread, sample_totals, source_id
)
VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: abilities_of_level
SELECT ability_id, name, lower(abbreviation)
FROM main.ability
WHERE benchmark_id = ? AND level = ?

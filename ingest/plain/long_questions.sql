-- Our long format for questions.

-- name: listed
(SELECT {place}, {step}, {texts} FROM raw) AS r(row, split, key, step, texts),
unnest(range(1, len(r.texts) + 1)) AS n(place)

-- name: listed_or_alone
coalesce(
    (
        SELECT list(l.item ORDER BY l.ordinal)
        FROM stage_listed_reference AS l
        WHERE l.cell = {written}
    ),
    [{written}]
)

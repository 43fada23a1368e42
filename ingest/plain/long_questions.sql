-- Our long format for questions.

-- name: listed
(SELECT {place}, {step}, {texts} FROM raw) AS r(row, split, key, step, texts),
unnest(range(1, len(r.texts) + 1)) AS n(place)

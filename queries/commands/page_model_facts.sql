-- What is known of a model, and its other names.
SELECT
    m.model, m.family, m.vision_backbone, m.language_backbone, m.parameters_billion, m.access,
    m.released_on, m.kind, m.capability_level,
    (SELECT list(DISTINCT a.alias ORDER BY a.alias) FROM main.model_alias AS a WHERE a.model_id = m.model_id)
        AS aliases
FROM current_model AS m
WHERE m.model = $model

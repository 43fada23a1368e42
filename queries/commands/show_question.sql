-- The question: one row per dataset that has it.
SELECT
    q.question_id, d.name AS dataset, q.question_key, q.text,
    (
        SELECT string_agg(a.name || ': ' || a.value, chr(10) ORDER BY a.name)
        FROM main.question_attribute AS a
        WHERE a.question_id = q.question_id
    ) AS attributes,
    (
        SELECT string_agg(t.ability, ' / ' ORDER BY t.ordinal)
        FROM question_level AS l
        INNER JOIN ability_tree AS t ON l.ability_id = t.ability_id
        WHERE l.question_id = q.question_id AND t.ability_id > 0
    ) AS abilities,
    (
        SELECT string_agg(r.text, chr(10) ORDER BY r.ordinal)
        FROM main.reference_answer AS r
        WHERE r.question_id = q.question_id
    ) AS "references"
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE q.question_key = $key AND ($dataset IS NULL OR d.name = $dataset)
ORDER BY d.name

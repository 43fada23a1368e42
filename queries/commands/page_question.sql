-- Some questions, each with its dataset, abilities, references and pictures.
SELECT
    q.question_id, d.name AS dataset, b.name AS benchmark, q.question_key, q.text,
    (
        SELECT list(a.name || ': ' || a.value ORDER BY a.name)
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
        SELECT list(r.text ORDER BY r.ordinal)
        FROM main.reference_answer AS r
        WHERE r.question_id = q.question_id
    ) AS "references",
    (
        SELECT list(i.sha256 ORDER BY i.ordinal)
        FROM main.question_image AS i
        WHERE i.question_id = q.question_id
    ) AS images
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE list_contains($questions, q.question_id)
ORDER BY q.question_id

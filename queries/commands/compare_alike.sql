-- Whether the questions of two datasets that have the same keys look like the same questions.
WITH facts AS (
    SELECT
        q.dataset_id, q.question_key, min(a.label) AS answer,
        array_to_string(list_sort(list(DISTINCT i.sha256)), ',') AS images
    FROM main.question AS q
    LEFT JOIN main.answer AS a
        ON q.question_id = a.question_id AND a.pass = 0 AND a.superseded_by IS NULL
    LEFT JOIN main.question_image AS i ON q.question_id = i.question_id
    WHERE q.dataset_id IN ($dataset_a, $dataset_b)
    GROUP BY q.dataset_id, q.question_key
)

SELECT
    count(*) AS n_common, count(*) FILTER (a.answer <> b.answer) AS n_other_answers,
    count(*) FILTER (a.images <> '' AND b.images <> '' AND a.images <> b.images) AS n_other_images
FROM facts AS a
INNER JOIN facts AS b ON a.question_key = b.question_key
WHERE a.dataset_id = $dataset_a AND b.dataset_id = $dataset_b

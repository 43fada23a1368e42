-- Each dataset by content. One row per dataset.
-- @n_questions Questions.
-- @n_passes Passes of all questions.
-- @n_answers Passes whose answer is known; 0: answers are hidden.
-- @n_abilities Questions that are filed under an ability.
-- @content_hash sha256 of question keys, texts and choices per pass: equal content, equal hash.
-- @answer_hash sha256 of the answers per pass; NULL: none is known.
WITH pass_content AS (
    SELECT
        q.dataset_id, q.question_id, p.pass, p.answer,
        hex(q.question_key) || ',' || CAST(p.pass AS VARCHAR) AS place,
        sha256(
            hex(q.question_key) || ',' || CAST(p.pass AS VARCHAR) || ',' || hex(q.text) || ','
            || coalesce(c.content, '-')
        ) AS content
    FROM dataset_pass AS p
    INNER JOIN main.question AS q USING (question_id)
    LEFT JOIN choice_set AS c USING (question_id, pass)
),

filed AS (
    SELECT DISTINCT question_id
    FROM main.question_ability
),

summed AS (
    SELECT
        p.dataset_id, count(DISTINCT p.question_id) AS n_questions, count(*) AS n_passes,
        count(p.answer) AS n_answers, count(DISTINCT f.question_id) AS n_abilities,
        sha256(array_to_string(list_sort(list(p.content)), ',')) AS content_hash,
        sha256(
            array_to_string(
                list_sort(list(p.place || '=' || coalesce(hex(p.answer), '-'))), ','
            )
        ) AS answer_hash
    FROM pass_content AS p
    LEFT JOIN filed AS f USING (question_id)
    GROUP BY p.dataset_id
)

SELECT
    d.dataset_id, d.name AS dataset, b.name AS benchmark, d.version, d.split, d.language,
    coalesce(s.n_questions, 0) AS n_questions, coalesce(s.n_passes, 0) AS n_passes,
    coalesce(s.n_answers, 0) AS n_answers, coalesce(s.n_abilities, 0) AS n_abilities,
    s.content_hash,
    CASE WHEN s.n_answers > 0 THEN s.answer_hash END AS answer_hash
FROM main.dataset AS d
INNER JOIN main.benchmark AS b USING (benchmark_id)
LEFT JOIN summed AS s USING (dataset_id)

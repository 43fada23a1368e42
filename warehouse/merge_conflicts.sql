-- What keeps two warehouses apart, as texts, after the merge_… tables of merge_maps.sql and
-- merge_runs.sql were made.

-- name: benchmarks
SELECT printf('benchmark %s: its questions are of the kind %s here and %s there', m.name, m.task, o.task)
FROM the_other.main.benchmark AS o
INNER JOIN merge_benchmark AS b ON o.benchmark_id = b.other_id AND NOT b.is_new
INNER JOIN main.benchmark AS m ON b.id = m.benchmark_id
WHERE o.task <> m.task
ORDER BY m.name

-- name: abilities
SELECT
    printf(
        'ability %s of %s: stands under %s here and %s there',
        m.name, b.name, coalesce(h.name, 'nothing'), coalesce(t.name, 'nothing')
    )
FROM the_other.main.ability AS o
INNER JOIN merge_ability AS a ON o.ability_id = a.other_id AND NOT a.is_new
INNER JOIN main.ability AS m ON a.id = m.ability_id
INNER JOIN main.benchmark AS b ON m.benchmark_id = b.benchmark_id
LEFT JOIN merge_ability AS p ON o.parent_id = p.other_id
LEFT JOIN main.ability AS h ON m.parent_id = h.ability_id
LEFT JOIN the_other.main.ability AS t ON o.parent_id = t.ability_id
WHERE p.id IS DISTINCT FROM m.parent_id
ORDER BY b.name, m.ordinal

-- name: questions
SELECT printf('question %s of %s: has another text there', m.question_key, d.name)
FROM the_other.main.question AS o
INNER JOIN merge_question AS q ON o.question_id = q.other_id AND NOT q.is_new
INNER JOIN main.question AS m ON q.id = m.question_id
INNER JOIN main.dataset AS d ON m.dataset_id = d.dataset_id
WHERE m.text <> '' AND o.text <> '' AND plain_text(o.text) IS DISTINCT FROM plain_text(m.text)
ORDER BY d.name, m.question_id

-- name: dropped
SELECT
    printf(
        'question %s of %s: was dropped %s',
        o.question_key, d.name, CASE WHEN o.is_here THEN 'here' ELSE 'there' END
    )
FROM (
    SELECT question_id, dataset_id, question_key, true AS is_here
    FROM main.dropped_question
    WHERE
        restored_by IS NULL
        AND question_id IN (
            SELECT q.id
            FROM merge_question AS q
            INNER JOIN the_other.main.question AS t ON q.other_id = t.question_id
        )
    UNION ALL
    SELECT m.question_id, m.dataset_id, m.question_key, false AS is_here
    FROM the_other.main.dropped_question AS t
    INNER JOIN merge_question AS q ON t.question_id = q.other_id
    INNER JOIN main.question AS m ON q.id = m.question_id
    WHERE t.restored_by IS NULL
) AS o
INNER JOIN main.dataset AS d ON o.dataset_id = d.dataset_id
ORDER BY d.name, o.question_key

-- name: passes
-- A dataset that question files declared complete does not grow.
WITH here AS (
    SELECT q.dataset_id, q.question_key, p.pass
    FROM main.question AS q
    INNER JOIN main.question_pass AS p ON q.question_id = p.question_id
    WHERE q.dataset_id IN (SELECT id FROM merge_dataset WHERE NOT is_new)
),

there AS (
    SELECT d.id AS dataset_id, q.question_key, p.pass
    FROM the_other.main.question AS q
    INNER JOIN merge_dataset AS d ON q.dataset_id = d.other_id AND NOT d.is_new
    INNER JOIN the_other.main.question_pass AS p ON q.question_id = p.question_id
),

lacking AS (
    SELECT t.dataset_id, t.question_key, t.pass, 'here' AS place
    FROM there AS t
    INNER JOIN merge_dataset AS d ON t.dataset_id = d.id AND d.is_complete
    ANTI JOIN here AS h
        ON t.dataset_id = h.dataset_id AND t.question_key = h.question_key AND t.pass = h.pass
    UNION ALL
    SELECT h.dataset_id, h.question_key, h.pass, 'there' AS place
    FROM here AS h
    INNER JOIN merge_dataset AS d ON h.dataset_id = d.id AND d.is_complete_there
    ANTI JOIN there AS t
        ON h.dataset_id = t.dataset_id AND h.question_key = t.question_key AND h.pass = t.pass
)

SELECT
    printf(
        'question %s of %s: pass %d is not in the dataset, which is complete, %s',
        l.question_key, d.name, l.pass, l.place
    )
FROM lacking AS l
INNER JOIN main.dataset AS d ON l.dataset_id = d.dataset_id
ORDER BY d.name, l.question_key, l.pass

-- name: choices
WITH here AS (
    SELECT q.id AS question_id, c.pass, c.label, c.text
    FROM merge_question AS q
    INNER JOIN main.choice AS c ON q.id = c.question_id
    INNER JOIN main.question AS m ON q.id = m.question_id AND m.text <> ''
    WHERE NOT q.is_new
),

there AS (
    SELECT q.id AS question_id, c.pass, c.label, c.text
    FROM merge_question AS q
    INNER JOIN the_other.main.choice AS c ON q.other_id = c.question_id
    INNER JOIN the_other.main.question AS o ON q.other_id = o.question_id AND o.text <> ''
    WHERE NOT q.is_new
),

both_passes AS (
    SELECT DISTINCT question_id, pass FROM here
    INTERSECT
    SELECT DISTINCT question_id, pass FROM there
),

differing AS (
    SELECT DISTINCT
        coalesce(h.question_id, t.question_id) AS question_id, coalesce(h.pass, t.pass) AS pass
    FROM (SELECT here.* FROM here INNER JOIN both_passes USING (question_id, pass)) AS h
    FULL JOIN (SELECT there.* FROM there INNER JOIN both_passes USING (question_id, pass)) AS t
        ON h.question_id = t.question_id AND h.pass = t.pass AND h.label = t.label
    WHERE plain_text(h.text) IS DISTINCT FROM plain_text(t.text)
)

SELECT printf('question %s of %s: pass %d has other choices there', q.question_key, d.name, f.pass)
FROM differing AS f
INNER JOIN main.question AS q ON f.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
ORDER BY d.name, q.question_id, f.pass

-- name: answers
SELECT
    printf(
        'question %s of %s: the answer of pass %d is %s here and %s there',
        m.question_key, d.name, a.pass, a.label, o.label
    )
FROM the_other.main.answer AS o
INNER JOIN merge_question AS q ON o.question_id = q.other_id AND NOT q.is_new
INNER JOIN main.answer AS a ON q.id = a.question_id AND o.pass = a.pass AND a.superseded_by IS NULL
INNER JOIN main.question AS m ON q.id = m.question_id
INNER JOIN main.dataset AS d ON m.dataset_id = d.dataset_id
WHERE o.superseded_by IS NULL AND o.label <> a.label
ORDER BY d.name, m.question_id, a.pass

-- name: labels
-- Of a question that one side knows by its id alone, that side knows no choices, and assumed some.
WITH halves AS (
    SELECT q.id AS question_id, q.other_id, q.is_completed
    FROM merge_question AS q
    INNER JOIN main.question AS m ON q.id = m.question_id
    INNER JOIN the_other.main.question AS o ON q.other_id = o.question_id
    WHERE NOT q.is_new AND (m.text = '' OR o.text = '')
),

ours AS (
    SELECT c.question_id, c.pass, c.label
    FROM halves AS h
    INNER JOIN main.choice AS c ON h.question_id = c.question_id
    WHERE NOT (h.is_completed AND c.pass = 0)
),

-- Those that will be here.
choices AS (
    SELECT question_id, pass, label
    FROM ours
    UNION
    SELECT h.question_id, c.pass, c.label
    FROM halves AS h
    INNER JOIN the_other.main.choice AS c ON h.other_id = c.question_id
    WHERE (h.question_id, c.pass) NOT IN (SELECT (question_id, pass) FROM ours)
),

labelled AS (
    SELECT h.question_id, a.pass, a.label, 'answer' AS what, 'here' AS place, 'there' AS lacking
    FROM halves AS h
    INNER JOIN main.answer AS a ON h.question_id = a.question_id AND a.superseded_by IS NULL
    UNION
    SELECT h.question_id, a.pass, a.label, 'answer' AS what, 'there' AS place, 'here' AS lacking
    FROM halves AS h
    INNER JOIN the_other.main.answer AS a ON h.other_id = a.question_id AND a.superseded_by IS NULL
    UNION
    SELECT h.question_id, s.pass, s.label, 'score' AS what, 'here' AS place, 'there' AS lacking
    FROM halves AS h
    INNER JOIN main.choice_score AS s ON h.question_id = s.question_id
    UNION
    SELECT h.question_id, s.pass, s.label, 'score' AS what, 'there' AS place, 'here' AS lacking
    FROM halves AS h
    INNER JOIN the_other.main.choice_score AS s ON h.other_id = s.question_id
)

SELECT
    printf(
        'question %s of %s: pass %d has the %s %s %s, and no such choice %s',
        q.question_key, d.name, t.pass, t.what, t.label, t.place, t.lacking
    )
FROM labelled AS t
SEMI JOIN choices AS c ON t.question_id = c.question_id AND t.pass = c.pass
ANTI JOIN choices AS c ON t.question_id = c.question_id AND t.pass = c.pass AND t.label = c.label
INNER JOIN main.question AS q ON t.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
ORDER BY d.name, q.question_id, t.pass, t.label, t.what, t.place

-- name: references
WITH here AS (
    SELECT question_id, list_sort(list(plain_text(text))) AS texts
    FROM main.reference_answer
    GROUP BY question_id
),

there AS (
    SELECT q.id AS question_id, list_sort(list(plain_text(o.text))) AS texts
    FROM the_other.main.reference_answer AS o
    INNER JOIN merge_question AS q ON o.question_id = q.other_id
    GROUP BY q.id
)

SELECT printf('question %s of %s: has other references there', q.question_key, d.name)
FROM here AS h
INNER JOIN there AS t ON h.question_id = t.question_id
INNER JOIN main.question AS q ON h.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE h.texts <> t.texts
ORDER BY d.name, q.question_id

-- name: question_abilities
-- Levels of one tree: what one side has in a tree of its own contradicts nothing.
WITH here AS (
    SELECT f.question_id, t.tree, list_sort(list(f.ability_id)) AS abilities
    FROM main.question_ability AS f
    INNER JOIN merge_tree AS t ON f.ability_id = t.ability_id
    GROUP BY f.question_id, t.tree
),

there AS (
    SELECT q.id AS question_id, t.tree, list_sort(list(a.id)) AS abilities
    FROM the_other.main.question_ability AS o
    INNER JOIN merge_question AS q ON o.question_id = q.other_id
    INNER JOIN merge_ability AS a ON o.ability_id = a.other_id
    INNER JOIN merge_tree AS t ON a.id = t.ability_id
    GROUP BY q.id, t.tree
)

SELECT DISTINCT printf('question %s of %s: is filed under other abilities there', q.question_key, d.name)
FROM here AS h
INNER JOIN there AS t ON h.question_id = t.question_id AND h.tree = t.tree
INNER JOIN main.question AS q ON h.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE h.abilities <> t.abilities
ORDER BY 1

-- name: components
WITH here AS (
    SELECT q.id AS question_id, list_sort(list(c.component)) AS components
    FROM merge_question AS q
    LEFT JOIN main.question_component AS c ON q.id = c.question_id
    WHERE NOT q.is_new
    GROUP BY q.id
),

there AS (
    SELECT q.id AS question_id, list_sort(list(c.component)) AS components
    FROM merge_question AS q
    LEFT JOIN the_other.main.question_component AS c ON q.other_id = c.question_id
    WHERE NOT q.is_new
    GROUP BY q.id
)

SELECT printf('question %s of %s: an answer consists of other things there', q.question_key, d.name)
FROM here AS h
INNER JOIN there AS t ON h.question_id = t.question_id
INNER JOIN main.question AS q ON h.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE h.components <> t.components
ORDER BY d.name, q.question_id

-- name: subsets
SELECT printf('subset %s of %s: holds other questions there', m.name, d.name)
FROM merge_subset AS s
INNER JOIN main.dataset_subset AS m
    ON s.dataset_id = m.dataset_id AND s.name = m.name AND m.superseded_by IS NULL
INNER JOIN main.dataset AS d ON m.dataset_id = d.dataset_id
WHERE s.is_live AND s.is_new
ORDER BY d.name, m.name

-- name: models
SELECT printf('model %s: by its names it is several models here', o.name)
FROM merge_model AS m
INNER JOIN the_other.main.model AS o ON m.other_id = o.model_id
WHERE m.n_known > 1
ORDER BY o.name

-- name: runs
SELECT
    printf(
        'run %s of %s on %s: has other content there (run %d here, run %d there); `evalhouse runs '
        || 'rename` gives one of them another label', r.label, m.name, d.name, h.run_id, r.other_id
    )
FROM merge_run AS r
INNER JOIN main.run AS h
    ON
        r.model_id = h.model_id
        AND r.dataset_id = h.dataset_id
        AND r.label = h.label
        AND h.superseded_by IS NULL
        AND h.retracted_at IS NULL
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
ANTI JOIN merge_joined AS j ON r.other_id = j.other_id AND h.run_id = j.here_id
WHERE r.is_live AND r.is_new
UNION ALL
-- Two models there that are one here.
SELECT
    printf(
        'run %s of %s: there are several of it there, of models that are one here', r.label, m.name
    )
FROM merge_run AS r
INNER JOIN main.model AS m ON r.model_id = m.model_id
WHERE r.is_live
GROUP BY r.model_id, r.dataset_id, r.label, m.name
HAVING count(*) > 1
ORDER BY 1

-- name: judges
SELECT
    printf(
        'judge %s: %s; `evalhouse judges rename` gives one of them another name', o.name,
        CASE
            WHEN o.retracted_at IS NULL AND m.retracted_at IS NOT NULL AND o.fingerprint = m.fingerprint
                THEN 'counts there and is retracted here'
            ELSE 'is another one there'
        END
    )
FROM merge_judge AS j
INNER JOIN the_other.main.judge AS o ON j.other_id = o.judge_id
INNER JOIN main.judge AS m ON o.name = m.name
WHERE j.is_new
ORDER BY o.name

-- name: judgments
-- Imports and people say one thing of an answer. Our own calls may be made twice, and are kept
-- twice.
SELECT
    printf(
        'judge %s: says otherwise there of %d answers of run %s of %s on %s',
        j.name, count(DISTINCT o.subject_hash), r.label, m.name, d.name
    )
FROM merge_judgment AS o
INNER JOIN main.judgment AS g
    ON o.judge_id = g.judge_id AND {is_of_same}
INNER JOIN main.judge AS j
    ON g.judge_id = j.judge_id AND j.kind IN ('import', 'human') AND j.retracted_at IS NULL
INNER JOIN main.run AS r ON g.run_id = r.run_id
INNER JOIN main.model AS m ON r.model_id = m.model_id
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
WHERE o.is_new
GROUP BY j.name, r.run_id, r.label, m.name, d.name
ORDER BY 1

-- name: aliases
SELECT printf('model %s: its name %s there is that of another model here', h.name, t.alias)
FROM the_other.main.model_alias AS t
INNER JOIN merge_model AS m ON t.model_id = m.other_id
INNER JOIN main.model_alias AS a ON t.alias = a.alias AND m.id <> a.model_id
INNER JOIN main.model AS h ON m.id = h.model_id
ORDER BY 1

-- What differs between two warehouses and keeps none from the other, as texts: no score rests on
-- it, or what is here holds. After the merge_… tables were made, and before anything came over.

-- name: runs_out_here
SELECT printf('run %s of %s on %s: is there already, and out of the views here', r.label, m.name, d.name)
FROM merge_run AS r
INNER JOIN main.run AS h ON r.id = h.run_id
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
WHERE NOT r.is_new AND r.is_live AND (h.superseded_by IS NOT NULL OR h.retracted_at IS NOT NULL)
ORDER BY 1

-- name: runs_out_there
SELECT printf('run %s of %s on %s: is out of the views there, and counts here', h.label, m.name, d.name)
FROM merge_run AS r
INNER JOIN main.run AS h ON r.id = h.run_id AND h.superseded_by IS NULL AND h.retracted_at IS NULL
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
WHERE NOT r.is_new
GROUP BY h.run_id, h.label, m.name, d.name
HAVING NOT bool_or(r.is_live)
ORDER BY 1

-- name: renamed_runs
SELECT
    printf(
        'run %s of %s on %s: is run %s of %s here; its name here holds', o.label, t.name, d.name, h.label, m.name
    )
FROM merge_run AS r
INNER JOIN the_other.main.run AS o ON r.other_id = o.run_id
INNER JOIN the_other.main.model AS t ON o.model_id = t.model_id
INNER JOIN main.run AS h ON r.id = h.run_id
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
WHERE NOT r.is_new AND (r.model_id <> h.model_id OR o.label <> h.label)
ORDER BY 1

-- name: judgments_left
SELECT
    printf(
        'judge %s: is retracted there and counts here; %s judgments are left there',
        h.name, format('{:,}', count(*))
    )
FROM the_other.main.judgment AS g
INNER JOIN merge_judge AS j ON g.judge_id = j.other_id AND NOT j.is_new
INNER JOIN main.judge AS h ON j.id = h.judge_id
ANTI JOIN merge_judgment AS k ON g.judgment_id = k.other_id
GROUP BY h.judge_id, h.name
ORDER BY h.name

-- name: spellings
WITH pairs AS (
    SELECT q.id AS question_id, q.other_id, m.text, o.text AS other_text
    FROM merge_question AS q
    INNER JOIN main.question AS m ON q.id = m.question_id
    INNER JOIN the_other.main.question AS o ON q.other_id = o.question_id
    WHERE NOT q.is_new AND m.text <> '' AND o.text <> ''
),

counted AS (
    SELECT 1 AS place, 'question texts' AS what, count(*) AS n
    FROM pairs
    WHERE text <> other_text
    UNION ALL
    SELECT 2 AS place, 'choices' AS what, count(*) AS n
    FROM pairs AS p
    INNER JOIN main.choice AS h ON p.question_id = h.question_id
    INNER JOIN the_other.main.choice AS t
        ON p.other_id = t.question_id AND h.pass = t.pass AND h.label = t.label
    WHERE h.text <> t.text
    UNION ALL
    SELECT 3 AS place, 'references' AS what, count(*) AS n
    FROM pairs AS p
    INNER JOIN the_other.main.reference_answer AS t ON p.other_id = t.question_id
    WHERE
        p.question_id IN (SELECT question_id FROM main.reference_answer)
        AND (p.question_id, t.text) NOT IN (SELECT (question_id, text) FROM main.reference_answer)
)

SELECT
    'spelled otherwise there, and those here hold: '
    || string_agg(format('{:,} {}', n, CASE WHEN n = 1 THEN rtrim(what, 's') ELSE what END), ', ' ORDER BY place)
FROM counted
WHERE n > 0
HAVING count(*) > 0

-- name: respelled_judgments
SELECT format(
        CASE
            WHEN count(*) = 1 THEN '{:,} judgment of what is spelled otherwise there holds for the spelling here'
            ELSE '{:,} judgments of what is spelled otherwise there hold for the spelling here'
        END,
        count(*)
    )
FROM merge_judgment
WHERE is_new AND is_respelled
HAVING count(*) > 0

-- name: attributes
WITH here AS (
    SELECT question_id, name, string_agg(value, ', ' ORDER BY value) AS shown
    FROM main.question_attribute
    WHERE question_id IN (SELECT id FROM merge_question WHERE NOT is_new)
    GROUP BY question_id, name
),

there AS (
    SELECT q.id AS question_id, a.name, string_agg(a.value, ', ' ORDER BY a.value) AS shown
    FROM the_other.main.question_attribute AS a
    INNER JOIN merge_question AS q ON a.question_id = q.other_id AND NOT q.is_new
    GROUP BY q.id, a.name
),

differing AS (
    SELECT question_id, name, here.shown AS ours, there.shown AS theirs
    FROM here
    INNER JOIN there USING (question_id, name)
    WHERE plain_text(here.shown) IS DISTINCT FROM plain_text(there.shown)
)

SELECT
    format(
        CASE
            WHEN count(*) = 1 THEN '{:,} attribute of a question is another there, as '
            ELSE '{:,} attributes of questions are others there, as '
        END,
        count(*)
    )
    || arg_min(
        printf('%s of question %s of %s: %s here, %s there', f.name, q.question_key, d.name, f.ours, f.theirs),
        (d.name, q.question_id, f.name)
    )
    || '; those here hold'
FROM differing AS f
INNER JOIN main.question AS q ON f.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
HAVING count(*) > 0

-- name: images
WITH here AS (
    SELECT question_id, list(sha256 ORDER BY ordinal) AS images
    FROM main.question_image
    WHERE question_id IN (SELECT id FROM merge_question WHERE NOT is_new)
    GROUP BY question_id
),

there AS (
    SELECT q.id AS question_id, list(i.sha256 ORDER BY i.ordinal) AS images
    FROM the_other.main.question_image AS i
    INNER JOIN merge_question AS q ON i.question_id = q.other_id AND NOT q.is_new
    GROUP BY q.id
)

SELECT
    format(
        CASE
            WHEN count(*) = 1 THEN '{:,} question has other images there, as '
            ELSE '{:,} questions have other images there, as '
        END,
        count(*)
    )
    || arg_min(printf('question %s of %s', q.question_key, d.name), (d.name, q.question_id))
    || '; those here hold'
FROM here
INNER JOIN there USING (question_id)
INNER JOIN main.question AS q ON here.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE here.images <> there.images
HAVING count(*) > 0

-- name: model_facts
WITH here AS (
    SELECT f.* EXCLUDE (source_id, superseded_by)
    FROM main.model_fact AS f
    WHERE f.superseded_by IS NULL
),

there AS (
    SELECT f.* EXCLUDE (source_id, superseded_by) REPLACE (m.id AS model_id)
    FROM the_other.main.model_fact AS f
    INNER JOIN merge_model AS m ON f.model_id = m.other_id AND NOT m.is_new
    WHERE f.superseded_by IS NULL
)

SELECT
    format(
        'the facts of {:,} {} are others there, as of ', count(*), CASE WHEN count(*) = 1 THEN 'model' ELSE 'models' END
    )
    || min(m.name)
    || '; those here hold'
FROM here
INNER JOIN there ON here.model_id = there.model_id
INNER JOIN main.model AS m ON here.model_id = m.model_id
WHERE here IS DISTINCT FROM there
HAVING count(*) > 0

-- name: inputs
SELECT
    printf(
        'run %s of %s on %s: has the input %s here and %s there; that here holds',
        h.label, m.name, d.name, i.input, t.input
    )
FROM the_other.main.run_input AS t
INNER JOIN merge_run AS r ON t.run_id = r.other_id AND NOT r.is_new
INNER JOIN main.run_input AS i ON r.id = i.run_id
INNER JOIN main.run AS h ON r.id = h.run_id
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
WHERE i.input <> t.input
ORDER BY 1

-- name: thinking
SELECT
    printf(
        'run %s of %s on %s: marks thinking as %s here and %s there; what is here holds',
        h.label, m.name, d.name, i.marks, t.marks
    )
FROM the_other.main.run_thinking AS t
INNER JOIN merge_run AS r ON t.run_id = r.other_id AND NOT r.is_new
INNER JOIN main.run_thinking AS i ON r.id = i.run_id
INNER JOIN main.run AS h ON r.id = h.run_id
INNER JOIN main.model AS m ON h.model_id = m.model_id
INNER JOIN main.dataset AS d ON h.dataset_id = d.dataset_id
WHERE i.marks <> t.marks
ORDER BY 1

-- name: label_plans
SELECT
    printf(
        'the label plan %d of judge %s on %s comes from there: it is the latest, and holds',
        p.id, h.name, b.name
    )
FROM merge_plan AS p
INNER JOIN the_other.main.label_plan AS o ON p.other_id = o.plan_id
INNER JOIN merge_judge AS j ON o.judge_id = j.other_id
INNER JOIN merge_benchmark AS k ON o.benchmark_id = k.other_id
INNER JOIN main.label_plan AS l ON j.id = l.judge_id AND k.id = l.benchmark_id
INNER JOIN main.judge AS h ON j.id = h.judge_id
INNER JOIN main.benchmark AS b ON k.id = b.benchmark_id
WHERE p.is_new
GROUP BY p.id, h.name, b.name
ORDER BY p.id

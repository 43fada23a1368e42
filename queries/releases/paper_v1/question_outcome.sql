-- How the questions of each run came out by the rules alone, those that came out alike counted together: what boards add up, in many times fewer rows than there are questions. One row per run, set of questions (see question_set) and counts. Where that is not enough, each question keeps a row of its own per sample: in runs with several samples, and where a judge can tell more.
-- @set_id The set, named after its first question.
-- @question_id The question, where it has a row of its own; else NULL.
-- @sample Its sample.
-- @n_questions How many questions came out so.
-- @n_answered Passes with an answer; like the other counts, as in question_tally.
WITH judges AS (
    SELECT count(*) AS n_judges
    FROM judge_asked
    WHERE task = 'choice_extraction'
),

sampled AS (
    SELECT
        r.run_id,
        r.dataset_id,
        CASE WHEN count(*) > 1 THEN 1 ELSE 0 END AS is_repeated
    FROM current_run AS r
    INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
    WHERE r.task = 'choice'
    GROUP BY r.run_id, r.dataset_id
),

placed AS (
    SELECT
        t.run_id,
        q.set_id,
        CASE WHEN r.is_repeated = 1 OR (t.n_open > 0 AND j.n_judges > 0) THEN t.question_id END AS question_id,
        CASE WHEN r.is_repeated = 1 OR (t.n_open > 0 AND j.n_judges > 0) THEN t.sample END AS sample,
        t.n_answered,
        t.n_right,
        t.first_answered,
        t.first_right
    FROM pass_tally AS t
    INNER JOIN question_set AS q ON t.question_id = q.question_id
    INNER JOIN sampled AS r ON t.run_id = r.run_id
    CROSS JOIN judges AS j
),

answered AS (
    SELECT
        run_id,
        set_id,
        question_id,
        sample,
        n_answered,
        n_right,
        first_answered,
        first_right,
        count(*) AS n_questions
    FROM placed
    GROUP BY run_id, set_id, question_id, sample, n_answered, n_right, first_answered, first_right
),

set_size AS (
    SELECT
        dataset_id,
        set_id,
        count(*) AS n_questions
    FROM question_set
    GROUP BY dataset_id, set_id
),

-- Every question of the dataset, less those with an answer.
due AS (
    SELECT
        r.run_id,
        q.set_id,
        CAST(NULL AS INTEGER) AS question_id,
        CAST(NULL AS SMALLINT) AS sample,
        q.n_questions
    FROM sampled AS r
    INNER JOIN set_size AS q ON r.dataset_id = q.dataset_id
    WHERE r.is_repeated = 0
    UNION ALL
    SELECT
        r.run_id,
        q.set_id,
        q.question_id,
        s.sample,
        1 AS n_questions
    FROM sampled AS r
    INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
    INNER JOIN question_set AS q ON r.dataset_id = q.dataset_id
    WHERE r.is_repeated = 1
    UNION ALL
    SELECT
        a.run_id,
        a.set_id,
        CASE WHEN r.is_repeated = 1 THEN a.question_id END AS question_id,
        CASE WHEN r.is_repeated = 1 THEN a.sample END AS sample,
        -a.n_questions AS n_questions
    FROM answered AS a
    INNER JOIN sampled AS r ON a.run_id = r.run_id
),

outcome AS (
    SELECT
        run_id,
        set_id,
        question_id,
        sample,
        n_answered,
        n_right,
        first_answered,
        first_right,
        n_questions
    FROM answered
    UNION ALL
    SELECT
        run_id,
        set_id,
        question_id,
        sample,
        0 AS n_answered,
        0 AS n_right,
        0 AS first_answered,
        0 AS first_right,
        CAST(sum(n_questions) AS BIGINT) AS n_questions
    FROM due
    GROUP BY run_id, set_id, question_id, sample
    HAVING sum(n_questions) > 0
)

SELECT
    o.run_id,
    o.set_id,
    o.question_id,
    o.sample,
    q.n_expected,
    q.n_first,
    q.n_hidden,
    q.n_first_hidden,
    o.n_answered,
    o.n_right,
    o.first_answered,
    o.first_right,
    o.n_questions
FROM outcome AS o
INNER JOIN question_set AS q ON o.set_id = q.question_id

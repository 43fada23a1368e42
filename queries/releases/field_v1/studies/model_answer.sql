-- Each model's latest run that saw the questions with their images, and those that saw the text
-- alone: its score of each question, over samples and judge samples, and what pass 0 of its first
-- sample was taken for. One row per run, question and judge, where the score is known.
-- @internal
-- @is_blind Whether the model saw the question alone (main.run_input).
-- @points The run's score over all its questions, added up.
-- @n_questions Its questions whose score is known.
-- @n_unknown Its questions whose score is not: verdicts are pending, or answers hidden.
WITH inputs AS (
    SELECT
        r.run_id, coalesce(i.input, 'image') = 'text' AS is_blind,
        row_number() OVER (
            PARTITION BY r.model_id, r.dataset_id, coalesce(i.input, 'image')
            ORDER BY coalesce(r.produced_at, r.ingested_at) DESC, r.run_id DESC
        ) AS place
    FROM current_run AS r
    LEFT JOIN main.run_input AS i USING (run_id)
),

given AS (
    SELECT *
    FROM answer_score
),

first_sample AS (
    SELECT run_id, judge, min(sample) AS sample, min(judge_sample) AS judge_sample
    FROM given
    GROUP BY run_id, judge
),

averaged AS (
    SELECT
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.question_key, a.judge,
        a.strategy, i.is_blind,
        max(CASE WHEN a.sample = f.sample AND a.judge_sample = f.judge_sample THEN a.predicted END) AS predicted,
        max(a.answer) AS answer,
        CASE WHEN count(a.score) = count(*) THEN avg(a.score) END AS score
    FROM given AS a
    INNER JOIN inputs AS i USING (run_id)
    INNER JOIN first_sample AS f USING (run_id, judge)
    WHERE i.place = 1
    GROUP BY
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.question_key, a.judge, a.strategy, i.is_blind
),

summed AS (
    SELECT
        *, sum(score) OVER (PARTITION BY run_id, judge) AS points,
        count(score) OVER (PARTITION BY run_id, judge) AS n_questions,
        count(*) OVER (PARTITION BY run_id, judge) AS n_all
    FROM averaged
)

SELECT * EXCLUDE (n_all), n_all - n_questions AS n_unknown
FROM summed
WHERE score IS NOT NULL

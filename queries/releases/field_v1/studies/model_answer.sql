-- Each model's latest run that saw the questions with their images, and those that saw the text
-- alone: its score of each question, over samples and judge samples, and what pass 0 of its first
-- sample was taken for. One row per run, question and judge, where the score is known.
-- @internal
-- @is_blind Whether the model saw the question alone (main.run_input).
-- @points The run's score over all its questions, added up.
WITH inputs AS (
    SELECT
        r.run_id,
        coalesce(i.input, 'image') = 'text' AS is_blind,
        row_number() OVER (
            PARTITION BY r.model_id, r.dataset_id, coalesce(i.input, 'image')
            ORDER BY coalesce(r.produced_at, r.ingested_at) DESC, r.run_id DESC
        ) AS place
    FROM current_run AS r
    LEFT JOIN main.run_input AS i ON r.run_id = i.run_id
),

averaged AS (
    SELECT
        a.run_id,
        a.model,
        a.dataset,
        a.dataset_id,
        a.question_id,
        a.question_key,
        a.judge,
        a.strategy,
        i.is_blind,
        max(CASE WHEN a.sample = 0 AND a.judge_sample = 0 THEN a.predicted END) AS predicted,
        max(a.answer) AS answer,
        avg(a.score) AS score
    FROM answer_score AS a
    INNER JOIN inputs AS i ON a.run_id = i.run_id
    WHERE i.place = 1
    GROUP BY
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.question_key, a.judge, a.strategy, i.is_blind
    HAVING count(a.score) = count(*)
)

SELECT
    *,
    sum(score) OVER (PARTITION BY run_id, judge) AS points,
    count(*) OVER (PARTITION BY run_id, judge) AS n_questions
FROM averaged

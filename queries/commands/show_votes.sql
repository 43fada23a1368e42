-- The label that two models at least, and more than the key, name, each by pass 0 of the first
-- answer of its latest run with the images; no row where the key has as many. The view
-- suspect_answer weighs the models in addition, and reads all of their answers for that.
WITH said AS (
    SELECT
        p.judge,
        CASE WHEN p.resolved_by <> 'random' THEN p.predicted END AS predicted,
        p.answer,
        row_number() OVER (PARTITION BY p.run_id, p.judge ORDER BY p.sample, p.judge_sample) AS place
    FROM pass_result AS p
    INNER JOIN current_run AS r ON p.run_id = r.run_id
    LEFT JOIN main.run_input AS i ON p.run_id = i.run_id
    WHERE
        p.question_id = $question_id
        AND p.pass = 0
        AND p.answer IS NOT NULL
        AND r.task = 'choice'
        AND r.is_latest
        AND coalesce(i.input, 'image') <> 'text'
),

votes AS (
    SELECT judge, predicted, answer, count(*) AS n_models
    FROM said
    WHERE place = 1 AND predicted <> 'X'
    GROUP BY judge, predicted, answer
),

counted AS (
    SELECT
        judge, answer, predicted AS other, n_models AS n_for_other,
        sum(n_models) OVER (PARTITION BY judge) AS n_models,
        sum(CASE WHEN predicted = answer THEN n_models ELSE 0 END) OVER (PARTITION BY judge) AS n_for_key
    FROM votes
)

SELECT
    judge, answer, other, CAST(n_models AS BIGINT) AS n_models,
    CAST(n_for_key AS BIGINT) AS n_for_key, n_for_other
FROM counted
WHERE other <> answer AND n_for_other > n_for_key AND n_for_other > 1
ORDER BY n_for_other - n_for_key DESC, judge, other
LIMIT 1

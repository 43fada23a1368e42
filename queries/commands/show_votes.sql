-- The label that more models name than the key, each by pass 0 of its latest run with the images;
-- no row where the key has as many. The view suspect_answer weighs the models in addition, and
-- reads all of their answers for that.
WITH votes AS (
    SELECT
        p.judge,
        p.predicted,
        p.answer,
        count(*) AS n_models
    FROM pass_result AS p
    INNER JOIN current_run AS r ON p.run_id = r.run_id
    LEFT JOIN main.run_input AS i ON p.run_id = i.run_id
    WHERE
        p.question_id = $question_id
        AND p.pass = 0
        AND p.sample = 0
        AND p.judge_sample = 0
        AND p.predicted IS NOT NULL
        AND p.predicted <> 'X'
        AND p.answer IS NOT NULL
        AND r.task = 'choice'
        AND r.is_latest
        AND coalesce(i.input, 'image') <> 'text'
    GROUP BY p.judge, p.predicted, p.answer
),

counted AS (
    SELECT
        judge,
        answer,
        predicted AS other,
        n_models AS n_for_other,
        sum(n_models) OVER (PARTITION BY judge) AS n_models,
        sum(CASE WHEN predicted = answer THEN n_models ELSE 0 END) OVER (PARTITION BY judge) AS n_for_key
    FROM votes
)

SELECT
    judge,
    answer,
    other,
    CAST(n_models AS BIGINT) AS n_models,
    CAST(n_for_key AS BIGINT) AS n_for_key,
    n_for_other
FROM counted
WHERE other <> answer AND n_for_other > n_for_key
ORDER BY n_for_other - n_for_key DESC, judge, other
LIMIT 1

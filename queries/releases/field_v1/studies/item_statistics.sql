-- What the models make of each question: how hard it is, whether it parts the better models from
-- the others, whether it can be answered blind, and how far judges differ on it. Over each model's
-- latest run with the images. One row per dataset, question and judge.
-- @n_models Models with a score.
-- @share_right Mean score over the models.
-- @item_rest Pearson's correlation, over models, of the score of this question with the mean of the
--   others that are known; NULL: one of the two is the same for all models.
-- @n_blind Runs that saw the question alone (main.run_input).
-- @blind_right Mean score over these; NULL: there are none.
-- @top_wrong The wrong label that most of the better half of the models name; NULL: none, or no
--   labels.
-- @top_wrong_share Share of the better half that name it.
-- @judge_spread How far the share right is apart between judges, neither none nor a person, over
--   the models that all of those with a score of the question have one of; NULL: there is one such
--   judge at most, or no such model.
WITH given AS (
    SELECT *
    FROM model_answer
),

seen AS (
    SELECT
        *,
        -- Where verdicts are pending, a model is seen by what is known of it.
        CASE
            WHEN n_questions = max(n_questions) OVER (PARTITION BY dataset_id, judge) THEN points - score
            ELSE (points - score) / nullif(n_questions - 1, 0)
                * (max(n_questions) OVER (PARTITION BY dataset_id, judge) - 1)
        END AS rest,
        rank() OVER (
            PARTITION BY dataset_id, judge, question_id ORDER BY round(points / n_questions, 12) DESC
        ) AS place,
        count(*) OVER (PARTITION BY dataset_id, judge, question_id) AS n_models
    FROM given
    WHERE NOT is_blind
),

summed AS (
    SELECT
        dataset, dataset_id, question_id, question_key, judge, count(*) AS n_models,
        avg(score) AS share_right, count(rest) AS n_rest,
        sum(CASE WHEN rest IS NOT NULL THEN score END) AS x,
        sum(CASE WHEN rest IS NOT NULL THEN score * score END) AS xx, sum(rest) AS y,
        sum(rest * rest) AS yy, sum(score * rest) AS xy
    FROM seen
    GROUP BY dataset, dataset_id, question_id, question_key, judge
),

blind AS (
    SELECT question_id, judge, count(*) AS n_blind, avg(score) AS blind_right
    FROM given
    WHERE is_blind
    GROUP BY question_id, judge
),

-- Of ties for the last place of the better half all are in it.
better AS (
    SELECT
        question_id, judge, predicted, answer,
        count(*) OVER (PARTITION BY question_id, judge) AS n_better
    FROM seen
    WHERE 2 * place <= n_models + 1
),

named AS (
    SELECT question_id, judge, predicted, count(*) AS n_named, max(n_better) AS n_better
    FROM better
    WHERE predicted <> answer AND predicted <> 'X'
    GROUP BY question_id, judge, predicted
),

wrong AS (
    SELECT
        question_id, judge, predicted, (1e0 * n_named) / n_better AS share,
        row_number() OVER (PARTITION BY question_id, judge ORDER BY n_named DESC, predicted) AS place
    FROM named
),

judged AS (
    SELECT
        s.question_id, s.judge, s.score,
        count(*) OVER (PARTITION BY s.question_id, s.run_id) AS n_judges
    FROM seen AS s
    INNER JOIN main.judge AS g ON s.judge = g.name
    WHERE g.kind <> 'human'
),

judges AS (
    SELECT question_id, count(DISTINCT judge) AS n_judges
    FROM judged
    GROUP BY question_id
    HAVING count(DISTINCT judge) > 1
),

shares AS (
    SELECT j.question_id, j.judge, avg(j.score) AS share
    FROM judged AS j
    INNER JOIN judges AS n USING (question_id, n_judges)
    GROUP BY j.question_id, j.judge
),

spread AS (
    SELECT question_id, max(share) - min(share) AS judge_spread
    FROM shares
    GROUP BY question_id
)

SELECT
    s.dataset, s.dataset_id, s.question_id, s.question_key, s.judge, s.n_models, s.share_right,
    CASE
        -- What rounding leaves of no spread is none.
        WHEN s.n_rest * s.xx - s.x * s.x > 1e-9 AND s.n_rest * s.yy - s.y * s.y > 1e-9
            THEN (s.n_rest * s.xy - s.x * s.y)
                / sqrt((s.n_rest * s.xx - s.x * s.x) * (s.n_rest * s.yy - s.y * s.y))
    END AS item_rest,
    coalesce(b.n_blind, 0) AS n_blind, b.blind_right, w.predicted AS top_wrong,
    w.share AS top_wrong_share, d.judge_spread
FROM summed AS s
LEFT JOIN spread AS d USING (question_id)
LEFT JOIN blind AS b USING (question_id, judge)
LEFT JOIN wrong AS w ON s.question_id = w.question_id AND s.judge = w.judge AND w.place = 1

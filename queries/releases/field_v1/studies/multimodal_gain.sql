-- What the image is worth to a model, and how much of the dataset it may have seen (Chen et al.,
-- MMStar, arXiv 2403.20330, Section 3.3): the gain is the score with the image less the one
-- without, the leakage what the model knows without the image more than the language model that it
-- is made of. From each model's latest run with the images and the one with the text alone
-- (main.run_input). One row per model, dataset and judge with both; what is not known is NULL.
-- @score_image The score with the image; NULL: verdicts are pending. So are those below.
-- @score_text The score with the question alone.
-- @language_model What the model is made of (main.model_fact); NULL: not known.
-- @score_language The score of that one, with the question alone; NULL: it has no run, or verdicts
--   are pending.
-- @gain score_image less score_text.
-- @leakage score_text less score_language, and not below 0; NULL: the latter is not known.
WITH scored AS (
    SELECT
        model, dataset, dataset_id, judge, is_blind,
        -- As boards have it: over all questions, or not known.
        CASE WHEN max(n_unknown) = 0 THEN avg(score) END AS score
    FROM model_answer
    GROUP BY model, dataset, dataset_id, judge, is_blind
),

made_of AS (
    SELECT m.name AS model, f.language_backbone
    FROM main.model AS m
    INNER JOIN main.model_fact AS f USING (model_id)
    WHERE f.superseded_by IS NULL
)

SELECT
    s.model, s.dataset, s.dataset_id, s.judge, s.score AS score_image, t.score AS score_text,
    f.language_backbone AS language_model, l.score AS score_language, s.score - t.score AS gain,
    CASE WHEN t.score > l.score THEN t.score - l.score WHEN t.score <= l.score THEN 0.0 END AS leakage
FROM scored AS s
INNER JOIN scored AS t
    ON s.model = t.model AND s.dataset_id = t.dataset_id AND s.judge = t.judge AND t.is_blind
LEFT JOIN made_of AS f ON s.model = f.model
LEFT JOIN scored AS l
    ON f.language_backbone = l.model AND s.dataset_id = l.dataset_id AND s.judge = l.judge AND l.is_blind
WHERE NOT s.is_blind

-- How much there is.
SELECT
    (SELECT count(*) FROM main.source) AS sources, (SELECT count(*) FROM main.model) AS models,
    (SELECT count(*) FROM main.run) AS runs,
    (SELECT count(*) FROM main.run WHERE superseded_by IS NOT NULL OR retracted_at IS NOT NULL)
        AS "runs out of the views",
    (SELECT count(*) FROM main.prediction) AS predictions,
    (SELECT count(*) FROM main.choice_score) AS "choice scores",
    (SELECT count(*) FROM main.judgment) AS judgments

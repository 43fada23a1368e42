-- Whether a text is right on MVBench, whose questions have choices: as the label that the
-- release's matcher found. NULL: it found none.
CREATE MACRO mvbench_score(text, answer_text, label, matched) AS
CAST(
    CASE WHEN matched = label THEN 1.0 WHEN matched IS NOT NULL THEN 0.0 END
    AS DOUBLE
)

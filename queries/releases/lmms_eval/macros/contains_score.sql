-- Whether one of the references is contained in a text, both normalised (tasks/ocrbench/utils.py).
-- An empty reference is in every text.
CREATE MACRO contains_score(text, answers, normaliser) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE
                    WHEN contains(contained_text(text, normaliser), contained_text(a_, normaliser)) THEN 1.0
                    ELSE 0.0
                END
        )
    )
    AS DOUBLE
)

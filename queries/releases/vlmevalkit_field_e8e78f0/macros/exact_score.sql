-- Whether a text is one of the references, both normalised; a blank text is the text nan by then,
-- and read.
CREATE MACRO exact_score(text, answers, normaliser) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE WHEN exact_text(text, normaliser) = exact_text(a_, normaliser) THEN 1.0 ELSE 0.0 END
        )
    )
    AS DOUBLE
)

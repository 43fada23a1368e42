-- Whether a text is one of the references, both normalised (OCR-VQA, Mishra et al. 2019, Section
-- 6, and GQA, eval.py, whose answers are in lower case: equality). NULL: a blank text.
CREATE MACRO exact_score(text, answers, normaliser) AS
CAST(
    CASE
        WHEN stripped(text) <> ''
            THEN list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE WHEN exact_text(text, normaliser) = exact_text(a_, normaliser) THEN 1.0 ELSE 0.0 END
                )
            )
    END
    AS DOUBLE
)

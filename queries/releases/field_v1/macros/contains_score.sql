-- Whether one of the references is contained in a text, both normalised (OCRBench, arXiv
-- 2305.07895, Section 3; Yuliang-Liu/MultimodalOCR, example.py). A reference without a character
-- is in no text. NULL: a blank text.
CREATE MACRO contains_score(text, answers, normaliser) AS
CAST(
    CASE
        WHEN stripped(text) <> ''
            THEN list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE
                            WHEN contained_text(a_, normaliser) = '' THEN 0.0
                            WHEN
                                contains(
                                    contained_text(text, normaliser), contained_text(a_, normaliser)
                                )
                                THEN 1.0
                            ELSE 0.0
                        END
                )
            )
    END
    AS DOUBLE
)

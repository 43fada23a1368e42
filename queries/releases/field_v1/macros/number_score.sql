-- Relaxed accuracy (ChartQA, arXiv 2203.10244, Section 5.1; its script is relaxed_correctness of
-- google-research/pix2struct): numbers are right within a share of the reference, both ends
-- included; other texts where they are equal without regard to case. The best of several
-- references counts. A reference of 0 wants a 0, however it is written. NULL: a blank text.
CREATE MACRO number_score(text, answers, tolerance) AS
CAST(
    CASE
        WHEN stripped(text) <> ''
            THEN list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE
                            WHEN python_lower(stripped(text)) = python_lower(stripped(a_)) THEN 1.0
                            ELSE coalesce(
                                number_is_near(plain_number(text), plain_number(a_), tolerance), 0.0
                            )
                        END
                )
            )
    END
    AS DOUBLE
)

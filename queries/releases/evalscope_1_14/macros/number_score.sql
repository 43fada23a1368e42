-- Relaxed accuracy (evalscope 1.14, chartqa): two numbers, of which percent signs make hundredths,
-- within a share of the reference; other texts where they are equal in lower case.
CREATE MACRO number_score(text, answers, tolerance) AS
list_max(
    list_transform(
        answers,
        lambda a_:
            CASE
                WHEN percent_float(text) IS NOT NULL AND percent_float(a_) IS NOT NULL
                    THEN number_is_near(percent_float(text), percent_float(a_), tolerance)
                WHEN python_lower(text) = python_lower(a_) THEN 1.0
                ELSE 0.0
            END
    )
)

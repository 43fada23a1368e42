-- Whether a mathematical answer is right (MATH-Vision, arXiv 2402.14804): the same text without
-- LaTeX's wrappers, or a number within a millionth. NULL: one of them is none that can be read
-- here, and a program or a judge has to say whether they are equal.
CREATE MACRO math_score(text, answers) AS
CAST(
    CASE
        WHEN stripped(text) = '' THEN NULL
        WHEN
            list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE
                            WHEN python_lower(math_core(a_)) = python_lower(math_core(text)) THEN 1.0
                            WHEN abs(math_number(math_core(a_)) - math_number(math_core(text))) < 0.000001
                                THEN 1.0
                            ELSE 0.0
                        END
                )
            ) = 1.0
            THEN 1.0
        WHEN
            math_number(math_core(text)) IS NOT NULL
            AND array_length(list_filter(answers, lambda b_: math_number(math_core(b_)) IS NULL)) = 0
            THEN 0.0
    END
    AS DOUBLE
)

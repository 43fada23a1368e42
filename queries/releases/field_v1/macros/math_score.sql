-- Whether a mathematical answer is right (MATH-Vision, arXiv 2402.14804): the same text without
-- LaTeX's wrappers, or a number within a millionth. NULL: one of them is none that can be read
-- here, and a program or a judge has to say whether they are equal.
CREATE MACRO math_score(text, answers) AS
CAST(
    list_max(
        list_transform(
            list_transform([text], lambda s_: math_core(s_)),
            lambda t_:
                list_max(
                    list_transform(
                        [list_transform(answers, lambda a_: math_core(a_))],
                        lambda c_:
                            CASE
                                WHEN stripped(text) = '' THEN NULL
                                WHEN
                                    array_length(
                                        list_filter(c_, lambda x_: python_lower(x_) = python_lower(t_))
                                    ) > 0
                                    THEN 1.0
                                ELSE list_max(
                                    list_transform(
                                        [list_transform(c_, lambda b_: math_number(b_))],
                                        lambda n_:
                                            CASE
                                                WHEN
                                                    array_length(
                                                        list_filter(
                                                            n_, lambda z_: abs(z_ - math_number(t_)) < 0.000001
                                                        )
                                                    ) > 0
                                                    THEN 1.0
                                                WHEN
                                                    math_number(t_) IS NOT NULL
                                                    AND array_length(list_filter(n_, lambda m_: m_ IS NULL)) = 0
                                                    THEN 0.0
                                            END
                                    )
                                )
                            END
                    )
                )
        )
    )
    AS DOUBLE
)

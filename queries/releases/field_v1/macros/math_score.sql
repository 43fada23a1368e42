-- Whether a mathematical answer is right (MATH-Vision, arXiv 2402.14804): the same text without
-- LaTeX's wrappers, or a number within a millionth. NULL: one of them is none that can be read
-- here, and a program or a judge has to say whether they are equal.
CREATE MACRO math_score(text, answers) AS
CAST(
    list_max(
        list_transform(
            -- The text's own first.
            list_transform([[text] || answers], lambda t_: list_transform(t_, lambda a_: math_core(a_))),
            lambda c_:
                list_max(
                    list_transform(
                        [list_transform(c_, lambda b_: math_number(b_))],
                        lambda n_:
                            CASE
                                WHEN stripped(text) = '' OR answers IS NULL THEN NULL
                                WHEN
                                    array_length(
                                        list_filter(
                                            list_transform(c_, lambda x_: python_lower(x_)),
                                            lambda y_: y_ = python_lower(c_[1])
                                        )
                                    ) > 1
                                    THEN 1.0
                                WHEN
                                    array_length(list_filter(n_, lambda z_: abs(z_ - n_[1]) < 0.000001)) > 1
                                    THEN 1.0
                                WHEN array_length(list_filter(n_, lambda m_: m_ IS NULL)) = 0 THEN 0.0
                            END
                    )
                )
        )
    )
    AS DOUBLE
)

-- Whether a mathematical answer is right, as the peer has it (utils/mathv.py, is_equal): the same
-- text, or what Python or latex2sympy makes a number of within a millionth: decimals, fractions,
-- powers, products. Roots and pi it evaluates in no way that works. The letter A is equal to any
-- number, as the peer evaluates it as the name of the other side.
CREATE MACRO math_score(text, answers) AS
CAST(
    CASE
        WHEN
            list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE
                            WHEN stripped(python_lower(a_)) = stripped(python_lower(text)) THEN 1.0
                            WHEN abs(math_number(math_core(a_)) - math_number(math_core(text))) < 0.000001
                                THEN 1.0
                            WHEN
                                stripped(python_lower(text)) = 'a'
                                AND math_number(math_core(a_)) IS NOT NULL
                                THEN 1.0
                            ELSE 0.0
                        END
                )
            ) = 1.0
            THEN 1.0
        ELSE 0.0
    END
    AS DOUBLE
)

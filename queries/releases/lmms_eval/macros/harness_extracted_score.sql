-- Whether an extracted answer is right (tasks/mathvista/mathvista_evals.py,
-- normalize_extracted_answer and safe_equal): a whole number is cut to one; a number is rounded to
-- the precision of the question, which only works where that is a whole number itself: 1.0, as the
-- dataset has it, is an error to Python's round, and the answer is wrong then. Anything else is
-- compared as a text.
CREATE MACRO harness_extracted_score(text, answers, answer_type, decimals) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE
                    WHEN answer_type = 'integer'
                        THEN
                            CASE
                                WHEN python_int(a_) IS NULL OR python_int(a_) <> stripped(a_) THEN 0.0
                                WHEN
                                    python_float(a_) >= 0
                                    AND python_float(text) < python_float(a_) + 1
                                    AND (python_float(text) >= python_float(a_)
                                        OR (python_float(a_) = 0 AND python_float(text) > -1))
                                    THEN 1.0
                                WHEN
                                    python_float(a_) < 0
                                    AND python_float(text) > python_float(a_) - 1
                                    AND python_float(text) <= python_float(a_)
                                    THEN 1.0
                                ELSE 0.0
                            END
                    WHEN answer_type = 'float'
                        THEN
                            CASE
                                WHEN decimals IS NULL OR contains(decimals, '.') THEN 0.0
                                WHEN
                                    abs(python_float(text) - python_float(a_))
                                    <= half_unit(python_float(decimals))
                                    THEN 1.0
                                ELSE 0.0
                            END
                    WHEN stripped(text) = stripped(a_) THEN 1.0
                    ELSE 0.0
                END
        )
    )
    AS DOUBLE
)

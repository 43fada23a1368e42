-- Whether an extracted answer is right, as the peer has it (utils/mathvista.py, post_check): what
-- int() or float() makes of both is equal, whatever the precision. A text or a list never is, as
-- the peer compares the word None.
CREATE MACRO extracted_score(text, answers, answer_type, decimals) AS
CAST(
    CASE
        WHEN array_length(answers) > 0
            THEN list_max(
                list_transform(
                    answers,
                    lambda a_:
                        CASE
                            WHEN answer_type = 'integer' AND python_int(text) = python_int(a_) THEN 1.0
                            WHEN answer_type = 'float' AND is_same_float(python_float(text), python_float(a_))
                                THEN 1.0
                            WHEN answer_type NOT IN ('integer', 'float') AND a_ = 'None' THEN 1.0
                            ELSE 0.0
                        END
                )
            )
    END
    AS DOUBLE
)

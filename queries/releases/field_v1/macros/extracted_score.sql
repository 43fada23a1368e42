-- Whether an extracted answer is right (MathVista, arXiv 2310.02255, calculate_score.py): a whole
-- number or a number rounded to the precision is compared as a number, a text or a list as a text
-- without blanks. The script cuts 14.7 to the integer 14; here it is wrong. NULL: a blank text, or
-- no number where there should be one.
CREATE MACRO extracted_score(text, answers, answer_type, decimals) AS
CAST(
    CASE
        WHEN stripped(text) = '' THEN NULL
        WHEN answer_type IN ('integer', 'float')
            THEN
                CASE
                    WHEN plain_number(text) IS NOT NULL
                        THEN list_max(
                            list_transform(
                                answers,
                                lambda a_:
                                    CASE
                                        WHEN plain_number(a_) = plain_number(text) THEN 1.0
                                        WHEN
                                            answer_type = 'float'
                                            AND abs(plain_number(a_) - plain_number(text))
                                            <= half_unit(decimals)
                                            THEN 1.0
                                        ELSE 0.0
                                    END
                            )
                        )
                END
        ELSE list_max(
            list_transform(
                answers,
                lambda a_:
                    CASE
                        WHEN
                            replace(spaced(python_lower(text)), ' ', '')
                            = replace(spaced(python_lower(a_)), ' ', '')
                            THEN 1.0
                        ELSE 0.0
                    END
            )
        )
    END
    AS DOUBLE
)

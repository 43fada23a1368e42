-- Whether one text that an open answer states is one of the references: a number among its
-- numbers, other references within it; a single character needs a space before or after it, or to
-- be all of it.
CREATE MACRO open_part_score(part, answers) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE
                    WHEN plain_number(a_) IS NOT NULL
                        THEN
                            CASE
                                WHEN
                                    array_length(
                                        list_filter(
                                            number_texts(part),
                                            lambda n_: hundredths(n_) = hundredths(a_)
                                        )
                                    ) > 0
                                    OR hundredths(part) = hundredths(a_)
                                    THEN 1.0
                                ELSE 0.0
                            END
                    WHEN length(stripped(a_)) = 1
                        THEN
                            CASE
                                WHEN
                                    part = python_lower(stripped(a_))
                                    OR contains(part, ' ' || python_lower(stripped(a_)))
                                    OR contains(part, python_lower(stripped(a_)) || ' ')
                                    THEN 1.0
                                ELSE 0.0
                            END
                    WHEN stripped(a_) <> '' AND contains(part, python_lower(stripped(a_))) THEN 1.0
                    ELSE 0.0
                END
        )
    )
    AS DOUBLE
)

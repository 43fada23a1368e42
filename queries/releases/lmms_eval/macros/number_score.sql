-- Relaxed accuracy as the harness has it (tasks/chartqa/utils.py): numbers are what float() reads,
-- and a hundredth of it before percent signs; a reference of 0, or one that is no number, is
-- compared as a text without regard to case alone. What is not a number (nan) is never near
-- anything.
CREATE MACRO number_score(text, answers, tolerance) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE
                    WHEN percent_float(text) IS NOT NULL AND percent_float(a_) <> 0
                        THEN
                            CASE
                                WHEN
                                    abs(percent_float(text) - percent_float(a_)) / abs(percent_float(a_))
                                    <= tolerance
                                    THEN 1.0
                                ELSE 0.0
                            END
                    WHEN python_lower(text) = python_lower(a_) THEN 1.0
                    ELSE 0.0
                END
        )
    )
    AS DOUBLE
)

-- Whether an answer to RealWorldQA's questions without choices is the reference, without regard to
-- case, blanks at its ends and full stops behind it (tasks/realworldqa/utils.py).
CREATE MACRO direct_answer_score(text, answers) AS
CAST(
    list_max(
        list_transform(
            answers,
            lambda a_:
                CASE
                    WHEN
                        first_group(stripped(python_lower(text)), '(?s)^(.*[^.])[.]*$')
                        = python_lower(stripped(a_))
                        THEN 1.0
                    ELSE 0.0
                END
        )
    )
    AS DOUBLE
)

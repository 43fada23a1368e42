-- Whether an answer to one of MMMU's open questions is right, as the peer has it
-- (utils/multiple_choice.py, MMMU_preproc): the question becomes a choice between A, the reference
-- as one text, and B, 'Other Answers', and the choice matcher reads the answer. A is right; where
-- the reference is a capital letter, it is that letter, which only A and B can be. So a bare A is
-- right on nearly every question. NULL: the matcher reads neither, and a judge is asked.
CREATE MACRO open_answer_score(text, answers) AS
CAST(
    CASE
        WHEN array_length(answers) > 0
            THEN list_max(
                list_transform(
                    [python_list(answers)],
                    lambda r_:
                        CASE
                            WHEN two_choice_read(text, r_) IS NULL THEN NULL
                            WHEN
                                two_choice_read(text, r_)
                                = CASE WHEN regexp_matches('|' || r_ || '|', '[|][A-Z][|]') THEN r_ ELSE 'A' END
                                THEN 1.0
                            ELSE 0.0
                        END
                )
            )
    END
    AS DOUBLE
)

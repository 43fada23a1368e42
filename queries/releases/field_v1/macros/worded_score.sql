-- Whether an answer to a question without choices is right, among questions of choice: as
-- bare_score has it, and of a text that says more, right where it states a reference as MMMU reads
-- its open questions. Words such as true, and those of one or two characters, stand in too many
-- texts to be looked for. NULL: nothing of the kind can be read.
CREATE MACRO worded_score(text, answers) AS
coalesce(
    bare_score(text, answers),
    CASE
        WHEN
            array_length(
                list_filter(
                    answers,
                    lambda w_:
                        truth_opposite(w_) IS NOT NULL
                        OR (length(stripped(w_)) < 3 AND plain_number(w_) IS NULL)
                )
            ) = 0
            THEN nullif(open_answer_score(text, answers), 0.0)
    END
)

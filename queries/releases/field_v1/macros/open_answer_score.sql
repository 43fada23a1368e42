-- Whether an answer to one of MMMU's open questions is right (MMMU, eval_utils.py,
-- parse_open_response and eval_open): looked for in what follows words such as 'is' and 'answer'
-- in each line, or in all of it; numbers are compared in hundredths, other references have to be
-- contained. An equals sign counts in each line, and in the last alone to the script. NULL: a
-- blank text.
CREATE MACRO open_answer_score(text, answers) AS
CAST(
    CASE
        WHEN stripped(text) <> ''
            THEN list_max(
                list_transform(
                    open_keys(open_response(text)), lambda p_: open_part_score(p_, answers)
                )
            )
    END
    AS DOUBLE
)

-- Whether an answer to one of MMMU's open questions is right (tasks/mmmu/utils.py,
-- parse_open_response and eval_open): looked for in what follows words such as 'is' and 'answer' in
-- each line, and an equals sign in the last, or else in all of it. Several references are the one
-- text that the dataset writes, brackets and all, as the harness does not take it for a list.
CREATE MACRO open_answer_score(text, answers) AS
CAST(
    list_max(
        list_transform(
            list_response_keys(open_response(text)),
            lambda p_: open_part_score(p_, [python_list(answers)])
        )
    )
    AS DOUBLE
)

-- How many of the answers of annotators a text agrees with. All are worked out by one expression:
-- an engine plans a macro anew wherever it stands.
CREATE MACRO vqa_matches(text, answers) AS
list_max(
    list_transform(
        [list_transform([text] || answers, lambda a_: vqa_plain(a_))],
        lambda p_: array_length(list_filter(p_, lambda x_: x_ = p_[1])) - 1
    )
)

-- How many of the answers of annotators a text agrees with.
CREATE MACRO vqa_matches(text, answers) AS
list_max(
    list_transform(
        list_transform([text], lambda s_: vqa_plain(s_)),
        lambda t_: array_length(list_filter(list_transform(answers, lambda a_: vqa_plain(a_)), lambda x_: x_ = t_))
    )
)

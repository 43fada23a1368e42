-- How many of the answers of annotators a text agrees with. All of them are read in one list, and
-- in one place: the engine plans what stands in a lambda again for each lambda around it.
CREATE MACRO vqa_matches(text, answers) AS
list_max(
    list_transform(
        [list_transform(in_front(text, answers), lambda s_: vqa_plain(s_))],
        lambda r_: array_length(list_filter(r_, lambda x_: x_ = first_text(r_))) - 1
    )
)

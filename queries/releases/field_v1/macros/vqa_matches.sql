-- How many of the answers of annotators a text agrees with. Several annotators give the same
-- words, which are worked out once.
CREATE MACRO vqa_matches(text, answers) AS
list_max(
    list_transform(
        list_transform(
            [vqa_plain(text)],
            lambda t_: list_filter(distinct_texts(answers), lambda a_: vqa_plain(a_) = t_)
        ),
        lambda m_:
            array_length(
                list_filter(
                    answers, lambda x_: array_length(list_filter(m_, lambda y_: y_ = x_)) > 0
                )
            )
    )
)

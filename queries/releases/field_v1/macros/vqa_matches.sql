-- How many of the answers of annotators a text agrees with. All are in one text, with two spaces between
-- them as none of them has; so each is worked out once.
CREATE MACRO vqa_matches(text, answers) AS
list_max(
    list_transform(
        [
            vqa_plain(text)
            || '  '
            || array_to_string(list_transform(answers, lambda a_: vqa_plain(a_)), '  ')
        ],
        lambda j_:
            array_length(
                list_filter(
                    string_split(j_, '  '),
                    lambda x_: x_ = substr(j_, 1, strpos(j_, '  ') - 1)
                )
            )
            - 1
    )
)

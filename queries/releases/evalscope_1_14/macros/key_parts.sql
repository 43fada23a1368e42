-- What the sentences of a reply in Chinese state: what follows the last of some words in each
-- (evalscope 1.14, cmmmu); all of it where none has any.
CREATE MACRO key_parts(text, pattern) AS
list_max(
    list_transform(
        [
            list_filter(
                list_transform(
                    string_split(replace(text, decode(unhex('0A')), '。'), '。'),
                    lambda l_: stripped(first_group(l_, pattern))
                ),
                lambda k_: contains(':,.!?;''', k_) IS FALSE
            )
        ],
        lambda s_: CASE WHEN array_length(s_) > 0 THEN distinct_texts(s_) ELSE [stripped(text)] END
    )
)

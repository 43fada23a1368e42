-- The texts in which an open answer is looked for: what its lines state, or else all of it. The
-- last line ends in a character that is none (U+FDD1).
CREATE MACRO list_response_keys(response) AS
list_max(
    list_transform(
        [
            list_filter(
                list_transform(
                    string_split(replace(response || '﷑', decode(unhex('0A')), ' | '), ' | '),
                    lambda l_:
                        CASE
                            WHEN contains(l_, '﷑') THEN open_key(replace(l_, '﷑', ''))
                            ELSE worded_key(l_)
                        END
                ),
                lambda k_: k_ <> ''
            )
        ],
        lambda s_: CASE WHEN array_length(s_) > 0 THEN s_ ELSE [response] END
    )
)

-- The texts in which an open answer is looked for: what its lines state, or else all of it.
CREATE MACRO open_keys(response) AS
list_max(
    list_transform(
        [
            list_filter(
                list_transform(
                    string_split(replace(response, decode(unhex('0A')), ' | '), ' | '),
                    lambda l_: open_key(l_)
                ),
                lambda k_: k_ <> ''
            )
        ],
        lambda s_: CASE WHEN array_length(s_) > 0 THEN s_ ELSE [response] END
    )
)

-- The pattern of all phrases of a kind in languages that write no spaces, or join words to them.
CREATE MACRO phrases_within(kind) AS
('(?:' || array_to_string(
    list_transform(
        list_filter(phrases_listed(kind), lambda x_: split_part(x_, '¦', 2) IN ('zh', 'ja', 'ko', 'th')),
        lambda y_: split_part(y_, '¦', 3)
    ),
    '|'
) || ')')

-- The choices, by letter, that a mark stands before somewhere, as one text.
CREATE MACRO signs_with(signs, mark) AS
array_to_string(
    list_filter(
        [
            'Ⓐ', 'Ⓑ', 'Ⓒ', 'Ⓓ', 'Ⓔ', 'Ⓕ', 'Ⓖ', 'Ⓗ', 'Ⓘ', 'Ⓙ', 'Ⓚ', 'Ⓛ', 'Ⓜ',
            'Ⓝ', 'Ⓞ', 'Ⓟ', 'Ⓠ', 'Ⓡ', 'Ⓢ', 'Ⓣ', 'Ⓤ', 'Ⓥ', 'Ⓦ', 'Ⓧ', 'Ⓨ', 'Ⓩ'
        ],
        lambda x_: contains(signs, mark || x_)
    ),
    ''
)

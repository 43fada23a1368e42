-- The choices, by letter, that a mark stands before somewhere, as one text.
CREATE MACRO signs_with(signs, mark) AS
CASE
    -- Most lines have no such mark, and to look for each letter is slow.
    WHEN NOT contains(signs, mark) OR first_group(signs, '([Ⓐ-Ⓩ])') = '' THEN ''
    ELSE
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
END

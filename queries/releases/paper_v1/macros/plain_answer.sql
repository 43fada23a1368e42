-- An answer in words as exact match compares it: in lower case, with single spaces, none at the
-- ends,
-- and without one full stop at the end. The mark in between cannot be in the text: it is white
-- space.
CREATE MACRO plain_answer(answer) AS
replace(
    replace(
        replace(
            array_to_string(
                list_filter(string_split(spaced(python_lower(answer)), ' '), lambda x_: x_ <> ''), ' '
            ) || decode(unhex('1F')),
            '.' || decode(unhex('1F')), decode(unhex('1F'))
        ),
        ' ' || decode(unhex('1F')), decode(unhex('1F'))
    ),
    decode(unhex('1F')), ''
)

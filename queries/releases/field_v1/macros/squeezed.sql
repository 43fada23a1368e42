-- A text as ANLS compares it: in lower case, with single spaces, none at the ends.
CREATE MACRO squeezed(answer) AS
CASE
    WHEN is_squeezed(answer) THEN python_lower(answer)
    ELSE array_to_string(
        list_filter(string_split(spaced(python_lower(answer)), ' '), lambda x_: x_ <> ''), ' '
    )
END

-- A text as ANLS compares it: in lower case, with single spaces, none at the ends. DuckDB 1.4
-- joins no texts to NULL.
CREATE MACRO squeezed(answer) AS
CASE
    WHEN is_squeezed(answer) THEN python_lower(answer)
    WHEN answer IS NOT NULL
        THEN coalesce(
            array_to_string(
                list_filter(string_split(spaced(python_lower(answer)), ' '), lambda x_: x_ <> ''),
                ' '
            ),
            ''
        )
END

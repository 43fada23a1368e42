-- What stands behind the last ANSWER: of a reply (evalscope 1.14, the line that its prompts ask
-- for), in any case, up to the end of its line, without asterisks around it. NULL: no such mark.
-- @engines both
CREATE MACRO answer_line(text) AS
CASE
    WHEN regexp_matches(text, '[Aa][Nn][Ss][Ww][Ee][Rr][\s\p{Z}]*:')
        THEN stripped(
            trim(
                stripped(regexp_extract(text, '(?s).*[Aa][Nn][Ss][Ww][Ee][Rr][\s\p{Z}]*:[\s\p{Z}]*[*]*[\s\p{Z}]*([^\n]*)', 1)),
                '*'
            )
        )
END

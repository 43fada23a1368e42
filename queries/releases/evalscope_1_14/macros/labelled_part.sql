-- A reply from its last ANSWER: on that a label follows, bare, in brackets or in LaTeX's wrappers,
-- which are left out (evalscope 1.14, the rule for letters); '' where there is none.
-- @engines both
CREATE MACRO labelled_part(text, letters) AS
first_group(
    text,
    replace(
        '(?s).*[Aa][Nn][Ss][Ww][Ee][Rr][\s\p{Z}]*:[\s\p{Z}]*[*]*[\s\p{Z}]*(?:(?:[$]+|\\[(]|\\(?:boxed|fbox|text|textbf|mathbf|mathrm)[\s\p{Z}]*[{])[\s\p{Z}]*)*([(\[（【][\s\p{Z}]*[@](?:[\s\p{Z}]*[,，/、][\s\p{Z}]*[A-Za-z0-9])*[\s\p{Z}]*[)\]）】]|[@]+(?:[^A-Za-z0-9].*)?\z)',
        '@', letters
    )
)

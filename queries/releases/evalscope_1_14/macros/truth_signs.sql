-- What the parts of a reply in Chinese make of a statement (evalscope 1.14, cmmmu): + for one that
-- affirms it, even as 不正确 does, - for one that denies it, nothing for one that leaves it open.
CREATE MACRO truth_signs(parts) AS
array_to_string(
    list_transform(
        parts,
        lambda p_:
            CASE
                WHEN regexp_matches(p_, '对错|否正确|或者|是否|正确性|对不') THEN ''
                WHEN regexp_matches(p_, '正确|对|准确|肯定') THEN '+'
                WHEN regexp_matches(p_, '错|不合适|否定') THEN '-'
                ELSE ''
            END
    ),
    ''
)

-- The letter after the first 'answer is', in any case as Python's (?i) understands it; '' for
-- none.
CREATE MACRO stated_letter(text) AS
translate(
    regexp_extract(
        spaced(text), '[aA][nN][sSſ][wW][eE][rR] +[iIİı][sSſ] +[*]*([ABCDabcd])', 1
    ),
    'abcd', 'ABCD'
)

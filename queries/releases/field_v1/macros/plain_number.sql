-- The number that a text is, NULL if it is none: a decimal number with or without a sign, an
-- exponent, commas between thousands, a currency's sign before it; with % after it, a hundredth of
-- it.
-- @engines both
CREATE MACRO plain_number(text) AS
CASE
    WHEN regexp_matches(stripped(text), '\A[+-]?([$€£¥₹] ?)?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.][0-9]*)?([eE][+-]?[0-9]{1,3})? ?%?\z|\A[+-]?[.][0-9]+([eE][+-]?[0-9]{1,3})? ?%?\z')
        THEN TRY_CAST(translate(stripped(text), '$€£¥₹,% ', '') AS DOUBLE)
            / CASE WHEN contains(text, '%') THEN 100.0 ELSE 1.0 END
END

-- The capital A to D that a text ends with where no letter stands before it; '' for none.
-- @engines both
CREATE MACRO last_letter(text) AS regexp_extract(text, '(?:\A|[^\p{L}])([ABCD])\z', 1)

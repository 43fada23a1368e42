-- The capital A to D that a text begins with where no letter follows it; '' for none.
-- @engines both
CREATE MACRO first_letter(text) AS regexp_extract(text, '\A([ABCD])([^\p{L}]|\z)', 1)

-- The number that a text is to a harness's relaxed accuracy: what float() makes of it; of a text
-- that ends in percent signs, a hundredth of what it makes of the rest.
-- @engines both
CREATE MACRO percent_float(text) AS
CASE
    WHEN regexp_matches(text, '%\z') THEN python_float(regexp_replace(text, '%+\z', '')) / 100.0
    ELSE python_float(text)
END

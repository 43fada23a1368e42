-- Whether a comma stands between two digits.
-- @engines both
CREATE MACRO vqa_commas(text) AS regexp_matches(text, '\p{Nd},\p{Nd}')

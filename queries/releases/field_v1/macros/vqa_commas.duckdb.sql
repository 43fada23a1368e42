-- Whether a comma stands between two digits.
CREATE MACRO vqa_commas(text) AS regexp_matches(text, '\p{Nd},\p{Nd}')

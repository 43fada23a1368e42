-- How many characters have to be put in, left out or changed to make one text of the other
-- (Levenshtein). NULL: the two share more than 120 different characters, and not all are ASCII;
-- long texts in Chinese may.
CREATE MACRO character_distance(one, other) AS
CASE
    WHEN one = other THEN 0
    WHEN NOT regexp_like(one || other, '[^\\x00-\\x7F]') THEN levenshtein(one, other)
    WHEN length(one) <= 120 THEN levenshtein(one, other)
    WHEN
        size(
            filter(
                array_distinct(regexp_extract_all(one, '(?s).', 0)), x_ -> contains(other, x_)
            )
        ) <= 120
        THEN levenshtein(one, other)
END

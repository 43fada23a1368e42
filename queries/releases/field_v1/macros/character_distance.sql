-- How many characters have to be put in, left out or changed to make one text of the other
-- (Levenshtein). NULL: the two share more than 120 different characters, and not all are ASCII;
-- long texts in Chinese may. DuckDB's levenshtein counts bytes. So each character that both texts
-- have is written as a byte of its own, and those that one of them alone has as a byte that the
-- other has not.
-- @engines both
CREATE MACRO character_distance(one, other) AS
CASE
    WHEN one = other THEN 0
    WHEN NOT regexp_matches(one || other, '[^\x00-\x7F]') THEN levenshtein(one, other)
    ELSE list_max(
        list_transform(
            [
                coalesce(array_to_string(
                    list_filter(
                        list_distinct(regexp_extract_all(one, '(?s).')), lambda x_: contains(other, x_)
                    ),
                    ''
                ), '')
            ],
            lambda s_:
                CASE
                    WHEN length(s_) <= 120
                        THEN levenshtein(bytes_of(one, s_, '~'), bytes_of(other, s_, '|'))
                END
        )
    )
END

-- What a word says as a soft score: a plain decimal number from 0 to 1, as text;
-- NULL: nothing. A number that ends in its point may have been cut, so it counts only where the
-- reply
-- was not.
CREATE MACRO soft_score_word(word, is_cut) AS
nullif(
    CASE
        WHEN is_cut
            THEN regexp_extract(' ' || word || ' ', ' (0|1|0?[.][0-9]+|1[.]0+) ', 1)
        ELSE regexp_extract(' ' || word || ' ', ' (0[.]?|1[.]?|0?[.][0-9]+|1[.]0+) ', 1)
    END,
    ''
)

-- What a word says as a mark (MMBench, Table 3): a digit from 1 to 5, alone, out of 5 or before
-- punctuation, as text; NULL: nothing. 4.5 is no mark; 4. is none where the reply may have been
-- cut.
CREATE MACRO mark_word(word, is_cut) AS
nullif(
    CASE
        WHEN is_cut
            THEN regexp_extract(' ' || word || ' ', ' ([1-5])([,;:)]|/5|[.]0+)? ', 1)
        ELSE regexp_extract(' ' || word || ' ', ' ([1-5])([.,;:)]|/5|[.]0+)? ', 1)
    END,
    ''
)

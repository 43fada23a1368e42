-- What a text says to a question of NaturalBench (naturalbench/…/evaluation.py, extract_answer):
-- yes or no, or A or B, whichever stands first as a word; 'yes', 'no', 'A', 'B' or NULL. The
-- script ignores the case of all four, so that 'It is a dog' is A; here A and B are capitals, and
-- an A none where a word in small letters follows.
CREATE MACRO naturalbench_read(text, kind) AS
CASE kind
    WHEN 'yes_no' THEN nullif(regexp_extract(lower_words(text), ' (yes|no) ', 1), '')
    WHEN 'multiple_choice'
        THEN nullif(
            regexp_extract(
                regexp_extract(
                    letters_apart(text), '( B | A +([.A-Z0-9]|and |or |is |was |because ))', 1
                ),
                '([AB])', 1
            ),
            ''
        )
END

-- What a text says to a question of NaturalBench, as the peer reads it (utils/naturalbench.py,
-- extract_answer): whichever of the two stands first as a word, in any case. A word is what
-- Python's \b bounds.
-- @engines both
CREATE MACRO naturalbench_read(text, kind) AS
CASE kind
    WHEN 'yes_no'
        THEN nullif(
            replace(
                python_lower(
                    regexp_extract(
                        text, '(?:\A|[^\p{L}\p{N}_])([yY][eE][sSſ]|[nN][oO])(?:[^\p{L}\p{N}_]|\z)', 1
                    )
                ),
                'ſ', 's'
            ),
            ''
        )
    WHEN 'multiple_choice'
        THEN nullif(
            translate(
                regexp_extract(
                    text, '(?:\A|[^\p{L}\p{N}_])([aAbB])(?:[^\p{L}\p{N}_]|\z)', 1
                ),
                'ab', 'AB'
            ),
            ''
        )
END

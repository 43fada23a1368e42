-- The words of a text as they may be meant: one of four letters or more becomes a word of the
-- choices, or answer, option, choice, correct, that begins like it and is one letter from it, two
-- if it is long, where only one is so near.
CREATE MACRO respelled(tokens, spelled) AS
(' ' || array_to_string(
    list_transform(
        string_split(stripped(tokens), '  '),
        lambda w_: CASE
            WHEN length(w_) < 4 OR first_group(w_, '([^a-z])') <> '' THEN w_
            ELSE nearest_word(w_, spelled)
        END
    ),
    '  '
) || ' ')

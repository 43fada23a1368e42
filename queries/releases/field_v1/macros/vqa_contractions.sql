-- Words with their apostrophes.
CREATE MACRO vqa_contractions(text_words) AS
CASE
    WHEN has_contraction(' ' || text_words || ' ')
        THEN array_to_string(
            list_transform(string_split(text_words, ' '), lambda x_: contraction(x_)), ' '
        )
    ELSE text_words
END

-- How many words two texts have in common, each as often as in the one that has it less often; both
-- as spread_words gives them. The length of a text of as many characters.
-- @texts The words of the first.
CREATE MACRO common_words(texts, spread, other) AS
coalesce(
    length(
        array_to_string(
            list_transform(
                distinct_texts(texts),
                lambda x_:
                    repeat(
                        'x',
                        CASE
                            WHEN word_count(spread, x_) < word_count(other, x_) THEN word_count(spread, x_)
                            ELSE word_count(other, x_)
                        END
                    )
            ),
            ''
        )
    ),
    0
)

-- The only one of some words that a word may be meant for, else the word itself (see respelled).
CREATE MACRO nearest_word(word, words) AS
list_max(
    list_transform(
        [
            list_filter(
                words,
                lambda t_: length(t_) > 3 AND substr(t_, 1, 1) = substr(word, 1, 1)
                AND NOT regexp_matches(t_, '[^a-z]')
                AND levenshtein(word, t_) <= CASE WHEN length(t_) < 6 THEN 1 ELSE 2 END
            )
        ],
        lambda z_: CASE WHEN array_length(list_distinct(z_)) = 1 THEN list_max(z_) ELSE word END
    )
)

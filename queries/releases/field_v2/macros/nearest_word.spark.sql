-- The only one of some words that a word may be meant for, else the word itself (see respelled).
CREATE MACRO nearest_word(word, words) AS
array_max(
    transform(
        array(filter(
            words,
            t_ -> length(t_) > 3 AND substr(t_, 1, 1) = substr(word, 1, 1)
            AND NOT regexp_like(t_, '[^a-z]')
            AND levenshtein(word, t_) <= CASE WHEN length(t_) < 6 THEN 1 ELSE 2 END
        )),
        z_ -> CASE WHEN size(array_distinct(z_)) = 1 THEN array_max(z_) ELSE word END
    )
)

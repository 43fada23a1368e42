-- The only one of some words that a word may be meant for, else the word itself (see respelled).
CREATE MACRO nearest_word(word, words) AS
array_max(
    transform(
        array(filter(
            words,
            t_ -> substr(t_, 1, 1) = substr(word, 1, 1)
            AND levenshtein(word, t_) <= CASE WHEN length(t_) < 6 THEN 1 ELSE 2 END
        )),
        z_ -> CASE WHEN array_min(z_) = array_max(z_) THEN array_max(z_) ELSE word END
    )
)

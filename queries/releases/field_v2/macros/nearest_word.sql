-- The only one of some words that a word may be meant for, else the word itself (see respelled).
-- @engines both
CREATE MACRO nearest_word(word, words) AS
list_max(
    list_transform(
        [
            list_filter(
                words,
                -- CASE, since the distance is slow and AND would compute it for all.
                lambda t_: CASE
                    WHEN substr(t_, 1, 1) = substr(word, 1, 1)
                        THEN levenshtein(word, t_) <= CASE WHEN length(t_) < 6 THEN 1 ELSE 2 END
                    ELSE FALSE
                END
            )
        ],
        lambda z_: CASE WHEN list_min(z_) = list_max(z_) THEN list_max(z_) ELSE word END
    )
)

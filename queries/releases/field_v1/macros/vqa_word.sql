-- One word of an answer to a visual question: in digits, with its apostrophe, '' for an article.
CREATE MACRO vqa_word(lower_word) AS
list_max(
    list_transform(
        list_transform([lower_word], lambda l_: vqa_digits(l_)),
        lambda d_:
            CASE
                WHEN d_ IN ('a', 'an', 'the') THEN ''
                WHEN has_contraction(' ' || d_ || ' ') THEN contraction(d_)
                ELSE d_
            END
    )
)

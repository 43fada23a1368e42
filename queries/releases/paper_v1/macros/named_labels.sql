-- The labels that stand as words among the words of a text (see the macro words). A and I do not
-- count where they are the article or the pronoun: where a word follows them other than a single
-- capital, and, or, nor, is, was, because, since.
CREATE MACRO named_labels(labels, text_words) AS
list_filter(
    labels,
    lambda x_: CASE
        WHEN x_ = 'A'
            THEN regexp_matches(
                text_words, ' A +([.]|[A-Z] |and |or |nor |is |was |because |since )'
            )
        WHEN x_ = 'I'
            THEN regexp_matches(
                text_words, ' I +([.]|[A-Z] |and |or |nor |is |was |because |since )'
            )
        ELSE contains(text_words, ' ' || x_ || ' ')
    END
)

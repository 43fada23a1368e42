-- The words of a text without punctuation, in lower case: numbers in digits, no articles; single
-- spaces between them (vqaEval.py, processDigitArticle).
CREATE MACRO vqa_words(text) AS
list_max(
    list_transform(
        list_transform([text], lambda x_: python_lower(x_)),
        lambda t_:
            CASE
                WHEN is_one_word(t_)
                    THEN CASE WHEN t_ IN ('a', 'an', 'the') THEN '' ELSE vqa_digits(t_) END
                ELSE coalesce(array_to_string(
                    list_filter(
                        list_transform(string_split(spaced(t_), ' '), lambda y_: vqa_digits(y_)),
                        lambda z_: z_ NOT IN ('', 'a', 'an', 'the')
                    ),
                    ' '
                ), '')
            END
    )
)

-- The words of a text without punctuation, in lower case: numbers in digits, no articles; a space before
-- and after each (vqaEval.py, processDigitArticle).
CREATE MACRO vqa_words(text) AS
' '
|| array_to_string(
    list_filter(
        list_transform(
            list_filter(string_split(spaced(python_lower(text)), ' '), lambda x_: x_ <> ''),
            lambda y_: vqa_digits(y_)
        ),
        lambda z_: z_ NOT IN ('a', 'an', 'the')
    ),
    ' '
)
|| ' '

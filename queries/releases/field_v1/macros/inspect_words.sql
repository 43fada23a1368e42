-- The words that Inspect's exact and f1 compare, in their order: between spaces and hyphens,
-- without regard to case, without ASCII's punctuation and without articles; numbers as numbers.
-- @sees_ends As number_or_word has it.
CREATE MACRO inspect_words(text, sees_ends) AS
list_filter(
    string_split(
        spaced(
            array_to_string(
                list_transform(
                    string_split(replace(case_folded(text), '-', ' '), ' '),
                    lambda x_: number_or_word(x_, sees_ends)
                ),
                ' '
            )
        ),
        ' '
    ),
    lambda y_: y_ NOT IN ('', 'a', 'an', 'the')
)

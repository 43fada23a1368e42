-- The letters at the head of what stated_rest left, each once and in order: "⌖c , ⌖a" is "a, c".
-- Without a phrase that states them they have to be all there is. Empty: there are none, or others
-- may be meant.
CREATE MACRO stated_letters(line, rest) AS
array_to_string(
    list_sort(
        distinct_texts(
            string_split(
                each_replaced(
                    first_group(
                        rest,
                        '^[ (]*([⌖⌘][a-z](?:[ )]*(?:, and|,|and|/) [( ]*[⌖⌘][a-z])*)'
                        || CASE
                            WHEN regexp_matches(line, '[＝≐▣▤]') THEN '(?: [^¦∨⊘⊝≈⁇]*)?(?:¦|$)'
                            ELSE '[ )]*(?:¦[ ¦]*)?$'
                        END
                    ),
                    '[ )]*(?:, and|,|and|/) [( ]*[⌖⌘]|[⌖⌘]', ' '
                ),
                ' '
            )
        )
    ),
    ' '
)

-- Lower case as Python's str.lower has it. DuckDB differs in two letters: İ becomes two characters,
-- and Σ is ς where a word ends. A word is what Unicode calls cased letters, with case-ignorable
-- characters (marks, apostrophes, full stops …) passed over.
-- @engines both
CREATE MACRO python_lower(answer) AS
lower(
    CASE
        WHEN contains(answer, 'Σ')
            THEN regexp_replace(
                replace(answer, 'İ', decode(unhex('69CC87'))),
                '([\p{Lu}\p{Ll}\p{Lt}ªºⅠ-ⅿⓐ-ⓩⒶ-Ⓩ🄰-🅉🅐-🅩🅰-🆉][\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}''.:·\x{0387}՟״‘’‧︓﹒﹕＇．：․]*)Σ([\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}''.:·\x{0387}՟״‘’‧︓﹒﹕＇．：․]*)($|[^\p{Lu}\p{Ll}\p{Lt}ªºⅠ-ⅿⓐ-ⓩⒶ-Ⓩ🄰-🅉🅐-🅩🅰-🆉\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}''.:·\x{0387}՟״‘’‧︓﹒﹕＇．：․])',
                '\1ς\2\3', 'g'
            )
        ELSE replace(answer, 'İ', decode(unhex('69CC87')))
    END
)

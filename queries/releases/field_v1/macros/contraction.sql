-- One word of an answer to a visual question with its apostrophe, from the table of contractions
-- of the official script (GT-Vision-Lab/VQA, vqaEval.py). The table is one text: the engine plans
-- a CASE of so many words anew wherever a query names the macro.
CREATE MACRO contraction(word) AS
CASE
    WHEN has_contraction(' ' || word || ' ')
        THEN split_part(
            substr(
                contraction_table(),
                strpos(contraction_table(), decode(unhex('0A')) || word || '=') + length(word) + 2
            ),
            '
',
            1
        )
    ELSE word
END

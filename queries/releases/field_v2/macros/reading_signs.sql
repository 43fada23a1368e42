-- The signs alone: Ⓐ to Ⓩ for a choice that is named by its letter, ⓐ to ⓩ by its text, the phrases
-- and marks, and · for any other word.
CREATE MACRO reading_signs(tokens) AS
replace(each_replaced(each_replaced(
    tokens,
    '([0-9])[.,:/]+([0-9])', '@1@2'),
    -- a word
    '[^⌂＝≐⇐⇠⊢¬⊘⊗⊝≈⁇∨∧↺⊥▣▤†·◆◇◈⌖⁈¤⊕⊖✓✗|/Ⓐ-ⓩ.,:;?!¶ ]+', '·'),
    ' ', '')

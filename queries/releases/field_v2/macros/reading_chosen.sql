-- What reading_marks left, with ◆ before each choice that is stated after a phrase, † before
-- what is negated, ¤ before one of several that are stated; ☒ stands for a letter and a text that
-- clash.
CREATE MACRO reading_chosen(signs) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    reading_marks(signs),
    -- what is stated
    '[⊗¬]·{0,2}[＝⊢]', '¬'),
    '＝[·:]{0,2}Ⓐ[.,:;¶|∧∨·]{0,2}Ⓑ[.,:;¶|∧∨·]{0,2}Ⓒ[.,:;¶|∧∨·]{0,2}(?:Ⓓ[.,:;¶|∧∨·]{0,2}(?:Ⓔ[.,:;¶|∧∨·]{0,2}(?:Ⓕ[.,:;¶|∧∨·]{0,2}(?:Ⓖ[.,:;¶|∧∨·]{0,2}(?:Ⓗ[.,:;¶|∧∨·]{0,2}(?:Ⓘ[.,:;¶|∧∨·]{0,2}(?:Ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '⁈'),
    '＝[·:]{0,2}ⓐ[.,:;¶|∧∨·]{0,2}ⓑ[.,:;¶|∧∨·]{0,2}ⓒ[.,:;¶|∧∨·]{0,2}(?:ⓓ[.,:;¶|∧∨·]{0,2}(?:ⓔ[.,:;¶|∧∨·]{0,2}(?:ⓕ[.,:;¶|∧∨·]{0,2}(?:ⓖ[.,:;¶|∧∨·]{0,2}(?:ⓗ[.,:;¶|∧∨·]{0,2}(?:ⓘ[.,:;¶|∧∨·]{0,2}(?:ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '⁈'),
    '⁇([^.;¶◆＝]*)＝', '⁇@1≈'),
    '≐([Ⓐ-ⓩ])', '◆@1'),
    '([▣▤])[·⊢◈:＝▣▤,]{0,3}([Ⓐ-ⓩ])', '@1◆@2'),
    '＝[·⊢◈:＝,]{0,3}([Ⓐ-ⓩ])', '◆@1'),
    '▤◆([Ⓐ-ⓩ])[.]▤◆([Ⓐ-ⓩ])', '¤@1.¤@2'),
    '◆([Ⓐ-ⓩ]),?[∨/]([Ⓐ-ⓩ])', '¤@1¤@2'),
    '◆([Ⓐ-ⓩ])[∧,]([Ⓐ-ⓩ])([.,¶|]|$)', '¤@1¤@2@3'),
    '([Ⓐ-ⓩ]),?∨≈·?([Ⓐ-ⓩ])', '¤@1¤@2'),
    '◆([Ⓐ-ⓩ])∧([Ⓐ-ⓩ])', '¤@1¤@2'),
    -- what is negated before it
    '[¬⊗](?:≈·?∧)?[·◈]{0,3}([Ⓐ-ⓩ])', '¬†@1'),
    '^¬†([Ⓐ-ⓩ]),([Ⓐ-ⓩ])[.!]?$', '¬†@1.@2.'),
    -- a letter and a text that clash
    '◈[ⓐ-ⓩ][,⊢·]{0,3}◆[Ⓐ-Ⓩ]', '☒'),
    '(^|¶|◆)[Ⓐ-Ⓩ][.][ⓐ-ⓩ]([.,;!¶]|$)', '@1☒@2'),
    '(^|◆)[Ⓐ-Ⓩ],⊢[ⓐ-ⓩ]', '@1☒'),
    '◆?(?:[Ⓐ-Ⓩ][:,]?[ⓐ-ⓩ]|[ⓐ-ⓩ],?·?[Ⓐ-Ⓩ])', '☒')

-- The signs with ◆ before each choice that is stated after a phrase, ☑ before what is ticked, †
-- before what is negated, ¤ before one of several that are stated; ☒ stands for a letter and a text
-- that clash.
CREATE MACRO reading_chosen(signs) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
    signs,
    -- lists and tables with marks
    '([Ⓐ-ⓩ])(?:[|][✓⊕])*[,|:·]*(?:[|][✓⊕])*[|][✗⊖]', '†@1'),
    '([Ⓐ-ⓩ])[?][.,]?(?:✗|⊖|¬)', '†@1.'),
    '([Ⓐ-ⓩ])[?][.,]?(?:✓|⊕|⇐)', '☑@1.'),
    '(^|¶)✓([Ⓐ-ⓩ])', '@1☑@2'),
    '(^|¶)⊢([Ⓐ-ⓩ])(¶|$)', '@1☑@2@3'),
    '(^|¶)✗([Ⓐ-ⓩ])', '@1†@2'),
    '([Ⓐ-ⓩ])[.]?[,|:·⊢]*✗', '†@1'),
    '([Ⓐ-ⓩ])[.]?[,|:·⊢]*✓', '☑@1'),
    '([Ⓐ-ⓩ])[,|:·⊢]*⊖', '†@1'),
    '([Ⓐ-ⓩ])[|:·⊢]*(?:⊕|[|⊢]⇐)', '☑@1'),
    '⊖', '¬'),
    '⊕', '⇐'),
    -- what is stated
    '[⊗¬]·{0,2}[＝⊢]', '¬'),
    '＝[·:]{0,2}Ⓐ[.,:;¶|∧∨·]{0,2}Ⓑ[.,:;¶|∧∨·]{0,2}Ⓒ[.,:;¶|∧∨·]{0,2}(?:Ⓓ[.,:;¶|∧∨·]{0,2}(?:Ⓔ[.,:;¶|∧∨·]{0,2}(?:Ⓕ[.,:;¶|∧∨·]{0,2}(?:Ⓖ[.,:;¶|∧∨·]{0,2}(?:Ⓗ[.,:;¶|∧∨·]{0,2}(?:Ⓘ[.,:;¶|∧∨·]{0,2}(?:Ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '⁈'),
    '＝[·:]{0,2}ⓐ[.,:;¶|∧∨·]{0,2}ⓑ[.,:;¶|∧∨·]{0,2}ⓒ[.,:;¶|∧∨·]{0,2}(?:ⓓ[.,:;¶|∧∨·]{0,2}(?:ⓔ[.,:;¶|∧∨·]{0,2}(?:ⓕ[.,:;¶|∧∨·]{0,2}(?:ⓖ[.,:;¶|∧∨·]{0,2}(?:ⓗ[.,:;¶|∧∨·]{0,2}(?:ⓘ[.,:;¶|∧∨·]{0,2}(?:ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '⁈'),
    '≐([Ⓐ-ⓩ])', '◆@1'),
    '([▣▤])[·⊢◈:＝▣▤,]{0,3}([Ⓐ-ⓩ])', '@1◆@2'),
    '＝[·⊢◈:＝,]{0,3}([Ⓐ-ⓩ])', '◆@1'),
    '▤◆([Ⓐ-ⓩ])[.]▤◆([Ⓐ-ⓩ])', '¤@1.¤@2'),
    '◆([Ⓐ-ⓩ]),?[∨/]([Ⓐ-ⓩ])', '¤@1¤@2'),
    '◆([Ⓐ-ⓩ])[∧,]([Ⓐ-ⓩ])([.,¶|]|$)', '¤@1¤@2@3'),
    '([Ⓐ-ⓩ]),?∨≈·?([Ⓐ-ⓩ])', '¤@1¤@2'),
    '◆([Ⓐ-ⓩ])∧([Ⓐ-ⓩ])', '¤@1¤@2'),
    -- what is negated before it
    '[¬⊗][·◈]{0,3}([Ⓐ-ⓩ])', '¬†@1'),
    -- a letter and a text that clash
    '◈[ⓐ-ⓩ][,⊢·]{0,3}◆[Ⓐ-Ⓩ]', '☒'),
    '(^|¶|◆)[Ⓐ-Ⓩ][.][ⓐ-ⓩ]([.,;!¶]|$)', '@1☒@2'),
    '◆?(?:[Ⓐ-Ⓩ][:,]?[ⓐ-ⓩ]|[ⓐ-ⓩ],?·?[Ⓐ-Ⓩ])', '☒')

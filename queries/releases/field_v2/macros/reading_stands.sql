-- What becomes of each choice that is named, as a sign before it: ◆ stated, ☑ ticked, ◈ said to be
-- so, † ruled out, ¤ only weighed or one of several; ☒ stands for a letter and a text that clash, ⁈
-- for a list of the choices.
CREATE MACRO reading_stands(signs) AS
replace(replace(replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(replace(replace(replace(replace(each_replaced(each_replaced(replace(
each_replaced(each_replaced(each_replaced(each_replaced(
    signs,
    -- a list of the choices
    '(^|[^☑◆†])Ⓐ[.,:;¶|∧∨·]{0,2}Ⓑ[.,:;¶|∧∨·]{0,2}Ⓒ[.,:;¶|∧∨·]{0,2}(?:Ⓓ[.,:;¶|∧∨·]{0,2}(?:Ⓔ[.,:;¶|∧∨·]{0,2}(?:Ⓕ[.,:;¶|∧∨·]{0,2}(?:Ⓖ[.,:;¶|∧∨·]{0,2}(?:Ⓗ[.,:;¶|∧∨·]{0,2}(?:Ⓘ[.,:;¶|∧∨·]{0,2}(?:Ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '@1⁈'),
    '(^|[^☑◆†])ⓐ[.,:;¶|∧∨·]{0,2}ⓑ[.,:;¶|∧∨·]{0,2}ⓒ[.,:;¶|∧∨·]{0,2}(?:ⓓ[.,:;¶|∧∨·]{0,2}(?:ⓔ[.,:;¶|∧∨·]{0,2}(?:ⓕ[.,:;¶|∧∨·]{0,2}(?:ⓖ[.,:;¶|∧∨·]{0,2}(?:ⓗ[.,:;¶|∧∨·]{0,2}(?:ⓘ[.,:;¶|∧∨·]{0,2}(?:ⓙ[.,:;¶|∧∨·]{0,2})?)?)?)?)?)?)?',
    '@1⁈'),
    '(^|[¶?:])Ⓐ[¶.,|]{1,2}Ⓑ([¶.,|]|$)', '@1⁈@2'),
    -- what is stated after it
    '([Ⓐ-ⓩ])·?⇠', '◈@1'),
    '◈◈', '◈'),
    '([Ⓐ-ⓩ])·?⇐·', '◈@1··'),
    '([Ⓐ-ⓩ])·?⇐', '◆@1⇐'),
    '◆◆', '◆'),
    '†◆', '†'),
    '☑◆', '☑'),
    '¤◆', '¤'),
    '([Ⓐ-ⓩ])[,∧∨/]*◆([Ⓐ-ⓩ])⇐', '@1@2⇐'),
    '(^|[^◆])([Ⓐ-ⓩ])∨·', '@1¤@2∨·'),
    -- what is only weighed
    '([Ⓐ-ⓩ]),?≈[;,.·]*([Ⓐ-ⓩ]),?≈', '¤@1≈¤@2≈'),
    '≈([·]{1,6})∨([Ⓐ-ⓩ])', '≈@1∨¤@2'),
    '⁇([^⁇]*)⁇([^.;◆¶⊢]*,)([Ⓐ-ⓩ])', '⁇@1⁇@2¤@3'),
    '≈·?([Ⓐ-ⓩ])', '≈¤@1'),
    '(^|[.])∨([Ⓐ-ⓩ])', '@1¤@2'),
    '⁇([^,.;⊢◆¶]{0,8})([Ⓐ-ⓩ])', '⁇@1¤@2'),
    '⁇([^,.;◆¶]*⊢·?)([Ⓐ-ⓩ])', '⁇@1¤@2'),
    '([Ⓐ-ⓩ])·?∨·{0,3}[†¤]?([Ⓐ-ⓩ])', '¤@1·¤@2'),
    '([Ⓐ-ⓩ])([Ⓐ-ⓩ])', '¤@1¤@2'),
    '([Ⓐ-ⓩ])([Ⓐ-ⓩ])', '¤@1¤@2'),
    '[¤†]+([¤†])', '@1'),
    '([Ⓐ-ⓩ])·*[?]', '¤@1?'),
    '◆¤', '¤'),
    '†¤', '†'),
    '¤◆', '¤'),
    '◆◈', '◆')

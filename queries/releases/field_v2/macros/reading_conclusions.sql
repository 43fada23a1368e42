-- What reading_stands left, with ◇ before what is concluded.
CREATE MACRO reading_conclusions(signs) AS
replace(replace(replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    signs,
    '⊢[·⊢:＝,◈]{0,3}([Ⓐ-ⓩ])', '⊢◇@1'),
    '^(·{0,2}⊝)¤([Ⓐ-ⓩ]·{0,2}[.!]?)$', '@1◇@2'),
    '⊥([^.;¶◆]*)◈?([Ⓐ-ⓩ])', '⊥@1¤@2'),
    -- a sentence of a choice alone
    '(^|[.!¶])([Ⓐ-ⓩ])([.!¶]|$)', '@1◇@2@3'),
    '(^|[.!¶])([Ⓐ-ⓩ]),⊢[.!¶]*$', '@1◇@2'),
    '([.!¶:])([Ⓐ-ⓩ])[.!¶]*$', '@1◇@2'),
    '([|]¶·{0,3})([Ⓐ-ⓩ])([^Ⓐ-ⓩ]*)$', '@1◇@2@3'),
    '(,)([Ⓐ-Ⓩ])[.!¶]*$', '@1◇@2'),
    '◈([Ⓐ-ⓩ])[.!¶]*$', '◇@1'),
    '◆◇', '◆'),
    '☑◇', '☑'),
    '†◇', '†'),
    '¤◇', '¤')

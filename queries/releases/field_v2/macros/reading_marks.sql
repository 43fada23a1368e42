-- The signs with ☑ before each choice that is ticked in a list or table, † before what is crossed
-- out.
CREATE MACRO reading_marks(signs) AS
replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
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
    '⊕', '⇐')

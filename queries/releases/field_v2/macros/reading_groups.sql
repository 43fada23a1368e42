-- What reading_chosen left, with † also before each choice that is ruled out after it, or as one of
-- a group (A, B and C are wrong).
CREATE MACRO reading_groups(signs) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
replace(replace(replace(each_replaced(replace(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(
    signs,
    -- groups: A, B and C
    '(^|[^◆])([Ⓐ-ⓩ])[,∧∨/]+([Ⓐ-ⓩ])', '@1@2@3'),
    '(^|[^◆])([Ⓐ-ⓩ])[,∧∨/]+([Ⓐ-ⓩ])', '@1@2@3'),
    '(^|[^◆])([Ⓐ-ⓩ])[,∧∨/]+([Ⓐ-ⓩ])', '@1@2@3'),
    '(^|[^◆])([Ⓐ-ⓩ])[,∧∨/]+([Ⓐ-ⓩ])', '@1@2@3'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    -- what is rejected after it
    '([Ⓐ-ⓩ][Ⓐ-ⓩ]+)(?:[^.;¶◆]{0,12}⊘|·?⊗)', '†@1⊘'),
    '([ⓐ-ⓩ])[·∧]?⊗·', '@1··'),
    '([Ⓐ-ⓩ])[·∧]?[⊗⊘]', '†@1⊘'),
    '††', '†'),
    '([Ⓐ-ⓩ])·?⊝', '†@1⊝'),
    '◆†', '†'),
    '◈†', '†'),
    '††', '†'),
    '⊝·?([Ⓐ-ⓩ])', '⊝¤@1'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ])([Ⓐ-ⓩ])', '@1†@2'),
    '(†[Ⓐ-ⓩ][^.;¶⊢◆]*,∧)([Ⓐ-ⓩ])', '@1†@2')

-- What reading_names left, with ✓ and ✗ for marks in lists and tables, ⊕ and ⊖ for words that stand
-- where a mark may.
CREATE MACRO reading_ticks(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(
    reading_names(tokens),
    -- marks in lists and tables
    ' ←  (?:(?:correct|right|best|my|this|the|final)  )*(?:answer|choice|1|yes|correct|right|✓) ', ' ✓ '),
    ' my  (?:choice|answer|pick)  ¶', ' ✓  ¶'),
    '[|] +(?:是|符合|예|はい|ใช่|हाँ|да|ja|oui|si) +[|]', '|  ✓  |'),
    '[|] +(?:否|不是|不符合|아니요|いいえ|ไม่ใช่|नहीं|нет|nein|non) +[|]', '|  ✗  |'),
    ':  ⌖x  (¶| $|$)', ':  ✗  @1'),
    ':  ⌖o  (¶| $|$)', ':  ✓  @1'),
    '^ ([Ⓐ-Ⓩ])  -+ ([^¶]*)$', ' ＝  @1  . @2'),
    ' - ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    '([Ⓐ-ⓩ])  (?:no|false|wrong|incorrect) ', '@1  ⊖ '),
    '([Ⓐ-ⓩ])  (?:yes|true|correct) ', '@1  ⊕ '),
    ' (?:no|false|wrong|incorrect)  ([,|.¶])', ' ⊖  @1'),
    ' (?:no|false|wrong|incorrect) $', ' ⊖ '),
    ' (?:yes|true|correct)  ([,|.¶])', ' ⊕  @1'),
    ' (?:yes|true|correct) $', ' ⊕ ')

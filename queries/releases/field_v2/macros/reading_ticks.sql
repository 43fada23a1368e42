-- What choices_marked left, without the names of things in the picture, and with ✓ and ✗ for marks
-- in lists and tables, ⊕ and ⊖ for words that stand where a mark may.
CREATE MACRO reading_ticks(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    '^ *¶ *| *¶ *$', ' '),
    ' +', '  '),
    -- where an answer should stand
    '¶  Ⓐ  :[ ¶]*$', ' '),
    -- from A to D: all of them
    ' (?:from  )?[Ⓐ-ⓩ]  (?:through|to)  [Ⓐ-ⓩ] ', ' ⁈ '),
    -- the name of a thing in the picture
    ' (?:model|room|figure|fig|type|point|points|grade|plan|vitamin|hepatitis|side|group|class|section|part|block|angle|line|lines|panel|triangle|team|player|person|card|house|row|column|table|site|level|phase|area|region|circle|position|object|image|picture|label|skizze)  [Ⓐ-Ⓩ] ',
    ' · '),
    ' (?:with|at|and)  [Ⓐ-Ⓩ]  (?:on|in)  (?:side|line|segment) ', ' · '),
    '各个?选项|每个选项|选项如下|其他选项|其余选项', ' 各 '),
    '选项|選項|選択肢|선택지', ' option '),
    ' [()] ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    ' (?:options?|choices?|opcion|opcao|вариант)  ([Ⓐ-ⓩ]) ', ' @1 '),
    -- marks in lists and tables
    ' ←  (?:(?:correct|right|best|my|this|the|final)  )*(?:answer|choice|1|yes|correct|right|✓) ', ' ✓ '),
    ' my  (?:choice|answer|pick)  ¶', ' ✓  ¶'),
    '[|] +(?:是|符合|예|はい|ใช่|हाँ|да|ja|oui|si) +[|]', '|  ✓  |'),
    '[|] +(?:否|不是|不符合|아니요|いいえ|ไม่ใช่|नहीं|нет|nein|non) +[|]', '|  ✗  |'),
    ':  ⌖x  (¶| $|$)', ':  ✗  @1'),
    ':  ⌖o  (¶| $|$)', ':  ✓  @1'),
    '^ ([Ⓐ-Ⓩ])  -+ ', ' ＝  @1  . '),
    ' - ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    '([Ⓐ-ⓩ])  (?:no|false|wrong|incorrect) ', '@1  ⊖ '),
    '([Ⓐ-ⓩ])  (?:yes|true|correct) ', '@1  ⊕ '),
    ' (?:no|false|wrong|incorrect)  ([,|.¶])', ' ⊖  @1'),
    ' (?:no|false|wrong|incorrect) $', ' ⊖ '),
    ' (?:yes|true|correct)  ([,|.¶])', ' ⊕  @1'),
    ' (?:yes|true|correct) $', ' ⊕ ')

-- What choices_marked left, without the names of things in the picture, numbers of lists and
-- brackets, and with some wordings as the phrases have them.
CREATE MACRO reading_names(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    '^ *¶ *| *¶ *$', ' '),
    ' +', '  '),
    -- where an answer should stand
    '¶  Ⓐ  :[ ¶]*$', ' '),
    '(^|¶)  [1-9]  [.)]  ([Ⓐ-ⓩ])', '@1  @2'),
    -- from A to D: all of them
    ' (?:from  )?[Ⓐ-ⓩ]  (?:through|to)  [Ⓐ-ⓩ] ', ' ⁈ '),
    -- the name of a thing in the picture
    ' (?:model|room|figure|fig|type|point|points|grade|plan|vitamin|hepatitis|side|group|class|section|part|block|angle|line|lines|panel|triangle|team|player|person|card|house|row|column|table|site|level|phase|area|region|circle|position|object|image|picture|label|skizze)  [Ⓐ-Ⓩ] ',
    ' · '),
    ' (?:with|at|and)  [Ⓐ-Ⓩ]  (?:on|in)  (?:side|line|segment) ', ' · '),
    '各个?选项|每个选项|选项如下|其他选项|其余选项', ' 各 '),
    '选项|選項|選択肢|선택지', ' option '),
    ' [(]  ((?:[^ ()]+  ){4,})[)] ', ' ;  @1; '),
    ' [()] ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    ' (?:options?|choices?|opcion|opcao|вариант)  ([Ⓐ-ⓩ]) ', ' @1 '),
    -- wordings
    ' (is|are)  (?:(?:both|all)  )?(?:wrong|false|incorrect) ', ' @1  excluded '),
    ' (?:because|since|given  that) ', ' ;  because '),
    ' (on|to|at|in)  right ', ' @1  rightside '),
    ' are  (?:(?:both|all)  )?(?:correct|true) ', ' are  right '),
    '不 *([ⓐ-ⓩ])', ' 不是 @1'),
    ' (?:is|are|can|does|do)  not  (?:be  )?(?:right|correct|true|hold|option|possible|missing|out  of  question) ', ' excluded '),
    ' if  (?:i|we|one)  (?:had|have)  to  (?:choose|pick|guess|say|decide) ', ' my  choice  is '),
    '(?:如果|假设|假如|若|乍一看|有人认为|以为|不应该) *(?:答案)? *(?:应该)?(?:是|为|选|選)? *[Ⓐ-ⓩ]', ' · '),
    '答案不(?:应该)?(?:是|为) *[Ⓐ-ⓩ]', ' · '),
    ' ([Ⓐ-Ⓩ])  over  ([Ⓐ-Ⓩ]) ', ' @1  not  @2 '),
    ' from  [Ⓐ-ⓩ]  (?:to|through)  ', ' · '),
    ' (is|are|was|can|does|has|have|would|could|it|they|but|and)  also ', ' @1 '),
    ' (?:that|this|which|it)  matches  ((?:option|choice)  |)([Ⓐ-Ⓩ])', ' so  @2'),
    ' ←  (¶| ?$)', ' ✓  @1')

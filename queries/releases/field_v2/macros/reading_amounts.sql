-- Words and numbers, with Chinese numbers before what is counted in digits, without English
-- articles; halves, quarters and dozens in digits.
CREATE MACRO reading_amounts(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    '(^|[^十百千万一二三四五六七八九])一 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 1 @2'),
    '(^|[^十百千万一二三四五六七八九])[二两兩] *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 2 @2'),
    '(^|[^十百千万一二三四五六七八九])三 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 3 @2'),
    '(^|[^十百千万一二三四五六七八九])四 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 4 @2'),
    '(^|[^十百千万一二三四五六七八九])五 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 5 @2'),
    '(^|[^十百千万一二三四五六七八九])六 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 6 @2'),
    '(^|[^十百千万一二三四五六七八九])七 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 7 @2'),
    '(^|[^十百千万一二三四五六七八九])八 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 8 @2'),
    '(^|[^十百千万一二三四五六七八九])九 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 9 @2'),
    '(^|[^百千万一二三四五六七八九])十 *([个個只名位条條张張辆輛头頭匹种種本把])', '@1 10 @2'),
    -- articles
    ' (?:the|an|a) ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    ' (?:square)  ([a-z]+) ', ' @1  ² '),
    ' ([2-9])0  (?:-  )?([1-9]) ', ' @1@2 '),
    ' (?:together|along)  with ', ' and '),
    ' ([1-9])  hundred  (?:and  )?([0-9][0-9]) ', ' @1@2 '),
    ' ([1-9])  hundred ', ' @100 '),
    ' ([1-9])  thousand ', ' @1000 '),
    ' hundred  (?:and  )?([0-9][0-9]) ', ' 1@1 '),
    ' 1  and  half ', ' 1.5 '),
    ' half  dozen ', ' 6 '),
    ' dozen ', ' 12 '),
    ' half(  of |(?:  [.])? $)', ' 1  /  2 @1'),
    ' (?:1  )?quarter(  of |(?:  [.])? $)', ' 1  /  4 @1')

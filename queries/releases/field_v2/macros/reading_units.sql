-- The same with Chinese numbers before what is counted in digits, without English articles, with
-- units in one form.
CREATE MACRO reading_units(tokens) AS
each_replaced(each_replaced(replace(replace(replace(each_replaced(each_replaced(replace(replace(replace(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    '一 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 1 @1'),
    '[二两兩] *([个個只名位条條张張辆輛头頭匹种種本把])', ' 2 @1'),
    '三 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 3 @1'),
    '四 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 4 @1'),
    '五 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 5 @1'),
    '六 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 6 @1'),
    '七 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 7 @1'),
    '八 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 8 @1'),
    '九 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 9 @1'),
    '十 *([个個只名位条條张張辆輛头頭匹种種本把])', ' 10 @1'),
    -- articles
    ' (?:the|an|a) ', ' '),
    ' +', '  '),
    '^ *(.*[^ ]|) *$', ' @1 '),
    ' (?:square)  ([a-z]+) ', ' @1  ² '),
    ' ([2-9])0  (?:-  )?([1-9]) ', ' @1@2 '),
    -- units
    ' (?:percent|per  cent) ', ' % '),
    ' (?:kilograms?|kilos?) ', ' kg '),
    ' grams? ', ' g '),
    ' (centi|milli|kilo)met(?:re|er)s? ', ' @1m '),
    ' centim ', ' cm '),
    ' millim ', ' mm '),
    ' kilom ', ' km '),
    ' (?:metres?|meters?) ', ' m '),
    ' (?:litres?|liters?) ', ' l '),
    ' degree ', ' degrees '),
    ' degrees  celsius ', ' celsius '),
    ' right  angle ', ' 90  degrees '),
    ' (all|none)  of  (?:them|these|those|above|these  options) ', ' @1  of  above '),
    ' not  (?:just|only) ', ' ')

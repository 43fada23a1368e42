-- What reading_amounts left, with units in one form.
CREATE MACRO reading_units(tokens) AS
each_replaced(each_replaced(replace(replace(replace(each_replaced(each_replaced(each_replaced(
each_replaced(replace(replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(
    reading_amounts(tokens),
    -- units
    ' (?:percent|per  cent) ', ' % '),
    ' (?:kilograms?|kilos?) ', ' kg '),
    ' grams? ', ' g '),
    ' (centi|milli|kilo)met(?:re|er)s? ', ' @1m '),
    ' centim ', ' cm '),
    ' millim ', ' mm '),
    ' kilom ', ' km '),
    ' (?:metres?|meters?) ', ' m '),
    ' (?:millilitres?|milliliters?) ', ' ml '),
    ' (?:litres?|liters?) ', ' l '),
    ' (km|m)  (?:per  )?(h|s)(?:our|econd)? ', ' @1  /  @2 '),
    ' degree ', ' degrees '),
    ' degrees  celsius ', ' celsius '),
    ' right  angle ', ' 90  degrees '),
    ' (all|none)  of  (?:them|these|those|above|these  options) ', ' @1  of  above '),
    ' not  (?:just|only) ', ' ')

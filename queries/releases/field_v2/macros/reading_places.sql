-- The same with times of day in digits, and the number of a choice as ⌗ and its digit: option 2,
-- the second one, 3番. ⌗z is the last, ⌗y the one before it; ⌙ is a number in brackets.
CREATE MACRO reading_places(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    -- times of day
    ' quarter  past  ([0-9]+) ', ' @1:15 '),
    ' half  past  ([0-9]+) ', ' @1:30 '),
    ' ([0-9])  past  ([0-9]+) ', ' @2:0@1 '),
    ' ([0-9][0-9])  past  ([0-9]+) ', ' @2:@1 '),
    '^ [(]  ([1-9])  [)] $', ' ⌙@1 '),
    ' penultimate ', ' №y '),
    ' №2  to  last ', ' №y '),
    ' last  (option|choice|colour|color|month|day|word|picture|image|name|entry|answer|position|place) ', ' №z  @1 '),
    ' (?:last|final)  (1|item|of  (?:those|these)|(?:in|on)  (?:your  )?list|[a-z]+  (?:you|listed|(?:in|on)  (?:your  )?list)) ',
    ' №z  @1 '),
    ' (?:option|choice|number|no|item|opcion|opcao|opzione|proposition|вариант|विकल्प|ตัวเลือกที่|ข้อที่|ข้อ|선택지|보기|antwortmoglichkeit|reponse|respuesta|alternativa|الخيار|الإجابة|ответ|选项)  (?:(?:no|number|option|[.]|[(])  )*([1-9]) ',
    ' option  ⌗@1 '),
    ' (?:answer|option|choice)  (?:is|:)  (?:(?:no|number|option|choice|[.]|[(])  )*([1-9])  ([.)]|$)',
    ' answer  is  ⌗@1  @2'),
    ' (?:الخيار|الإجابة)  №([0-9]) ', ' ⌗@1 '),
    ' №([0-9yz])  (?:option|choice|number|no|item|opcion|opcao|opzione|proposition|вариант|विकल्प|ตัวเลือกที่|ข้อที่|ข้อ|선택지|보기|antwortmoglichkeit|reponse|respuesta|alternativa|الخيار|الإجابة|ответ|选项|1|answer|antwort|letter|entry|statement|of  (?:those|these)|(?:in|on)  (?:your  )?list|[a-z]+  (?:you|listed|in  your|on  list|in  list)) ',
    ' ⌗@1 '),
    '^ ((?:[^ ]+  )?(?:[^ ]+  )?(?:[^ ]+  )?(?:[^ ]+  )?)№([0-9yz])((?:  (?:planet|colour|color|month|day|item|word|picture|image|name|entry|answer|position|place))?(?:  [.:,!]| $|  but  №))',
    ' @1⌗@2 @3'),
    ' №([0-9yz])  [a-z]+  (?:in|of|on)  (?:your  |these  |those  )?(?:list|choices|options|answers) ', ' ⌗@1 ')

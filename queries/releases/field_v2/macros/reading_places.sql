-- The same with times of day in digits, and the number of a choice as ⌗ and its digit: option 2,
-- the second one, 3番. ⌗z is the last, ⌗y the one before it; ⌙ is a number in brackets.
CREATE MACRO reading_places(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    -- times of day
    ' quarter  past  ([0-9]+) ', ' @1:15 '),
    ' half  past  ([0-9]+) ', ' @1:30 '),
    ' ([0-9])  past  ([0-9]+) ', ' @2:0@1 '),
    ' ([0-9][0-9])  past  ([0-9]+) ', ' @2:@1 '),
    '^ №([0-9yz])  [a-z]+((?:  [.])?) $', ' ⌗@1 @2 '),
    ' (?:option|choice|number)  (?:number  )?10 ', ' ⌗0 '),
    ' 1  (?:-  )?№([3-9]) ', ' 1  /  @1 '),
    ' 1  before  last ', ' №y  option '),
    ' 0([1-9]:[0-9][0-9]) ', ' @1 '),
    ' (?:tick|check|mark|pick|choose|select)  №([1-9yz])  [a-z]+ ', ' pick  ⌗@1 '),
    ' 1  (?:named|listed|mentioned|given)  №([1-9z]) ', ' ⌗@1 '),
    '^ [(]  ([1-9])  [)] $', ' ⌙@1 '),
    ' penultimate ', ' №y '),
    ' №2  to  last ', ' №y '),
    ' last  (option|choice|suggestion|alternative|candidate|possibility|colour|color|month|day|word|picture|image|name|entry|answer|position|place) ', ' №z  @1 '),
    ' (?:last|final)  (1|item|of  (?:those|these|your|[3-9])|(?:in|on)  (?:your  )?list|[a-z]+  (?:you|listed|(?:in|on)  (?:your  )?list)) ',
    ' №z  @1 '),
    ' (?:option|choice|number|no|item|opcion|opcao|opzione|proposition|вариант|विकल्प|ตัวเลือกที่|ข้อที่|ข้อ|선택지|보기|antwortmoglichkeit|reponse|respuesta|alternativa|الخيار|الإجابة|ответ|选项)  (?:(?:no|nr|number|option|[.]|[(])  )*([1-9]) ',
    ' option  ⌙@1 '),
    ' (?:answer|option|choice)  (?:is|:)  (?:(?:no|number|option|choice|[.]|[(])  )*([1-9])  ([.)]|$)',
    ' answer  is  ⌙@1  @2'),
    ' (?:الخيار|الإجابة)  №([0-9]) ', ' ⌗@1 '),
    ' №([0-9yz])  (?:option|choice|number|no|item|opcion|opcao|opzione|proposition|вариант|विकल्प|ตัวเลือกที่|ข้อที่|ข้อ|선택지|보기|antwortmoglichkeit|reponse|respuesta|alternativa|الخيار|الإجابة|ответ|选项|1|answer|antwort|letter|entry|statement|suggestion|alternative|candidate|possibility|of  (?:those|these|your|[3-9])|(?:in|on)  (?:your  )?list|[a-z]+  (?:you|listed|in  your|on  list|in  list)) ',
    ' ⌗@1 '),
    '^ ((?:[^ ]+  )?(?:[^ ]+  )?(?:[^ ]+  )?(?:[^ ]+  )?)№([0-9yz])((?:  (?:planet|colour|color|month|day|item|word|picture|image|name|entry|answer|position|place))?(?:  [.!]| $|  but  №))',
    ' @1⌗@2 @3'),
    ' №([0-9yz])  [a-z]+  (?:in|of|on)  (?:your  |these  |those  )?(?:list|choices|options|answers) ', ' ⌗@1 ')

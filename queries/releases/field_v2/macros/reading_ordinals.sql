-- What reading_verbs left, with № and a digit for each number that counts (first, 2nd, 第三个), №z
-- for the last and №y for the one before it.
CREATE MACRO reading_ordinals(tokens) AS
replace(replace(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(
    reading_verbs(tokens),
    ' ([1-9])  (?:st|nd|rd|th) ', ' №@1 '),
    ' (?:first|erste[nrs]?|premiere?|primer[ao]?|prim[ao]|первый|الأول|الأولى|पहला|ที่หนึ่ง) ', ' №1 '),
    ' (?:second|zweite[nrs]?|deuxieme|seconde|segund[ao]|second[ao]|второй|الثاني|الثانية|दूसरा) ', ' №2 '),
    ' (?:third|dritte[nrs]?|troisieme|tercer[ao]?|terceir[ao]|terz[ao]|третий|الثالث|الثالثة|तीसरा) ', ' №3 '),
    ' (?:fourth|vierte[nrs]?|quatrieme|cuart[ao]|quart[ao]|четв[её]ртый|الرابع|الرابعة|चौथा) ', ' №4 '),
    ' (?:fifth|funfte[nrs]?|cinquieme|quint[ao]|пятый|الخامس) ', ' №5 '),
    ' (?:sixth|sechste[nrs]?|sixieme) ', ' №6 '),
    ' (?:seventh) ', ' №7 '),
    ' (?:eighth) ', ' №8 '),
    ' (?:ninth) ', ' №9 '),
    ' (?:tenth) ', ' №0 '),
    ' (?:letzte[nrs]?|derniere?|ultim[ao]|последний|الأخير) ', ' №z '),
    '第 *([1-9]) *[个個項项番]', ' №@1 option '),
    '倒数第二[个個项]?', ' №y option '),
    '第一[个個項项]', ' №1 option '),
    '第二[个個項项]', ' №2 option '),
    '第三[个個項项]', ' №3 option '),
    '第四[个個項项]', ' №4 option '),
    '第五[个個項项]', ' №5 option '),
    '第六[个個項项]', ' №6 option '),
    '最[后後]一[个個]', ' №z option '),
    ' ([1-9])  (?:番目?|번째?)', ' ⌗@1 '),
    ' 두  번째', ' №2 '),
    ' 마지막', ' №z ')

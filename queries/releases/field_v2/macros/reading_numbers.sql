-- The same with numbers up to twenty, and tens, in digits.
CREATE MACRO reading_numbers(tokens) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    tokens,
    ' (?:zero|null) ', ' 0 '),
    ' (?:one|하나|한|หนึ่ง|一つ) ', ' 1 '),
    ' (?:two|zwei|deux|dos|duas|dois|due|два|две|둘|두|اثنان|اثنين|สอง|二つ) ', ' 2 '),
    ' (?:three|drei|trois|tres|tre|три|셋|세|ثلاثة|ثلاث|สาม|तीन|三つ) ', ' 3 '),
    ' (?:four|vier|quatre|cuatro|quatro|quattro|четыре|넷|네|أربعة|أربع|สี่|चार|四つ) ', ' 4 '),
    ' (?:five|funf|cinq|cinco|cinque|пять|다섯|خمسة|خمس|ห้า|पाँच|五つ) ', ' 5 '),
    ' (?:six|sechs|seis|sei|шесть|여섯|ستة|ست|หก|छह|六つ) ', ' 6 '),
    ' (?:seven|sieben|sept|siete|sete|sette|семь|일곱|سبعة|سبع|เจ็ด|सात) ', ' 7 '),
    ' (?:eight|acht|huit|ocho|oito|otto|восемь|여덟|ثمانية|แปด|आठ) ', ' 8 '),
    ' (?:nine|neun|neuf|nueve|nove|девять|아홉|تسعة|เก้า|नौ) ', ' 9 '),
    ' (?:ten|zehn|dix|diez|dez|dieci|десять|열|عشرة|สิบ|दस) ', ' 10 '),
    ' (?:eleven|elf|onze|once) ', ' 11 '),
    ' (?:twelve|zwolf|douze|doce) ', ' 12 '),
    ' thirteen ', ' 13 '),
    ' fourteen ', ' 14 '),
    ' fifteen ', ' 15 '),
    ' sixteen ', ' 16 '),
    ' seventeen ', ' 17 '),
    ' eighteen ', ' 18 '),
    ' nineteen ', ' 19 '),
    ' (?:twenty) ', ' 20 '),
    ' (?:thirty) ', ' 30 '),
    ' (?:forty) ', ' 40 '),
    ' (?:fifty) ', ' 50 '),
    ' (?:sixty) ', ' 60 '),
    ' (?:seventy) ', ' 70 '),
    ' (?:eighty) ', ' 80 '),
    ' (?:ninety) ', ' 90 ')

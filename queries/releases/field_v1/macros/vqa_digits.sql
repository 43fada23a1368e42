-- One word of an answer to a visual question, numbers up to ten in digits; none is 0.
CREATE MACRO vqa_digits(word) AS
CASE word
    WHEN 'none' THEN '0'
    WHEN 'zero' THEN '0'
    WHEN 'one' THEN '1'
    WHEN 'two' THEN '2'
    WHEN 'three' THEN '3'
    WHEN 'four' THEN '4'
    WHEN 'five' THEN '5'
    WHEN 'six' THEN '6'
    WHEN 'seven' THEN '7'
    WHEN 'eight' THEN '8'
    WHEN 'nine' THEN '9'
    WHEN 'ten' THEN '10'
    ELSE word
END

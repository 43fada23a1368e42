-- The first word of a text, '' where there is none; white space is what the macro spaced says.
CREATE MACRO first_word(answer) AS regexp_extract(' ' || spaced(answer) || ' ', '([^ ]+)', 1)

-- Words as one text, each with a space before and after it.
CREATE MACRO spread_words(texts) AS
CASE WHEN array_length(texts) > 0 THEN ' ' || array_to_string(texts, '  ') || ' ' ELSE '' END

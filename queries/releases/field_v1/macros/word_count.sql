-- How often a word stands in a text whose words each have a space before and after them.
CREATE MACRO word_count(spread, word) AS
(length(spread) - length(replace(spread, ' ' || word || ' ', ''))) // (length(word) + 2)

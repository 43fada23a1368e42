-- Each text of a list once.
CREATE MACRO distinct_texts(texts) AS array_distinct(texts)

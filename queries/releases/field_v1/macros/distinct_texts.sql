-- Each text of a list once.
-- @engines both
CREATE MACRO distinct_texts(texts) AS list_distinct(texts)

-- All of it.
CREATE MACRO compared_answer(text) AS text

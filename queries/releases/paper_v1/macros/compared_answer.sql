-- What of an answer in words is compared with the references: all of it.
CREATE MACRO compared_answer(text) AS text

-- Whether an answer is not read, whatever a judge said of it: a blank one says nothing.
CREATE MACRO is_never_read(text) AS is_blank_answer(text)

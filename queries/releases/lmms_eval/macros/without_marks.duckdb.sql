-- The text without some characters at its ends, as Python's str.strip takes them off.
CREATE MACRO without_marks(text, marks) AS trim(text, marks)

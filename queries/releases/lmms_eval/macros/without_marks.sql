-- The text without some characters at its ends, as Python's str.strip takes them off.
-- @engines both
CREATE MACRO without_marks(text, marks) AS trim(text, marks)

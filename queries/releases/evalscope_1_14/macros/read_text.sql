-- The peer knows of no marks that a run or benchmark declares.
CREATE MACRO read_text(text, thinking) AS text

-- Whether an answer is an empty cell, or blank.
CREATE MACRO is_blank_answer(text) AS text IS NULL OR replace(spaced(text), ' ', '') = ''

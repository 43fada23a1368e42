-- Whether an answer is an empty cell to pandas, which takes words such as NA for one.
CREATE MACRO is_blank_answer(text) AS rule_text(text) = 'nan'

-- A text without regard to case, as Python's str.casefold for the letters that texts have: in lower
-- case, ß as ss and a final sigma as any other.
CREATE MACRO case_folded(text) AS replace(replace(python_lower(text), 'ß', 'ss'), 'ς', 'σ')

-- A mathematical answer without blanks and what LaTeX puts around it: dollar signs, brackets of
-- displays, sizes and spaces. A backslash is written as an at sign and a caret as a
-- tilde, for patterns.
CREATE MACRO math_bare(text) AS
replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    translate(replace(spaced(text), ' ', ''), '@|^' || decode(unhex('5C')) || '$', '??~@'),
    '@left', ''), '@right', ''), '@(', ''), '@)', ''), '@[', ''), '@]', ''), '@,', ''), '@!', ''),
'@dfrac', '@frac'), '@tfrac', '@frac')

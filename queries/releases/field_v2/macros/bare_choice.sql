-- A text without white space and the marks that stand around a label and its choice.
CREATE MACRO bare_choice(text) AS
translate(spaced(text), ' ()[]{}<>*_`"''$#.:', '')

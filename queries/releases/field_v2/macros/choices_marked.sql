-- The text with the signs of the choices in place of what names them (see choice_form).
-- @engines both
CREATE MACRO choices_marked(text, forms) AS
list_reduce(forms, lambda x_, y_: replace(x_, split_part(y_, '¦', 2), split_part(y_, '¦', 3)), text)

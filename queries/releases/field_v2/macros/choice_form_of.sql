-- What stands for a choice's text, with its sign, as choice_form sorts them: the longest first.
CREATE MACRO choice_form_of(size, old, new) AS
('1' || CAST(89999 - size AS VARCHAR) || '¦' || old || '¦' || new)

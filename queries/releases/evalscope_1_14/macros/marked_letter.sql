-- The label that a reply names (evalscope 1.14, the rule for letters): the only one behind the last
-- ANSWER: that has any; where none has, the last upper-case letter of all, if it is a label. ''
-- for none: the text of an option is never looked for.
CREATE MACRO marked_letter(text, letters) AS
CASE
    WHEN labelled_part(text, letters) <> '' THEN only_label(labelled_part(text, letters), letters)
    ELSE first_group(text, '(?s).*([' || letters || '])[^\p{Lu}Ⅰ-ⅯⒶ-Ⓩ]*\z')
END

-- The numbers within a text, as texts without commas.
-- @engines both
CREATE MACRO number_texts(text) AS
regexp_extract_all(
    regexp_replace(text, '([0-9]),([0-9]{3})', '\1\2', 'g'),
    '-?(?:[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|[.][0-9]+)'
)

-- The number in the first group of a pattern, where a text between bars fits it. NULL: it does not.
CREATE MACRO pattern_number(core, pattern) AS
as_number(nullif(first_group('|' || core || '|', pattern), ''))

-- The text with each match of a pattern replaced; @1, @2 and @3 are what its groups matched.
-- @engines both
CREATE MACRO each_replaced(text, pattern, new) AS
regexp_replace(text, pattern, replace(new, '@', decode(unhex('5C'))), 'g')

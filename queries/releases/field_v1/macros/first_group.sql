-- What the first group of a benchmark's pattern finds in a text, '' where it finds nothing.
-- @engines both
CREATE MACRO first_group(text, pattern) AS regexp_extract(text, pattern, 1)

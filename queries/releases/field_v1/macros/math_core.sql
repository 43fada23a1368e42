-- As math_bare, and without a box around all of it.
-- @engines both
CREATE MACRO math_core(text) AS
replace(regexp_replace('|' || math_bare(text) || '|', '[|]@boxed[{]([^|]+)[}][|]', '\1', 'g'), '|', '')

-- As math_bare, and without a box around all of it.
CREATE MACRO math_core(text) AS
coalesce(
    nullif(regexp_extract('|' || math_bare(text) || '|', '[|]@boxed[{]([^|]+)[}][|]', 1), ''),
    math_bare(text)
)

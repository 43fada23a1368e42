-- The number that a mathematical answer without LaTeX's wrappers (math_core) is: a decimal number,
-- a fraction, a power of whole numbers, a product of two numbers. NULL: it is none of them.
CREATE MACRO math_number(core) AS
coalesce(
    pattern_number(core, '[|][+]?(-?[0-9]+[.]?[0-9]*|-?[.][0-9]+)[|]'),
    pattern_number(core, '[|][+]?(-?[0-9]+[.]?[0-9]*)/[0-9]+[.]?[0-9]*[|]')
    / nullif(pattern_number(core, '[|][+-]?[0-9]+[.]?[0-9]*/([0-9]+[.]?[0-9]*)[|]'), 0.0),
    pattern_number(core, '[|][+-]?@frac[{](-?[0-9]+[.]?[0-9]*)[}][{][0-9]+[.]?[0-9]*[}][|]')
    / nullif(
        pattern_number(core, '[|][+-]?@frac[{]-?[0-9]+[.]?[0-9]*[}][{]([0-9]+[.]?[0-9]*)[}][|]'), 0.0
    )
    * CASE WHEN contains('|' || core, '|-') THEN -1.0 ELSE 1.0 END,
    -- Exact as far as a DOUBLE holds whole numbers.
    round(
        exp(
            pattern_number(core, '[|][0-9]+(?:[*][*]|~)[{]?([0-9][0-9]?)[}]?[|]')
            * ln(nullif(pattern_number(core, '[|]([0-9]+)(?:[*][*]|~)[{]?[0-9][0-9]?[}]?[|]'), 0.0))
        ),
        0
    ),
    pattern_number(core, '[|](-?[0-9]+[.]?[0-9]*)(?:@times|@cdot|[*])[0-9]+[.]?[0-9]*[|]')
    * pattern_number(core, '[|]-?[0-9]+[.]?[0-9]*(?:@times|@cdot|[*])([0-9]+[.]?[0-9]*)[|]')
)

-- A text that is a number as DOUBLE; NULL: it is none. What DuckDB alone takes for one (1_000,
-- +nan) is one, and what Java alone does (1d, 0x1p3) is none.
CREATE MACRO as_number(text) AS
CASE
    WHEN NOT regexp_like(text, '[0-9.][dDfF]|[xX]')
        THEN TRY_CAST(regexp_replace(text, '(?<=[0-9])_(?=[0-9])|^ *[+-](?=[nN])', '') AS DOUBLE)
END

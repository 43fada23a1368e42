-- A text that is a number as DOUBLE; NULL: it is none.
CREATE MACRO as_number(text) AS TRY_CAST(text AS DOUBLE)

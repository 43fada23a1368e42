-- A text that is a number as DOUBLE; NULL: it is none.
-- @engines both
CREATE MACRO as_number(text) AS TRY_CAST(text AS DOUBLE)

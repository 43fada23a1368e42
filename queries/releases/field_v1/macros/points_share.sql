-- Whole points out of the most that there are (points_3: three), from 0 to 1. NULL: the reply is no
-- such number.
CREATE MACRO points_share(reply, normaliser) AS
CASE
    WHEN
        as_number(regexp_extract('|' || stripped(reply) || '|', '[|]([0-9]+)[|]', 1))
        <= as_number(replace(normaliser, 'points_', ''))
        THEN as_number(regexp_extract('|' || stripped(reply) || '|', '[|]([0-9]+)[|]', 1))
            / as_number(replace(normaliser, 'points_', ''))
END

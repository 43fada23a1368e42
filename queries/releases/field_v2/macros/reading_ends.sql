-- Of a long answer the beginning and the end: what stands between seldom states anything.
CREATE MACRO reading_ends(said) AS
CASE
    WHEN length(said) > 2400 THEN substr(said, 1, 900) || ' … ' || substr(said, length(said) - 1499)
    ELSE said
END

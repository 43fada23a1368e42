-- A whole reply, where it is one word: the peer reads no number that has anything behind it.
CREATE MACRO first_word(reply) AS
CASE
    WHEN
        replace(spaced(reply), ' ', '')
        = regexp_extract(' ' || spaced(reply) || ' ', '([^ ]+)', 1)
        THEN replace(spaced(reply), ' ', '')
    ELSE ''
END

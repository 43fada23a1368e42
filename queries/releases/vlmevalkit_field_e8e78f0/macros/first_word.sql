-- A whole reply, where it is one word: the peer reads no number that has anything behind it.
CREATE MACRO first_word(reply) AS
CASE
    WHEN regexp_matches(spaced(reply), '^ *[^ ]+ *$') THEN trim(spaced(reply))
    ELSE ''
END

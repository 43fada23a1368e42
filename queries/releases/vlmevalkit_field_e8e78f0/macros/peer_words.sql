-- The words of a text between spaces, as the peer's matcher divides it.
CREATE MACRO peer_words(text) AS
(' ' || spaced(translate(text, '.()[],:;!*#{}', repeat(' ', 13))) || ' ')

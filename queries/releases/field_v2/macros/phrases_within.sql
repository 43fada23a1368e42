-- The pattern of all phrases of a kind in languages that write no spaces, or join words to them.
CREATE MACRO phrases_within(kind) AS
('(?:' || phrase_patterns(
    each_replaced(phrases_listed(kind), '§[^¦]*¦(?:en|de|fr|es|pt|it|ru|ar|hi)¦[^§]*', '')
) || ')')

-- The pattern of all phrases of a kind in languages that write spaces.
CREATE MACRO phrases(kind) AS
(' (?:' || replace(
    phrase_patterns(each_replaced(phrases_listed(kind), '§[^¦]*¦(?:zh|ja|ko|th)¦[^§]*', '')), ' ', '  '
) || ') ')

-- The patterns of some rows of phrases_listed as one, each an alternative.
CREATE MACRO phrase_patterns(rows_) AS
each_replaced(each_replaced(rows_, '§[^¦]*¦[^¦]*¦([^¦]*)¦[^§]*', '@1|'), '[|]$', '')

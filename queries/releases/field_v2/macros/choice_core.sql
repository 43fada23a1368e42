-- A choice's text without the word that it begins with, where that only leads to it; else ''.
CREATE MACRO choice_core(key) AS
first_group(
    key, '^ (?:on|in|at|to|from|by|with|it  is|they  are|he  is|she  is|there  is|there  are|is|are)  ([^ ].*)'
)

-- An answer as rules for words read it: as it stands.
-- @hook Gets the raw answer; gives the text that the rules read, NULL for none.
CREATE MACRO rule_text(text) AS text

-- An answer as rules for words read it: what stands after its thinking.
-- @hook Gets the raw answer; gives the text that the rules read, NULL for none.
CREATE MACRO rule_text(text) AS after_thinking(text)

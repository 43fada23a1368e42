-- lmms-eval reads an answer as it stands, its thinking too.
CREATE MACRO after_thinking(text) AS text

-- How many passes have to be right for a question to be right under CircularEval: those that are
-- present. The missing ones stay visible as n_missing.
CREATE MACRO required_passes(n_answered, n_expected) AS
CASE WHEN n_answered > 0 THEN n_answered ELSE n_expected END

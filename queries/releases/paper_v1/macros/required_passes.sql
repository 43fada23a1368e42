-- How many passes have to be right for a question to be right under CircularEval (MMBench, Section
-- 4.2): all that the dataset holds, so that a missing one is wrong.
-- @hook Gets the passes answered and those of the dataset; gives how many have to be right, which
--   may be a fraction.
CREATE MACRO required_passes(n_answered, n_expected) AS n_expected

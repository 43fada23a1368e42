-- Whether a question counts for its abilities: every one does, missing answers are wrong ones.
-- @hook Gets whether pass 0 was answered (0 or 1, over samples the largest); gives TRUE or FALSE.
CREATE MACRO is_counted(first_answered) AS first_answered IS NOT NULL

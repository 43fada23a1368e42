-- Whether a question counts for its abilities: every one does, missing answers are wrong ones.
CREATE MACRO is_counted(first_answered) AS first_answered IS NOT NULL

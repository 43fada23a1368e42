-- Whether a question counts for its abilities: the harness knows the documents that it put, and no
-- others.
CREATE MACRO is_counted(first_answered) AS first_answered > 0

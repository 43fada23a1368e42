-- Whether a question counts for its abilities: VLMEvalKit leaves out those whose pass 0 is missing.
CREATE MACRO is_counted(first_answered) AS first_answered > 0

-- VLMEvalKit scores the text of a failed call like any answer.
CREATE MACRO is_no_answer(failed_flag, text) AS failed_flag AND FALSE

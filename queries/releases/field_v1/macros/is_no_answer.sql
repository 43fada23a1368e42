-- Whether inference failed, so that there is no answer to score: the harness flagged it, or wrote
-- VLMEvalKit's words for it.
CREATE MACRO is_no_answer(failed_flag, text) AS
coalesce(failed_flag, FALSE) OR coalesce(contains(text, 'Failed to obtain answer via API'), FALSE)

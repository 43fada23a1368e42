-- VLMEvalKit has its judge read blank answers too.
CREATE MACRO is_never_read(text) AS text IS NULL AND FALSE

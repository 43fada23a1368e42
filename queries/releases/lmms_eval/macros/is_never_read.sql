-- Whether an answer is not read, whatever a judge said of it: the harness reads every one.
CREATE MACRO is_never_read(text) AS text IS NOT NULL AND text IS NULL

-- Whether an answer is none because the harness recorded that inference failed.
CREATE MACRO is_failed(failed_flag) AS failed_flag

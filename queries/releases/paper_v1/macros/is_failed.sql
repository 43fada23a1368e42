-- Whether an answer is none because the harness recorded that inference failed.
-- @hook Gets the harness's flag; gives TRUE or FALSE.
CREATE MACRO is_failed(failed_flag) AS failed_flag

-- The harness looks at the text alone: an answer that a harness flagged as failed is matched like
-- any.
CREATE MACRO is_failed(failed_flag) AS failed_flag AND FALSE

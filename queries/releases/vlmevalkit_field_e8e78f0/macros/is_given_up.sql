-- VLMEvalKit never asks again: what its judge did not say, for whatever reason, is wrong.
CREATE MACRO is_given_up(state, n_unusable, max_attempts) AS state <> 'ok' AND n_unusable >= 0 AND max_attempts > 0

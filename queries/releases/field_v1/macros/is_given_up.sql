-- Whether a judge whose replies cannot be used is not asked again: all its attempts came back so.
CREATE MACRO is_given_up(state, n_unusable, max_attempts) AS
state = 'unparsable' AND n_unusable >= max_attempts

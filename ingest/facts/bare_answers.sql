-- Answers of which nothing but their ids says which questions they are of.

-- name: are_numbers
SELECT coalesce(bool_and(regexp_full_match(question_key, '[0-9]{{1,6}}')), false)
FROM {answers}

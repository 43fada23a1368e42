-- Why two releases disagree.

-- name: no_rules
-- In the place of question_rule, in a release that has none.
(SELECT NULL::INTEGER AS question_id, NULL::VARCHAR AS rule, NULL::VARCHAR AS normaliser WHERE false)

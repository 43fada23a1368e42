-- The task of the judges that a rule needs: they extract an answer, compare it with the reference,
-- or grade it. NULL: none.
CREATE MACRO rule_task(rule, normaliser) AS
CASE
    WHEN rule = 'extracted' AND normaliser IN ('equivalence', 'bare', 'words') THEN 'equivalence'
    WHEN rule = 'extracted' THEN 'answer_extraction'
    WHEN rule = 'graded' AND normaliser = 'pair' THEN 'pair'
    WHEN rule = 'graded' AND contains(normaliser, 'points_') THEN 'points'
END

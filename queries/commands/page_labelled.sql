-- The subjects that a person has labelled already.
SELECT DISTINCT j.subject_hash
FROM main.judgment AS j
INNER JOIN main.judge AS g ON j.judge_id = g.judge_id
WHERE g.name = $annotator

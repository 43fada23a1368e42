-- What two datasets disagree about.
SELECT
    d.field, d.question_key AS question, d.other_question_key AS "other question",
    d.matched_by AS "matched by", d.pass, d.label, d.value, d.other_value AS "other value",
    d.is_spelling AS "spelling only"
FROM dataset_diff AS d
WHERE d.dataset_id = $one AND d.other_dataset_id = $other
ORDER BY d.field, d.question_key NULLS LAST, d.other_question_key, d.pass, d.label

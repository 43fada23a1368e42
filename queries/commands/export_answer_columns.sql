-- What stood next to the answers of runs: one row per answer and column. Prompts are the harness's.
SELECT run_id, question_id, pass, name, value
FROM main.answer_attribute
WHERE list_contains($run_ids, run_id) AND sample = $sample AND name <> 'prompt'
ORDER BY run_id, question_id, pass, name

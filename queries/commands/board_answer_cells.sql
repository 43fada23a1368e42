-- What became of the cells of a spreadsheet that answers stood in, counted by run.
SELECT run_id, value AS state, count(*) AS n
FROM main.answer_attribute
WHERE name = 'cell'
GROUP BY run_id, value

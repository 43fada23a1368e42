-- The judges that boards of a task can be seen under.
SELECT DISTINCT judge
FROM judge_scope
WHERE task = $task AND judge <> 'none'
ORDER BY judge

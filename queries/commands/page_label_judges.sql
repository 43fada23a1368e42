-- The judges whose verdicts a person can check, with how many there are.
SELECT judge, count(*) AS n
FROM label_todo
GROUP BY judge
ORDER BY judge

-- What the console shows before anything is asked.

-- name: first
SELECT model, score FROM leaderboard
WHERE level = 'overall' AND average = 'micro' AND is_latest AND strategy = 'vanilla' AND judge = 'none'
ORDER BY score DESC

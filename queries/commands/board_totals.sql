-- What each judge sample adds up to, for the boards of soft scores: one row per run, ability and
-- judge sample.
SELECT s.run_id, t.ability_id, s.judge_sample, s.score
FROM subset_sample_total AS s
INNER JOIN main.benchmark AS b ON s.benchmark = b.name
INNER JOIN ability_tree AS t
    ON b.benchmark_id = t.benchmark_id AND s.level = t.level AND s.ability = t.ability
WHERE s.benchmark = $benchmark AND s.judge = $judge AND s.subset = $subset
ORDER BY s.run_id, t.ability_id, s.judge_sample

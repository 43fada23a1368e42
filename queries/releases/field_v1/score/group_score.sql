-- The score of each group of questions that count together (strategy group:NAME), as far as they
-- count for an ability: a missing answer is wrong. One row per run, judge, kind of group, subset,
-- ability and group.
-- @internal
-- @name The kind of group, such as figure.
-- @group_key The parts of the group's key.
-- @score_low The group's score if every pending verdict turns out wrong; NULL: an answer is hidden.
-- @score_high The same if every one turns out right.
-- @n_missing The most answers that one of its questions lacks.
WITH placed AS (
    SELECT
        q.run_id, q.judge, g.name, g.counts, g.group_key, l.subset, l.ability_id, q.score_low,
        q.score_high, q.n_missing, q.n_pending, q.n_fallback
    FROM question_result AS q
    INNER JOIN question_group AS g USING (question_id)
    INNER JOIN subset_level AS l USING (question_id)
    WHERE q.strategy = 'vanilla' AND q.n_expected > 0 AND q.counted
)

SELECT
    run_id, judge, name, subset, ability_id, group_key,
    CASE
        WHEN count(score_low) < count(*) THEN NULL
        WHEN counts = 'mean' THEN avg(score_low)
        WHEN min(score_low) >= 1.0 THEN 1.0
        ELSE 0.0
    END AS score_low,
    CASE
        WHEN count(score_high) < count(*) THEN NULL
        WHEN counts = 'mean' THEN avg(score_high)
        WHEN min(score_high) >= 1.0 THEN 1.0
        ELSE 0.0
    END AS score_high,
    max(n_missing) AS n_missing, sum(n_pending) AS n_pending, sum(n_fallback) AS n_fallback
FROM placed
GROUP BY run_id, judge, name, counts, subset, ability_id, group_key

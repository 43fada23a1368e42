-- How a board under an old judge goes on under a new one: models that the old judge scored keep
-- their scores, and those that the new one alone scored have their scores there less the shift,
-- which is what the new judge gives the same answers more, on average over the models that both
-- scored. By the benchmark's own strategy and average, over each model's latest run; the link holds
-- as far as the shift is alike for all models (shift_spread). One row per dataset, ability, pair of
-- judges in both orders with a model that both scored, and model that one of the two scored.
-- @judge_old The judge whose board goes on.
-- @judge_new The judge that takes its place.
-- @score_old The score under the old judge; NULL: it has not scored all of it.
-- @score_new The score under the new one.
-- @n_linking Models that both scored, from whose answers the shift is.
-- @shift Mean over these of score_new less score_old.
-- @shift_spread Standard deviation of these differences over the models; NULL: there is one alone.
-- @shift_stderr Standard error of the shift for a model of that kind: the spread by the root of
--   n_linking.
-- @linked_score score_new less shift: the new figure as the old judge's board would have it; a
--   shift that is not alike for all models may take it below 0 or above 1.
-- @score What the board shows: score_old, or else linked_score, which is cut to 0 … 1.
-- @how Where it is from: old judge, new judge less shift, or new judge less shift, cut.
-- @place Its rank by score, before any cut, ties sharing the best one.
WITH figure AS (
    SELECT *
    FROM board_column
),

pairs AS (
    SELECT
        o.dataset_id, o.ability_id, o.judge AS judge_old, n.judge AS judge_new,
        count(*) AS n_linking, avg(n.score - o.score) AS shift,
        stddev_samp(n.score - o.score) AS shift_spread
    FROM figure AS o
    INNER JOIN figure AS n
        ON
            o.dataset_id = n.dataset_id
            AND o.ability_id = n.ability_id
            AND o.model = n.model
            AND o.judge <> n.judge
    GROUP BY o.dataset_id, o.ability_id, o.judge, n.judge
),

long AS (
    SELECT
        p.judge_old, p.judge_new, p.n_linking, p.shift, p.shift_spread, c.dataset, c.dataset_id,
        c.level, c.ability, c.ability_id, c.model,
        max(CASE WHEN c.judge = p.judge_old THEN c.score END) AS score_old,
        max(CASE WHEN c.judge = p.judge_new THEN c.score END) AS score_new
    FROM pairs AS p
    INNER JOIN figure AS c
        ON
            p.dataset_id = c.dataset_id
            AND p.ability_id = c.ability_id
            AND (p.judge_old = c.judge OR p.judge_new = c.judge)
    GROUP BY
        p.judge_old, p.judge_new, p.n_linking, p.shift, p.shift_spread, c.dataset, c.dataset_id,
        c.level, c.ability, c.ability_id, c.model
)

SELECT
    dataset, dataset_id, level, ability, ability_id, judge_old, judge_new,
    rank() OVER (
        PARTITION BY dataset_id, ability_id, judge_old, judge_new
        ORDER BY round(coalesce(score_old, score_new - shift), 12) DESC
    ) AS place,
    model,
    CASE
        WHEN score_old IS NOT NULL THEN score_old
        WHEN score_new - shift < 0 THEN 0.0
        WHEN score_new - shift > 1 THEN 1.0
        ELSE score_new - shift
    END AS score,
    CASE
        WHEN score_old IS NOT NULL THEN 'old judge'
        WHEN score_new - shift < 0 OR score_new - shift > 1 THEN 'new judge less shift, cut'
        ELSE 'new judge less shift'
    END AS how,
    score_old, score_new, score_new - shift AS linked_score, n_linking, shift, shift_spread,
    shift_spread / sqrt(1e0 * n_linking) AS shift_stderr
FROM long

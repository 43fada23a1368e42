-- Published scores compared with ours, those of the model's latest run (MM-Vet's score files). One
-- row per published score, dataset of the benchmark and judge under which that run has a score; a
-- score without one of ours has one row with NULLs.
-- @dataset The dataset of the run; NULL: the model has no run with grades.
-- @run_id The model's latest run of the dataset; NULL: there is none with grades.
-- @judge The judge of our score; the published one may have had another.
-- @published In percent, as printed.
-- @published_spread The published standard deviation over judge samples, as printed; only Overall
--   has one.
-- @published_samples The published totals of the judge samples, as printed.
-- @total Ours: the mean of the totals of the judge samples, in percent; NULL while pending.
-- @spread Ours: the population standard deviation of those totals.
-- @n_judge_samples Judge samples of ours.
-- @difference Ours less the published one, in points.
-- @is_same Whether ours, rounded to as many digits, is what is printed; a tie may be rounded either
--   way.
-- @is_same_spread The same of the standard deviation.
WITH stated AS (
    SELECT p.benchmark_id, p.model_id, p.ability_id, p.total, p.spread, p.sample_totals
    FROM main.published_score AS p
    -- Both files of a run state its total.
    GROUP BY p.benchmark_id, p.model_id, p.ability_id, p.total, p.spread, p.sample_totals
),

published AS (
    SELECT
        s.*, b.name AS benchmark, m.name AS model, t.level, t.ability, t.abbreviation,
        t.ordinal AS ability_ordinal, CAST(s.total AS DOUBLE) AS number,
        CAST(s.spread AS DOUBLE) AS spread_number,
        -- Half of the last printed digit.
        CAST(
            '0.' || repeat('0', length(regexp_extract(s.total, '[.]([0-9]+)', 1))) || '5' AS DOUBLE
        ) AS slack,
        CAST(
            '0.' || repeat('0', length(regexp_extract(s.spread, '[.]([0-9]+)', 1))) || '5' AS DOUBLE
        ) AS spread_slack
    FROM stated AS s
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    INNER JOIN main.model AS m USING (model_id)
    INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
),

ours AS (
    SELECT
        s.run_id, s.dataset, s.judge, r.benchmark_id, r.model_id, s.level, s.ability,
        count(*) AS n_judge_samples,
        CASE WHEN count(s.total) = count(*) THEN avg(s.total) END AS total,
        CASE WHEN count(s.total) = count(*) THEN stddev_pop(s.total) END AS spread
    FROM sample_total AS s
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.is_latest
    GROUP BY s.run_id, s.dataset, s.judge, r.benchmark_id, r.model_id, s.level, s.ability
),

paired AS (
    SELECT
        p.*, o.dataset, o.run_id, o.judge, o.n_judge_samples,
        -- The last bits depend on the order in which an engine adds up.
        round(o.total, 9) AS ours,
        round(o.spread, 9) AS our_spread
    FROM published AS p
    INNER JOIN ours AS o USING (benchmark_id, model_id, level, ability)
),

either AS (
    SELECT * FROM paired
    UNION ALL
    SELECT
        p.*, NULL AS dataset, NULL AS run_id, NULL AS judge, NULL AS n_judge_samples, NULL AS ours,
        NULL AS our_spread
    FROM published AS p
    WHERE
        NOT EXISTS (
            SELECT 1
            FROM ours AS o
            WHERE
                p.benchmark_id = o.benchmark_id
                AND p.model_id = o.model_id
                AND p.level = o.level
                AND p.ability = o.ability
        )
)

SELECT
    benchmark, model, level, ability, abbreviation, ability_ordinal, total AS published,
    spread AS published_spread, sample_totals AS published_samples, dataset, run_id, judge,
    ours AS total, our_spread AS spread, n_judge_samples, ours - number AS difference,
    abs(ours - number) <= slack + 0.00000001 AS is_same,
    abs(our_spread - spread_number) <= spread_slack + 0.00000001 AS is_same_spread
FROM either

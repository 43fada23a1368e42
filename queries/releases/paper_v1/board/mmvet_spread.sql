-- MM-Vet's ± (Section 4.1): what the samples of a judge add up to, over the questions that the
-- model's latest run answered. One row per run, judge and subset.
-- @internal
-- @n_samples Judge samples that count for the run (see graded_sample).
-- @spread Population standard deviation of their totals, in percentage points; NULL while pending,
--   or where nothing was answered.
-- @low The lowest of their totals, in percent.
-- @high The highest of their totals, in percent.
-- Sums of decimals do not depend on the order of addition.
WITH graded AS (
    SELECT
        o.run_id, o.question_id, o.judge, o.judge_sample, o.score, o.resolved_by,
        max(CASE WHEN o.resolved_by = 'missing' THEN 1 ELSE 0 END) OVER (
            PARTITION BY o.run_id, o.question_id, o.judge
        ) AS is_missing
    FROM pass_result AS o
    INNER JOIN graded_sample AS g USING (run_id, judge, judge_sample)
    INNER JOIN current_run AS r USING (run_id)
    WHERE o.task = 'open' AND r.benchmark = 'MM-Vet' AND r.is_latest
),

totals AS (
    SELECT
        g.run_id, g.judge, g.judge_sample, l.subset,
        CASE
            WHEN sum(CASE WHEN g.resolved_by = 'pending' THEN 1 ELSE 0 END) = 0
                THEN 100 * CAST(avg(CAST(CASE WHEN g.is_missing = 0 THEN g.score END AS DECIMAL(18, 15))) AS DOUBLE)
        END AS total
    FROM graded AS g
    INNER JOIN subset_level AS l ON g.question_id = l.question_id AND l.ability_id = 0
    GROUP BY g.run_id, g.judge, g.judge_sample, l.subset
)

SELECT
    run_id, judge, subset, count(*) AS n_samples,
    -- Its last bits depend on the order in which an engine adds up.
    CASE WHEN count(total) = count(*) THEN round(stddev_pop(total), 12) END AS spread,
    CASE WHEN count(total) = count(*) THEN min(total) END AS low,
    CASE WHEN count(total) = count(*) THEN max(total) END AS high
FROM totals
GROUP BY run_id, judge, subset

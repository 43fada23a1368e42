-- What harnesses give as figures of a run, and is one of its questions alone: the share of POPE's
-- whose answer is yes, of those that the run was asked. One row per run.
-- @internal
-- @metrics What harnesses call it, as metric_key gives names.
WITH asked AS (
    SELECT
        r.run_id, r.dataset,
        CASE WHEN python_lower(stripped(l.reference)) = 'yes' THEN 1.0 ELSE 0.0 END AS is_yes
    FROM current_run AS r
    INNER JOIN main.prediction AS p ON r.run_id = p.run_id AND p.sample = 0
    INNER JOIN reference_list AS l USING (question_id)
    WHERE r.benchmark = 'POPE'
)

SELECT
    run_id, 'none' AS judge, dataset, 'share of yes' AS figure,
    CAST(1000 AS SMALLINT) AS figure_ordinal, 'overall' AS level, 'Overall' AS ability,
    CAST(0 AS SMALLINT) AS ability_ordinal, CAST(avg(is_yes) AS DOUBLE) AS score,
    ['pope_yes_ratio,none'] AS metrics
FROM asked
GROUP BY run_id, dataset

-- MMBench talk (2024), English and Chinese: the same model on datasets that differ in language
-- alone, under CircularEval. One row per model, judge and ability.
-- @dataset The English dataset.
-- @dataset_cn The Chinese one, of the same version and split.
-- @run_id The run on the English dataset.
-- @run_id_cn The run on the Chinese one.
-- @en The score in English, in percent.
-- @cn The score in Chinese, in percent.
-- @difference cn less en, in percentage points.
-- @coverage Questions without a missing pass, in percent of all: the smaller of the two shares.
SELECT
    e.dataset, c.dataset AS dataset_cn, e.judge, e.run_id, c.run_id AS run_id_cn, e.model, e.level,
    e.ability, e.ability_ordinal, e.percent AS en, c.percent AS cn,
    c.percent - e.percent AS difference,
    CASE WHEN c.coverage < e.coverage THEN c.coverage ELSE e.coverage END AS coverage
FROM mmbench_cell AS e
INNER JOIN mmbench_cell AS c
    ON
        e.model_id = c.model_id
        AND e.judge = c.judge
        AND e.ability_id = c.ability_id
        AND e.version IS NOT DISTINCT FROM c.version
        AND e.split IS NOT DISTINCT FROM c.split
WHERE
    e.language = 'en'
    AND c.language = 'cn'
    AND e.strategy = 'circular'
    AND c.strategy = 'circular'

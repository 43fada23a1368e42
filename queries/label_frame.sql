-- What a plan of labels draws from.

-- name: benchmarks
SELECT DISTINCT b.name, b.benchmark_id
FROM {source} AS q
INNER JOIN main.benchmark AS b ON q.benchmark_id = b.benchmark_id
WHERE q.judge_id = $judge_id AND q.n_open > 0 AND q.judge_score IS NOT NULL
ORDER BY b.name

-- name: units
CREATE OR REPLACE TEMP TABLE label_unit_of_plan AS
WITH abilities AS (
    SELECT q.question_id, string_agg(a.name, '+' ORDER BY a.ordinal) AS ability
    FROM main.question_ability AS q
    INNER JOIN main.ability AS a ON q.ability_id = a.ability_id
    GROUP BY q.question_id
)

SELECT
    q.run_id, q.question_id,
    coalesce(
        nullif(
            concat_ws(
                '/',
                CASE WHEN $by_model THEN CASE WHEN count(*) OVER (PARTITION BY q.model, q.run_id)
                    < count(*) OVER (PARTITION BY q.model) THEN q.model || ' ' || q.run ELSE q.model END END,
                CASE WHEN $by_ability THEN coalesce(a.ability, '-') END,
                CASE WHEN $by_verdict
                    THEN CASE q.judge_score WHEN 1 THEN 'right' WHEN 0 THEN 'wrong' ELSE 'part' END END
            ),
            ''
        ),
        'all'
    ) AS stratum,
    q.judge_score,
    md5(
        concat_ws(
            ',', 'label/1', $seed, hex(d.name), hex(q.question_key), hex(q.model), hex(q.run)
        )
    ) AS hash
FROM {source} AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
LEFT JOIN abilities AS a ON q.question_id = a.question_id
WHERE
    q.judge_id = $judge_id
    AND q.benchmark_id = $benchmark_id
    AND q.n_open > 0
    AND q.judge_score IS NOT NULL

-- name: strata
SELECT stratum, count(*), stddev_pop(judge_score)
FROM label_unit_of_plan
GROUP BY stratum
ORDER BY stratum

-- name: rows
SELECT
    run_id, question_id, stratum,
    row_number() OVER (PARTITION BY stratum ORDER BY hash, run_id, question_id) AS place
FROM label_unit_of_plan

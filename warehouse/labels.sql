-- Plans of what people should label.

-- name: frame
CREATE OR REPLACE TEMP TABLE label_frame AS
WITH wanted AS (
    SELECT unnest($names) AS stratum, unnest($counts) AS n_drawn
),

placed AS ({rows})

SELECT
    p.run_id, p.question_id, p.stratum,
    w.n_drawn / count(*) OVER (PARTITION BY p.stratum) AS chance, p.place <= w.n_drawn AS is_drawn
FROM placed AS p
INNER JOIN wanted AS w ON p.stratum = w.stratum

-- name: content
-- By name, as ids are of one warehouse alone.
SELECT
    md5(
        string_agg(
            concat_ws(
                ',', hex(d.name), hex(q.question_key), hex(m.name), hex(r.label), hex(f.stratum), f.chance, f.is_drawn
            ),
            ';'
            ORDER BY d.name, q.question_key, m.name, r.label
        )
    )
FROM label_frame AS f
INNER JOIN main.run AS r ON f.run_id = r.run_id
INNER JOIN main.model AS m ON r.model_id = m.model_id
INNER JOIN main.question AS q ON f.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id

-- name: judge
SELECT name FROM main.judge WHERE judge_id = $judge_id

-- name: there
SELECT max(p.plan_id)
FROM main.source AS s
LEFT JOIN main.label_plan AS p ON s.source_id = p.source_id
WHERE s.sha256 = $sha256 AND s.format = 'label_plan'
GROUP BY s.source_id

-- name: latest
SELECT max(plan_id) FROM main.label_plan WHERE judge_id = $judge_id AND benchmark_id = $benchmark_id

-- name: add_plan
INSERT INTO main.label_plan (plan_id, judge_id, benchmark_id, n, divided_by, allocation, seed, source_id)
VALUES ($plan_id, $judge_id, $benchmark_id, $n, $divided_by, $allocation, $seed, $source_id)

-- name: add_units
INSERT INTO main.label_unit (plan_id, run_id, question_id, stratum, chance, is_drawn)
SELECT $plan_id, run_id, question_id, stratum, chance, is_drawn
FROM label_frame
ORDER BY run_id, question_id

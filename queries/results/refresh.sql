-- name: are_there
-- An earlier evalhouse had others, and somebody may have dropped one.
SELECT count(*) = len($names)
FROM (
    SELECT database_name, schema_name, table_name AS name FROM duckdb_tables()
    UNION ALL
    SELECT database_name, schema_name, view_name AS name FROM duckdb_views()
) AS o
WHERE
    o.database_name = current_database()
    AND o.schema_name = $schema
    AND list_contains($names, o.name);

-- name: stale
CREATE OR REPLACE TEMP TABLE stale AS
SELECT run_id FROM {internal}.stale_run;

-- name: need_of_before
CREATE OR REPLACE TEMP TABLE need AS
SELECT *
FROM {schema}.judge_need
WHERE run_id NOT IN (SELECT run_id FROM temp.stale);

-- name: add_changed
INSERT INTO stale
SELECT run_id
FROM changed_run
WHERE
    run_id IN (SELECT run_id FROM {schema}.current_run)
    AND run_id NOT IN (SELECT run_id FROM stale);

-- name: all_if_any
INSERT INTO stale
SELECT run_id
FROM {schema}.current_run
WHERE
    run_id NOT IN (SELECT run_id FROM stale)
    AND (
        EXISTS (SELECT 1 FROM stale)
        OR EXISTS (
            SELECT 1
            FROM {internal}.computed_run
            WHERE run_id NOT IN (SELECT run_id FROM {schema}.current_run)
        )
    );

-- name: groups
-- The runs by their answers, some $most in a group, and one more run at the most.
WITH counted AS (
    SELECT run_id, count(*) AS n FROM main.prediction GROUP BY run_id
    UNION ALL
    SELECT run_id, count(*) AS n FROM main.choice_score GROUP BY run_id
),

answers AS (
    SELECT s.run_id, coalesce(sum(c.n), 0) AS n
    FROM stale AS s
    LEFT JOIN counted AS c ON s.run_id = c.run_id
    GROUP BY s.run_id
)

SELECT run_id, CAST(sum(n) OVER (ORDER BY run_id) AS BIGINT) // $most AS run_group
FROM answers
ORDER BY run_id;

-- name: to_do
SELECT
    (SELECT count(*) FROM stale) AS n_stale,
    (
        SELECT count(*)
        FROM {internal}.computed_run
        WHERE run_id NOT IN (SELECT run_id FROM {schema}.current_run)
    ) AS n_gone,
    (SELECT coalesce(max(last_judgment_id), 0) FROM {internal}.computed_judging) AS last_known,
    (SELECT coalesce(max(judgment_id), 0) FROM main.judgment) AS last_judgment;

-- name: out_of_date
DELETE FROM {internal}.computed_run
WHERE run_id IN (SELECT run_id FROM stale);

-- name: gone
DELETE FROM {internal}.{table}
WHERE run_id NOT IN (SELECT run_id FROM {schema}.current_run);

-- name: columns
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    database_name = current_database()
    AND schema_name = $schema
    AND list_contains($names, table_name)
ORDER BY table_name, column_index;

-- name: add_sets
INSERT INTO {internal}.judge_set
SELECT judge_set, judge_id, judge, judge_sample
FROM {sets}
WHERE judge_set NOT IN (SELECT judge_set FROM {internal}.judge_set);

-- name: computed
INSERT INTO {internal}.computed_run
SELECT n.run_id, n.stamp, f.facts_hash
FROM {internal}.run_stamp AS n
INNER JOIN ({facts_hash}) AS f ON n.run_id = f.run_id;

-- name: look_at_computed
CREATE OR REPLACE TEMP TABLE looked_at AS
SELECT run_id
FROM {internal}.computed_run
WHERE run_id NOT IN (SELECT run_id FROM {internal}.stale_run);

-- name: judgments_hash
SELECT
    sum(
        CAST(
            hash(
                judgment_id, judge_id, subject_hash, labels, judge_sample, attempt, run_id,
                reply, error, finish_reason, refusal, body,
                question_id, pass, sample, stated, score, word
            ) AS HUGEINT
        )
    ) AS judgments_key
FROM main.judgment
WHERE judgment_id > $after AND judgment_id <= $last;

-- name: changed
CREATE OR REPLACE TEMP TABLE changed_run AS
SELECT f.run_id, f.model, f.run, f.dataset
FROM ({facts_hash}) AS f
INNER JOIN {internal}.computed_run AS k ON f.run_id = k.run_id
WHERE k.facts_hash IS DISTINCT FROM f.facts_hash
UNION
SELECT r.run_id, r.model, r.run, r.dataset
FROM {internal}.judged_subject AS s
INNER JOIN {schema}.current_run AS r ON s.run_id = r.run_id
INNER JOIN looked_at AS l ON r.run_id = l.run_id
WHERE $are_judgments_changed;

-- name: changed_runs
SELECT run_id, model, run, dataset
FROM changed_run
ORDER BY run_id;

-- name: state
SELECT
    (SELECT count(*) FROM {schema}.current_run) AS n_runs,
    (SELECT count(*) FROM {internal}.stale_run) AS n_stale;

-- name: n_answers
SELECT
    (SELECT count(*) FROM main.prediction WHERE list_contains($runs, run_id))
    + (SELECT count(*) FROM main.choice_score WHERE list_contains($runs, run_id)) AS n_answers;

-- name: doubled
-- A key that several rows have, and how many such keys there are.
SELECT {keys}, count(*) OVER () AS n
FROM {rows}
GROUP BY {keys}
HAVING count(*) > 1
ORDER BY {keys}
LIMIT 1

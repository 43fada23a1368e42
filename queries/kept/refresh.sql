-- name: stale
CREATE OR REPLACE TEMP TABLE stale_run AS
SELECT r.run_id
FROM {schema}.current_run AS r
WHERE r.run_id NOT IN (SELECT run_id FROM {schema}.fresh_run);

-- name: changed
CREATE OR REPLACE TEMP TABLE changed_run AS
SELECT k.run_id
FROM {schema}.kept_run AS k
INNER JOIN new_key AS n ON k.run_id = n.run_id
WHERE k.facts_key <> n.facts_key OR k.answers_key IS DISTINCT FROM n.answers_key
UNION
SELECT s.run_id
FROM {schema}.kept_subject AS s
CROSS JOIN ({judging_key}) AS j
WHERE NOT j.is_same;

-- name: add_changed
INSERT INTO stale_run
SELECT run_id
FROM changed_run
WHERE
    run_id IN (SELECT run_id FROM {schema}.current_run)
    AND run_id NOT IN (SELECT run_id FROM stale_run);

-- name: forget
DELETE FROM {schema}.{table}
WHERE
    run_id IN (SELECT run_id FROM stale_run)
    OR run_id NOT IN (SELECT run_id FROM {schema}.current_run);

-- name: keep
INSERT INTO {schema}.kept_{view}
SELECT * FROM {schema}.{view} WHERE run_id IN (SELECT run_id FROM stale_run);

-- name: keep_subjects
INSERT INTO {schema}.kept_subject
SELECT DISTINCT j.run_id, hash(j.subject_hash) AS subject_key
FROM {schema}.judged_pass AS j
INNER JOIN stale_run AS s ON j.run_id = s.run_id
UNION
SELECT DISTINCT j.run_id, hash(j.subject_hash) AS subject_key
FROM {schema}.open_judged AS j
INNER JOIN stale_run AS s ON j.run_id = s.run_id;

-- name: keep_runs
INSERT INTO {schema}.kept_run
SELECT n.run_id, n.facts_key, n.answers_key
FROM new_key AS n
INNER JOIN stale_run AS s ON n.run_id = s.run_id;

-- name: keep_judging
INSERT INTO {schema}.kept_judging
SELECT
    coalesce(max(judgment_id), 0) AS last_judgment_id,
    sum(
        CAST(
            hash(
                judgment_id, judge_id, subject_hash, labels, judge_sample, attempt, run_id,
                reply, error, finish_reason, refusal, body
            ) AS HUGEINT
        )
    ) AS judgments_key
FROM main.judgment;

-- name: state
SELECT
    (SELECT count(*) FROM {schema}.current_run) AS n_runs,
    (SELECT count(*) FROM {schema}.fresh_run) AS n_fresh;

-- name: has_computed_live
SELECT view_name
FROM duckdb_views()
WHERE
    database_name = current_database()
    AND schema_name = $release
    AND view_name = 'computed_live';

-- name: undeclared
SELECT DISTINCT undeclared
FROM {schema}.computed_live
ORDER BY undeclared;

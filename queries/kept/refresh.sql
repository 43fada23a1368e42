-- name: is_of_now
-- An earlier evalhouse had others, or had them among the release's views; and somebody may have
-- dropped one.
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

-- name: was_kept
SELECT schema_name
FROM duckdb_tables()
WHERE
    database_name = current_database()
    AND list_contains($schemas, schema_name)
    AND table_name = 'kept_run';

-- name: stale
CREATE OR REPLACE TEMP TABLE stale_run AS
SELECT r.run_id
FROM {schema}.current_run AS r
WHERE r.run_id NOT IN (SELECT run_id FROM {internal}.fresh_run);

-- name: add_changed
INSERT INTO stale_run
SELECT run_id
FROM changed_run
WHERE
    run_id IN (SELECT run_id FROM {schema}.current_run)
    AND run_id NOT IN (SELECT run_id FROM stale_run);

-- name: to_do
SELECT
    (SELECT count(*) FROM stale_run) AS n_stale,
    (
        SELECT count(*)
        FROM {internal}.kept_run
        WHERE run_id NOT IN (SELECT run_id FROM {schema}.current_run)
    ) AS n_gone,
    (SELECT coalesce(max(last_judgment_id), 0) FROM {internal}.kept_judging) AS last_kept,
    (SELECT coalesce(max(judgment_id), 0) FROM main.judgment) AS last_judgment;

-- name: forget
DELETE FROM {internal}.{table}
WHERE
    run_id IN (SELECT run_id FROM stale_run)
    OR run_id NOT IN (SELECT run_id FROM {schema}.current_run);

-- name: keep
INSERT INTO {internal}.kept_{view}
SELECT * FROM {source} AS k WHERE k.run_id IN (SELECT run_id FROM stale_run);

-- name: answers
SELECT
    (SELECT count(*) FROM main.prediction WHERE run_id IN (SELECT run_id FROM stale_run))
    + (SELECT count(*) FROM main.choice_score WHERE run_id IN (SELECT run_id FROM stale_run));

-- name: make_batches
-- The runs by their answers, some $most in a batch, and one more run at the most.
CREATE OR REPLACE TEMP TABLE stale_batch AS
WITH counted AS (
    SELECT run_id, count(*) AS n FROM main.prediction GROUP BY run_id
    UNION ALL
    SELECT run_id, count(*) AS n FROM main.choice_score GROUP BY run_id
),

answers AS (
    SELECT s.run_id, coalesce(sum(c.n), 0) AS n
    FROM stale_run AS s
    LEFT JOIN counted AS c ON s.run_id = c.run_id
    GROUP BY s.run_id
)

SELECT
    run_id,
    CAST(sum(n) OVER (ORDER BY run_id) AS BIGINT) // $most AS batch
FROM answers;

-- name: batches
SELECT DISTINCT batch
FROM stale_batch
ORDER BY batch;

-- name: take_batch
CREATE OR REPLACE TEMP TABLE stale_run AS
SELECT run_id FROM stale_batch WHERE batch = $batch;

-- name: keep_subjects
INSERT INTO {internal}.kept_subject (run_id, subject_key)
SELECT j.run_id, hash(j.subject_hash) AS subject_key
FROM {source} AS j
INNER JOIN stale_run AS s ON j.run_id = s.run_id;

-- name: reads_need
-- Whether judge_need reads kept rows: not where a user's release has its own.
SELECT view_name
FROM duckdb_views()
WHERE
    database_name = current_database()
    AND schema_name = $release
    AND view_name = 'judge_need'
    AND contains(sql, 'kept_subject');

-- name: keep_need
INSERT INTO {internal}.kept_subject BY NAME
SELECT n.*, hash(n.subject_hash) AS subject_key
FROM {source} AS n
INNER JOIN stale_run AS s ON n.run_id = s.run_id;

-- name: keep_runs
INSERT INTO {internal}.kept_run
SELECT n.run_id, n.stamp, f.facts_hash
FROM {internal}.run_stamp AS n
INNER JOIN ({facts_hash}) AS f ON n.run_id = f.run_id;

-- name: look_at_stale
CREATE OR REPLACE TEMP TABLE looked_at AS
SELECT run_id FROM stale_run;

-- name: look_at_kept
CREATE OR REPLACE TEMP TABLE looked_at AS
SELECT k.run_id
FROM {internal}.kept_run AS k
INNER JOIN {internal}.fresh_run AS f ON k.run_id = f.run_id;

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
INNER JOIN {internal}.kept_run AS k ON f.run_id = k.run_id
WHERE k.answers_key IS DISTINCT FROM f.facts_hash
UNION
SELECT r.run_id, r.model, r.run, r.dataset
FROM {internal}.kept_subject AS s
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
    (SELECT count(*) FROM {internal}.fresh_run) AS n_fresh;

-- name: unkept_answers
SELECT count(*) AS n_answers
FROM main.prediction
WHERE run_id IN (SELECT run_id FROM {schema}.current_run EXCEPT SELECT run_id FROM {internal}.fresh_run);

-- name: has_rows
SELECT EXISTS (SELECT 1 FROM {schema}.kept_run) AS has_rows;

-- name: undeclared
SELECT DISTINCT undeclared
FROM {internal}.computed_live
ORDER BY undeclared;

-- Kept rows of judged_question.

-- name: are_people
SELECT EXISTS (SELECT 1 FROM main.judge WHERE kind = 'human' AND retracted_at IS NULL) AS are_people;

-- name: is_there
SELECT EXISTS (
    SELECT 1
    FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = $schema AND table_name = $table
) AS is_there;

-- name: create
CREATE TABLE {internal}.kept_judged_question (
    run_id INTEGER NOT NULL,
    question_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    judge_score DOUBLE,
    n_open BIGINT NOT NULL,
    n_said BIGINT NOT NULL
);
COMMENT ON TABLE {internal}.kept_judged_question IS
    'Rows of the study judged_question for the runs of kept_run, in a warehouse in which a person '
    'judges. Filled by evalhouse refresh; may be dropped.';

-- name: all_are_stale
INSERT INTO stale_run
SELECT run_id
FROM {schema}.current_run
WHERE run_id NOT IN (SELECT run_id FROM stale_run);

-- name: keep
INSERT INTO {internal}.kept_judged_question
SELECT
    k.run_id,
    k.question_id,
    k.judge_id,
    k.judge_score,
    k.n_open,
    k.n_said
FROM {source} AS k
WHERE k.run_id IN (SELECT run_id FROM stale_run)
-- A run's rows next to each other take little of the file, and are found together.
ORDER BY k.judge_id, k.run_id, k.question_id;

-- name: instead
SELECT
    k.run_id,
    r.model,
    r.run,
    r.dataset_id,
    r.benchmark_id,
    k.question_id,
    q.question_key,
    b.strategy,
    k.judge_id,
    g.name AS judge,
    g.kind,
    g.task,
    k.judge_score,
    k.n_open,
    k.n_said
FROM {internal}.kept_judged_question AS k
INNER JOIN {schema}.current_run AS r ON k.run_id = r.run_id
INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
INNER JOIN main.judge AS g ON k.judge_id = g.judge_id
INNER JOIN main.question AS q ON k.question_id = q.question_id

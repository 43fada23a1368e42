-- name: create
CREATE TABLE {internal}.kept_run (
    run_id INTEGER NOT NULL,
    facts_key UBIGINT NOT NULL,
    answers_key HUGEINT
);
COMMENT ON TABLE {internal}.kept_run IS
    'The runs with kept results, the stamp that they were computed under (see run_stamp) as '
    'facts_key, and as answers_key a hash of the facts that they rest on. Filled by evalhouse '
    'refresh; may be emptied.';

CREATE TABLE {internal}.kept_judging (
    last_judgment_id BIGINT NOT NULL,
    judgments_key HUGEINT
);
COMMENT ON TABLE {internal}.kept_judging IS
    'The judgments that the kept results rest on: the last one, and a hash of them all. Filled by '
    'evalhouse refresh; may be emptied.';

CREATE TABLE {internal}.kept_subject (
    run_id INTEGER NOT NULL,
    subject_key UBIGINT NOT NULL,
    question_id INTEGER,
    question_key VARCHAR,
    pass SMALLINT,
    sample SMALLINT,
    judge_id INTEGER,
    judge VARCHAR,
    task VARCHAR,
    judge_sample SMALLINT,
    attempt BIGINT,
    subject_hash VARCHAR,
    prediction VARCHAR,
    is_alive BOOLEAN,
    is_next BOOLEAN
);
COMMENT ON TABLE {internal}.kept_subject IS
    'The subjects of each of these runs, each as a hash of its hash (the other columns are NULL '
    'then), and their rows of the view judge_need. Filled by evalhouse refresh; may be emptied.';

-- name: kept_view
CREATE TABLE {internal}.kept_{view} AS SELECT * FROM {schema}.{view} WITH NO DATA;
COMMENT ON TABLE {internal}.kept_{view} IS
    'Rows of the view {view} for the runs of kept_run. Filled by evalhouse refresh; may be '
    'emptied.';

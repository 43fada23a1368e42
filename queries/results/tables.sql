-- The tables that go with a release's results.

-- name: create
CREATE TABLE {internal}.computed_run (
    run_id INTEGER NOT NULL, stamp UBIGINT NOT NULL, facts_hash HUGEINT
);
COMMENT ON TABLE {internal}.computed_run IS
    'The runs with results, each with the stamp that it was computed under (see run_stamp) and a hash '
    'of the facts that it rests on.';

CREATE TABLE {internal}.computed_judging (
    last_judgment_id BIGINT NOT NULL, judgments_hash HUGEINT
);
COMMENT ON TABLE {internal}.computed_judging IS
    'The judgments that the results rest on: the last one, and a hash of them all.';

CREATE TABLE {internal}.judge_set (
    judge_set INTEGER NOT NULL, judge_id INTEGER, judge VARCHAR, judge_sample SMALLINT
);
COMMENT ON TABLE {internal}.judge_set IS
    'The judges that share rows of results: a stored row stands for one of each judge of its set, and '
    'judge sample where the result has those. A blank name stands for a judge that nobody asked yet.';

CREATE TABLE {internal}.definition (
    ordinal INTEGER NOT NULL, name VARCHAR NOT NULL, "table" VARCHAR, key VARCHAR[] NOT NULL,
    n_readers INTEGER NOT NULL, rules VARCHAR[], judgments_of VARCHAR[] NOT NULL, rows_of VARCHAR,
    columns VARCHAR NOT NULL, sql VARCHAR NOT NULL
);
COMMENT ON TABLE {internal}.definition IS
    'The SELECT that made each table of results, and those of the steps to it, in their order. To run '
    'one, let the search path name the schemas of the release, its own first.';

-- name: abilities
INNER JOIN {abilities} AS a ON r.benchmark_id = a.benchmark_id AND t.ability_id = a.ability_id;

-- name: answers
LEFT JOIN main.prediction AS p
    ON t.run_id = p.run_id AND t.question_id = p.question_id AND t.pass = p.pass AND t.sample = p.sample;

-- name: judges
INNER JOIN {sets} AS j ON t.judge_set = j.judge_set AND coalesce(trim(j.judge) <> '', TRUE)

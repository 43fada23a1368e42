-- The tables that go with a release's results.
--
-- Rows that judges share.

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

-- name: begin
CREATE OR REPLACE TEMP TABLE {sets} (judge_set INTEGER, judge_id INTEGER, judge VARCHAR, judge_sample SMALLINT);

-- name: known
INSERT INTO {sets}
SELECT judge_set, judge_id, judge, judge_sample FROM {known};

-- name: member
-- A number for each judge (and judge sample) that rows or sets have.
CREATE OR REPLACE TEMP TABLE {member} AS
SELECT row_number() OVER (ORDER BY judge_id, judge, judge_sample) AS member, *
FROM (
    SELECT {judge_columns} FROM {rows}
    UNION
    SELECT judge_id, judge, judge_sample FROM {sets}
);

-- name: alone
CREATE OR REPLACE TEMP TABLE {together} AS
SELECT [m.member] AS members
FROM (SELECT DISTINCT {judge_columns} FROM {rows}) AS t
INNER JOIN {member} AS m ON {is_its_judge};

-- name: set_alone
SELECT s.judge_set
FROM {together} AS t
INNER JOIN ({members_of_sets}) AS s ON t.members = s.members;

-- name: together
CREATE OR REPLACE TEMP TABLE {together} AS
SELECT {columns}, list_sort(list(m.member)) AS members
FROM {rows} AS t
INNER JOIN {member} AS m ON {is_its_judge}
GROUP BY {columns};

-- name: add
INSERT INTO {sets}
WITH added AS (
    SELECT members
    FROM {together}
    EXCEPT
    SELECT members
    FROM ({members_of_sets})
),

numbered AS (
    SELECT
        (SELECT coalesce(max(judge_set), 0) FROM {sets}) + row_number() OVER (ORDER BY members) AS judge_set,
        unnest(members) AS member
    FROM added
)

SELECT n.judge_set, m.judge_id, m.judge, m.judge_sample
FROM numbered AS n
INNER JOIN {member} AS m ON n.member = m.member;

-- name: members_of_sets
SELECT s.judge_set, list_sort(list(m.member)) AS members
FROM {sets} AS s
INNER JOIN {member} AS m
    ON
        s.judge IS NOT DISTINCT FROM m.judge
        AND s.judge_sample IS NOT DISTINCT FROM m.judge_sample
        AND s.judge_id IS NOT DISTINCT FROM m.judge_id
GROUP BY s.judge_set;

-- name: replace
CREATE OR REPLACE TEMP TABLE {rows} AS
SELECT {columns}, s.judge_set
FROM {together} AS t
INNER JOIN ({members_of_sets}) AS s ON t.members = s.members

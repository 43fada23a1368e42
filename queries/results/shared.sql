-- Rows that judges share.

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

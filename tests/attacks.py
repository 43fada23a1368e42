"""Statements that would write, by the word they begin with; and the forms that may hide them.

In the texts, {db} is the warehouse, {wal} its log, {spill} the folder it would spill to, {link} a link to
it, {other} another file there, {new} one that is not there yet, {out} a folder elsewhere.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import duckdb

from tests.conftest import ROOT

QUERIES = {
    "desc": ["DESC main.run"],
    "describe": ["DESCRIBE main.run", "DESCRIBE SELECT 1"],
    "from": ["FROM main.run", "FROM (PIVOT main.run ON run_id)"],
    "pivot": ["PIVOT main.run ON run_id USING count(*)"],
    "pivot_longer": ["PIVOT_LONGER (SELECT 1 AS a) ON a"],
    "pivot_wider": ["PIVOT_WIDER main.run ON run_id USING count(*)"],
    "select": ["SELECT 1", "SELECT * FROM (SELECT 2 AS a) PIVOT (count(*) FOR a IN (1, 2))"],
    "show": ["SHOW TABLES", "SHOW ALL TABLES", "SHOW main.run", "SHOW DATABASES"],
    "summarize": ["SUMMARIZE main.run", "SUMMARIZE SELECT 1"],
    "table": ["TABLE main.run"],
    "unpivot": ["UNPIVOT (SELECT 1 AS a) ON a"],
    "values": ["VALUES (1), (2)"],
    "with": ["WITH x AS (SELECT 1) FROM x", "WITH RECURSIVE x AS (SELECT 1) FROM x"],
}
"""What is a query, by the word it begins with."""

_TARGETS = (
    "{db}",
    "{wal}",
    "{wal}.checkpoint",
    "{wal}.recovery",
    "{spill}/x",
    "{link}",
    "{other}",
    "{new}",
    "warehouse.duckdb",
    "../house/warehouse.duckdb",
    "{out}/x.csv",
    "/dev/stdout",
    "/proc/self/cwd/warehouse.duckdb",
)

STATEMENTS = {
    "abort": ["ABORT"],
    "alter": [
        "ALTER TABLE main.run ADD COLUMN x INTEGER",
        "ALTER TABLE main.run RENAME TO walk",
        "ALTER TABLE main.run SET ('x' = 1)",
        "ALTER VIEW field_v2.leaderboard RENAME TO board",
        "ALTER SCHEMA main RENAME TO other",
        # What follows wants the name.
        "ALTER DATABASE warehouse SET ALIAS TO other; ALTER DATABASE other SET ALIAS TO warehouse",
    ],
    "analyse": ["ANALYSE", "ANALYSE main.run"],
    "analyze": ["ANALYZE", "ANALYZE main.run"],
    "attach": [
        "ATTACH '{db}' AS x",
        "ATTACH '{db}' AS x (READ_WRITE)",
        "ATTACH '{link}' AS x",
        "ATTACH '{wal}' AS x",
        "ATTACH '{spill}/x' AS x; CREATE TABLE x.y AS SELECT 1; CHECKPOINT x",
        "ATTACH '{new}' AS x",
        "ATTACH ':memory:' AS x; CREATE TABLE x.y AS SELECT 1; COPY x.y TO '{db}'",
        "ATTACH 'https://example.com/x.duckdb' AS x",
        "ATTACH 'sqlite:{new}' AS x (TYPE sqlite)",
        "ATTACH TO EXTERNAL RESOURCE x AS y",
    ],
    "begin": ["BEGIN", "BEGIN TRANSACTION; INSERT INTO main.run DEFAULT VALUES; COMMIT"],
    "call": [
        "CALL force_checkpoint('warehouse')",
        "CALL checkpoint('warehouse')",
        "CALL enable_logging(storage = 'file', storage_path = '{new}')",
        "CALL enable_logging('QueryLog', storage = 'file', storage_config = {{'path': '{out}'}})",
        "CALL enable_profiling(save_location = '{new}')",
        "CALL pragma_version()",
        "CALL truncate_duckdb_logs()",
    ],
    "checkpoint": ["CHECKPOINT", "CHECKPOINT warehouse", "CHECKPOINT temp"],
    "comment": ["COMMENT ON TABLE main.run IS 'x'", "COMMENT ON VIEW field_v2.leaderboard IS NULL"],
    "commit": ["COMMIT"],
    "connect": ["CONNECT", "CONNECT warehouse", "CONNECT '{db}'", "CONNECT '{new}'", "CONNECT LOCAL"],
    "copy": [
        *(f"COPY (SELECT 1) TO '{target}' (USE_TMP_FILE false)" for target in _TARGETS),
        *(f"COPY (SELECT 1 AS a) TO '{target}'" for target in _TARGETS),
        *(f"COPY (SELECT 1 AS a) TO '{target}' (FORMAT parquet)" for target in _TARGETS[:4]),
        "COPY (SELECT 1 AS a, 2 AS b) TO '{out}' (FORMAT csv, PARTITION_BY a, OVERWRITE)",
        "COPY (SELECT 1 AS a, 2 AS b) TO '{spill}' (FORMAT csv, PARTITION_BY a, OVERWRITE_OR_IGNORE)",
        "COPY (SELECT 1 AS a) TO '{out}' (FORMAT parquet, PER_THREAD_OUTPUT)",
        "COPY (SELECT 1 AS a) TO '{db}' (FORMAT json)",
        "COPY (SELECT 1 AS a) TO '{db}' (FORMAT blob)",
        "COPY (PIVOT main.run ON run_id) TO '{db}' (USE_TMP_FILE false)",
        "COPY main.run TO '{other}'",
        "COPY main.run FROM '{other}'",
        "COPY FROM DATABASE warehouse TO memory",
        "COPY FROM DATABASE warehouse TO temp",
    ],
    "create": [
        "CREATE TABLE main.x AS SELECT 1",
        "CREATE TABLE main.x AS PIVOT main.run ON run_id",
        "CREATE OR REPLACE TABLE main.run AS SELECT 1",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CREATE VIEW main.x AS SELECT 1",
        "CREATE OR REPLACE VIEW field_v2.leaderboard AS SELECT 1",
        "CREATE SCHEMA x",
        "CREATE SEQUENCE x",
        "CREATE TYPE x AS ENUM ('y')",
        "CREATE INDEX x ON main.run (run_id)",
        "CREATE MACRO main.x() AS 1",
        "CREATE MACRO main.x() AS TABLE SELECT 1",
        "CREATE FUNCTION main.x() AS 1",
        "CREATE TRIGGER x AFTER INSERT ON main.run FOR EACH STATEMENT DELETE FROM main.run",
        "CREATE SECRET x (TYPE s3, KEY_ID 'y')",
        "CREATE PERSISTENT SECRET x (TYPE s3, KEY_ID 'y')",
        "CREATE EXTERNAL RESOURCE 'x' AS y",
    ],
    "deallocate": ["DEALLOCATE x", "DEALLOCATE PREPARE x"],
    "delete": ["DELETE FROM main.run", "DELETE FROM main.schema_migration WHERE true RETURNING *"],
    "destroy": ["DESTROY EXTERNAL RESOURCE x"],
    "detach": ["DETACH warehouse", "DETACH DATABASE IF EXISTS temp"],
    "disconnect": ["DISCONNECT"],
    "drop": [
        "DROP TABLE main.run CASCADE",
        "DROP VIEW field_v2.leaderboard",
        "DROP SCHEMA field_v2 CASCADE",
        "DROP SECRET x",
        "DROP PERSISTENT SECRET x",
        "DROP MACRO field_v2.opening",
        "DROP EXTENSION REPOSITORY x",
    ],
    "end": ["END"],
    "execute": ["EXECUTE x", "EXECUTE x(1)"],
    "explain": ["EXPLAIN COPY (SELECT 1) TO '{db}'", "EXPLAIN ANALYZE DELETE FROM main.run"],
    "export": [
        "EXPORT DATABASE '{out}'",
        "EXPORT DATABASE '{spill}/x'",
        "EXPORT DATABASE '{db}' (FORMAT parquet)",
        "EXPORT DATABASE warehouse TO '.'",
    ],
    "force": ["FORCE CHECKPOINT", "FORCE CHECKPOINT warehouse", "FORCE INSTALL httpfs"],
    "import": ["IMPORT DATABASE '{out}'"],
    "insert": [
        "INSERT INTO main.run DEFAULT VALUES",
        "INSERT OR REPLACE INTO main.run FROM main.run RETURNING *",
    ],
    "install": ["INSTALL httpfs", "INSTALL sqlite FROM '{out}'", "INSTALL '{other}'"],
    "load": ["LOAD httpfs", "LOAD '{other}'", "LOAD '{db}'"],
    "merge": [
        "MERGE INTO main.run USING (SELECT 1 AS run_id) USING (run_id) WHEN MATCHED THEN DELETE",
    ],
    "pragma": [
        "PRAGMA version",
        "PRAGMA database_size",
        "PRAGMA force_checkpoint",
        "PRAGMA enable_profiling = 'json'",
        "PRAGMA profile_output = '{new}'",
        "PRAGMA log_query_path = '{new}'",
        "PRAGMA temp_directory = '{out}'",
        "PRAGMA import_database('{out}')",
        "PRAGMA copy_database('warehouse', 'temp')",
        "PRAGMA enable_checkpoint_on_shutdown",
        "PRAGMA storage_info('main.run')",
    ],
    "prepare": [
        "PREPARE x AS SELECT 1",
        "PREPARE x AS COPY (SELECT 1) TO '{db}'; EXECUTE x",
        "PREPARE x AS COPY (SELECT 1) TO '{wal}' (USE_TMP_FILE false); EXPLAIN ANALYZE EXECUTE x",
    ],
    "register": ["REGISTER EXTERNAL RESOURCE 'x' AS y FROM '{new}'"],
    "reset": ["RESET threads", "RESET enable_external_access", "RESET VARIABLE x"],
    "rollback": ["ROLLBACK"],
    "set": [
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET disabled_filesystems = ''",
        "SET log_query_path = '{new}'",
        "SET allowed_directories = ['{out}']",
        "SET VARIABLE x = 1",
        "SET threads = 1",
        "SET SESSION search_path = 'main'",
        "SET GLOBAL temp_directory = '{out}'",
    ],
    "start": ["START TRANSACTION"],
    "truncate": ["TRUNCATE main.run", "TRUNCATE TABLE main.prediction"],
    "update": [
        "UPDATE main.run SET label = 'x'",
        "UPDATE main.run SET label = 'x' RETURNING *",
        "UPDATE EXTENSIONS",
        "UPDATE EXTENSIONS (httpfs)",
    ],
    "use": ["USE main", "USE memory", "USE temp"],
    "vacuum": ["VACUUM", "VACUUM ANALYZE", "VACUUM main.run"],
}  # fmt: skip
"""What is no query, the same way."""

IN_QUERIES = [
    *(f"WITH x AS (COPY (SELECT 1) TO '{target}' (USE_TMP_FILE false)) FROM x" for target in _TARGETS),
    *(f"WITH x AS MATERIALIZED (COPY (SELECT 1 AS a) TO '{target}') FROM x" for target in _TARGETS),
    "SELECT (WITH x AS (COPY (SELECT 1) TO '{db}') SELECT count(*) FROM x)",
    "FROM (WITH x AS (COPY (SELECT 1) TO '{wal}' (USE_TMP_FILE false)) FROM x)",
    "SELECT 1 UNION ALL (WITH x AS (COPY (SELECT 1) TO '{db}') FROM x)",
    "WITH RECURSIVE y AS (WITH x AS (COPY (SELECT 1) TO '{db}') FROM x) FROM y",
    "DESCRIBE WITH x AS (COPY (SELECT 1) TO '{db}') FROM x",
    "SUMMARIZE WITH x AS (COPY (SELECT 1) TO '{db}') FROM x",
    "PIVOT (WITH x AS (COPY (SELECT 1) TO '{db}') FROM x) ON Count",
    "WITH x AS (COPY (SELECT 1) TO '{db}' (USE_TMP_FILE false)), y AS (FROM x) PIVOT y ON Count",
    "VALUES ((WITH x AS (COPY (SELECT 1) TO '{db}') SELECT count(*) FROM x))",
    "SELECT 1 ORDER BY (WITH x AS (COPY (SELECT 1) TO '{db}') SELECT count(*) FROM x)",
    "SELECT list_transform([1], lambda a: (WITH x AS (COPY (SELECT 1) TO '{db}') SELECT 1 FROM x))",
    "WITH x AS (INSERT INTO main.run DEFAULT VALUES RETURNING *) FROM x",
    "WITH x AS (DELETE FROM main.run RETURNING *) FROM x",
    "WITH x AS (UPDATE main.run SET label = 'x' RETURNING *) FROM x",
]  # fmt: skip
"""What is a SELECT to the parser and writes all the same."""

_PLAIN_FORMS = (
    "{s}",
    "-- a comment\n{s};",
    "EXPLAIN {s}",
    "explain /* SELECT 1 */ analyze {s}",
    "EXPLAIN (ANALYZE) {s}",
    "EXPLAIN (ANALYZE, FORMAT json) {s} -- a comment",
    "EXPLAIN ANALYZE (FORMAT html) {s}",
    "EXPLAIN EXPLAIN ANALYZE {s}",
    "SELECT 1; {s}",
    "{s}; SELECT 1",
    "WITH x AS ({s}) FROM x",
    "WITH x AS ({s}) SELECT 1",
    "EXPLAIN ANALYZE WITH x AS ({s}) FROM x",
)
_FEW_FORMS = ("{s}", "EXPLAIN ANALYZE {s}", "WITH x AS ({s}) FROM x")
_FORMS = (
    *_PLAIN_FORMS,
    "({s})",
    "FROM ({s})",
    "SELECT ({s})",
    "DESCRIBE {s}",
    "SUMMARIZE {s}",
    "PIVOT ({s}) ON x",
)


@cache
def kernel_guards() -> bool:
    """Whether the kernel of this machine can forbid a process to write."""
    ask = (
        "import sys; from queries.confined.worker import forbid_writing as f; "
        "sys.exit(0 if f('/') else 3)"
    )
    code = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, check=False).returncode
    assert code in (0, 3)
    return code == 0


def first_words(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The keywords that a statement may begin with: those that the parser stumbles behind, not at."""
    found = set()
    for (word,) in con.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall():
        try:
            con.extract_statements(f"{word} @@")
        except duckdb.ParserException as error:
            _, line, marks = str(error).rsplit("\n", 2)
            if marks.index("^") != line.index(":") + 2:
                found.add(str(word))
        else:
            raise AssertionError(word)
    return found


def names(house: Path, out: Path) -> dict[str, str]:
    """What the texts' names stand for, where the warehouse is `house`."""
    return {
        "db": str(house),
        "wal": f"{house}.wal",
        "spill": f"{house}.tmp",
        "link": str(house.with_name("link.duckdb")),
        "other": str(house.with_name("other.csv")),
        "new": str(house.with_name("new.file")),
        "out": str(out),
    }


def written(words: dict[str, str], *, all_forms: bool) -> list[str]:
    """Every statement of the lists, also hidden in others.

    Args:
        words: what their names stand for.
        all_forms: in every way, rather than in those that have been holes.
    """
    return [
        form.replace("{s}", statement).format(**words)
        for statements in [*STATEMENTS.values(), IN_QUERIES, *QUERIES.values()]
        for statement in statements
        for form in (_FORMS if all_forms else _FEW_FORMS)
    ]


def refused(words: dict[str, str]) -> list[str]:
    """Those of them that are no query, whatever the engine would do.

    Where a table may stand, a word such as ABORT is a table's name.
    """
    pairs = [
        *((s, form) for of_word in STATEMENTS.values() for s in of_word for form in _PLAIN_FORMS),
        *((s, form) for s in IN_QUERIES for form in _FORMS),
    ]
    return [form.replace("{s}", statement).format(**words) for statement, form in pairs]


def of_functions(con: duckdb.DuckDBPyConnection, words: dict[str, str]) -> list[str]:
    """Calls of every function and pragma that the engine names, with paths for texts."""
    found = []
    for name, kind, types in con.execute(
        "SELECT DISTINCT function_name, function_type, parameter_types FROM duckdb_functions() "
        "WHERE schema_name IN ('main', 'pg_catalog') AND function_name ~ '^[a-z]\\w*$' ORDER BY ALL"
    ).fetchall():
        if name in ("sleep_ms", "repeat", "repeat_row", "range", "generate_series"):
            continue
        for path in (words["db"], words["new"]) if "VARCHAR" in types else (words["db"],):
            given = ", ".join(_argument(its_type, path) for its_type in types)
            if kind in ("table", "table_macro"):
                found += [f"FROM {name}({given})", f"CALL {name}({given})"]
            elif kind == "pragma":
                found += [f"PRAGMA {name}({given})", f"PRAGMA {name}", f"PRAGMA {name} = '{path}'"]
            else:
                found.append(f"SELECT {name}({given})")
    return found


def of_settings(con: duckdb.DuckDBPyConnection, words: dict[str, str]) -> list[str]:
    """Every setting that the engine names, set to a path, to true and to what it was."""
    settings = con.execute("SELECT name FROM duckdb_settings() ORDER BY 1").fetchall()
    return [
        text
        for (name,) in settings
        for text in (
            f"SET {name} = '{words['new']}'",
            f"SET GLOBAL {name} = true",
            f"PRAGMA {name} = '{words['db']}'",
            f"RESET {name}",
        )
    ]


def _argument(its_type: str | None, path: str) -> str:
    kind = its_type or "NULL"
    if kind in ("VARCHAR", "ANY", "T", "BLOB", "NULL"):
        return f"'{path}'"
    if kind.endswith("[]"):
        return f"['{path}']" if kind == "VARCHAR[]" else "[1]"
    return "1"

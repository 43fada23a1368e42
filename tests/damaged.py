"""Warehouses that somebody else had a hand in: changed through a bare client, or byte by byte."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from warehouse.connection import transaction


@dataclass(frozen=True)
class Damage:
    """What was done to a warehouse.

    Attributes:
        what: the SQL, or the bytes.
        is_wrong: whether facts are wrong now, so that `check` has to say so; None: perhaps.
    """

    what: str
    is_wrong: bool | None = None


_TEXTS = [
    "",
    "'",
    '"',
    "[red]",
    "|`*_",
    "\x1b[31m",
    "\u202e",
    "\n\r",
    "A" * 3_000_000,
    "NULL",
    "-1",
    "\U0010fffd",
]
_IDS = {
    "benchmark": "benchmark_id", "dataset": "dataset_id", "question": "question_id", "model": "model_id",
    "run": "run_id", "judge": "judge_id", "judgment": "judgment_id", "source": "source_id",
}  # fmt: skip
_VIEWS = ("leaderboard", "ability_score", "pass_result", "current_run", "stale_run", "choice_match")
_BUILTINS = (
    "lower(x) AS 'x'", "count(x) AS 1", "coalesce(x, y) AS y", "hash(x) AS 1", "sum(x) AS 0",
    "now() AS 1", "max(x) AS 7", "length(x) AS NULL", "error(x) AS 1",
)  # fmt: skip
_READING = """
SELECT 'VIEW', schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal
UNION
SELECT 'MACRO', schema_name || '.' || function_name FROM duckdb_functions() WHERE NOT internal
"""
_STRANGE_VIEWS = (
    "SELECT * FROM read_csv('secret.txt')", "SELECT error('seen') AS run_id", "SELECT 1 AS one",
    "SELECT * FROM nothing_there", "SELECT * FROM main.other_name",
)  # fmt: skip


def forget_what_is_read(path: Path) -> None:
    """Let a client change what views and macros read: the engine refuses that where the file records it."""
    with TemporaryDirectory() as folder, duckdb.connect(str(path)) as con:
        con.execute(f"EXPORT DATABASE '{folder}'")
        made = [
            one.query.strip()
            for one in con.extract_statements((Path(folder) / "schema.sql").read_text("utf-8"))
        ]
        for kind, name in con.execute(_READING).fetchall():
            con.execute(f"DROP {kind} IF EXISTS {name} CASCADE")
        for sql in made:
            if sql.startswith(("CREATE MACRO", "CREATE VIEW")):
                con.execute(
                    re.sub(r"(?<=^CREATE VIEW )(\S+) AS", r"\1 WITH (DEFER_BINDING) AS", sql)
                )


def through_sql(path: Path, pick: random.Random) -> Damage:
    """Change a warehouse as a client could that knows nothing of what it is."""
    with duckdb.connect(str(path)) as con:
        for _ in range(50):
            damage = pick.choice(_CHANGES)(con, pick)
            try:
                with transaction(con):
                    con.execute(damage.what)
            except duckdb.Error:
                continue  # The engine has not let it happen.
            return damage
    raise AssertionError("the engine lets nothing happen")


def through_bytes(path: Path, pick: random.Random) -> Damage:
    """Change what is stored, as a bad disk or a broken copy does."""
    content = bytearray(path.read_bytes())
    log = path.with_name(f"{path.name}.wal")
    kind = pick.choice(["flips", "header", "cut", "zeros", "block", "more", "log", "empty"])
    if kind == "flips":
        for _ in range(pick.choice([1, 8, 64])):
            content[pick.randrange(len(content))] ^= 1 << pick.randrange(8)
    elif kind == "header":
        content[pick.randrange(3 * 4096)] ^= 1 << pick.randrange(8)
    elif kind == "cut":
        del content[pick.randrange(len(content)) :]
    elif kind == "zeros":
        start = pick.randrange(len(content))
        end = min(start + pick.choice([16, 4096, 262_144]), len(content))
        content[start:end] = bytes(end - start)
    elif kind == "block":
        n_blocks = (len(content) - 3 * 4096) // 262_144
        one, other = (3 * 4096 + 262_144 * pick.randrange(n_blocks) for _ in range(2))
        content[one : one + 262_144] = content[other : other + 262_144]
    elif kind == "more":
        content += pick.randbytes(pick.choice([1, 4096, 262_144]))
    elif kind == "log":
        log.write_bytes(
            pick.choice([b"", b"junk", pick.randbytes(5000), bytes(5000), bytes(content[:9000])])
        )
    else:
        content.clear()
    path.write_bytes(content)
    return Damage(kind)


_Change = Callable[[duckdb.DuckDBPyConnection, random.Random], Damage]


def _table(con: duckdb.DuckDBPyConnection, pick: random.Random) -> str:
    names = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY ALL"
    ).fetchall()
    return str(pick.choice(names)[0])


def _column(con: duckdb.DuckDBPyConnection, pick: random.Random) -> tuple[str, str, str]:
    """A column of a table that has rows: table, name, type."""
    full = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND estimated_size > 0 ORDER BY ALL"
    ).fetchall()
    table = str(pick.choice(full)[0])
    columns = con.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main' AND table_name = ? "
        "ORDER BY column_index",
        [table],
    ).fetchall()
    name, its_type = pick.choice(columns)
    return table, name, its_type


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _shape(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    table, column, _ = _column(con, pick)
    return Damage(
        pick.choice([
            f"DROP TABLE main.{table}",
            f"ALTER TABLE main.{table} RENAME TO other_name",
            f"ALTER TABLE main.{table} DROP COLUMN {column}",
            f"ALTER TABLE main.{table} RENAME COLUMN {column} TO other_name",
            f"ALTER TABLE main.{table} ALTER COLUMN {column} SET DATA TYPE VARCHAR",
            f"ALTER TABLE main.{table} ALTER COLUMN {column} SET DATA TYPE DOUBLE",
            f"ALTER TABLE main.{table} ALTER COLUMN {column} SET DATA TYPE VARCHAR[] USING [CAST({column} AS VARCHAR)]",
            f"ALTER TABLE main.{table} ADD COLUMN more VARCHAR DEFAULT 'x'",
            f"ALTER TABLE main.{table} ALTER COLUMN {column} SET DEFAULT error('seen')",
            f"CREATE UNIQUE INDEX theirs ON main.{table} ({column})",
            f"COMMENT ON TABLE main.{table} IS {_literal(pick.choice(_TEXTS))}",
        ])
    )  # fmt: skip


def _view_for_table(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    table, view = _table(con, pick), pick.choice(_STRANGE_VIEWS)
    return Damage(
        f"ALTER TABLE main.{table} RENAME TO other_name; CREATE VIEW main.{table} AS {view}"
    )


def _values(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    table, column, its_type = _column(con, pick)
    some = pick.choice(
        ["", " WHERE random() < 0.5", f" WHERE rowid = (SELECT min(rowid) FROM main.{table})"]
    )
    free = f"ALTER TABLE main.{table} ALTER COLUMN {column} DROP NOT NULL; "
    text = f"ALTER TABLE main.{table} ALTER COLUMN {column} SET DATA TYPE VARCHAR; "
    value = _literal(pick.choice(_TEXTS))
    number = pick.choice(["-1", "0", "1e9", "2147483647", "'nan'", "'-inf'"])
    return Damage(
        pick.choice([
            f"{free}UPDATE main.{table} SET {column} = NULL{some}",
            f"{text}UPDATE main.{table} SET {column} = {value}{some}",
            f"UPDATE main.{table} SET {column} = {value if its_type == 'VARCHAR' else number}{some}",
            f"UPDATE main.{table} SET {column} = {value if its_type == 'VARCHAR' else number}",
            f"DELETE FROM main.{table}{some}",
        ])
    )  # fmt: skip


def _wrong_facts(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    """What breaks a rule that `check` knows."""
    table = pick.choice(list(_IDS))
    key = _IDS[table]
    return Damage(
        pick.choice([
            f"INSERT INTO main.{table} SELECT * FROM main.{table} LIMIT 1",
            "UPDATE main.prediction SET question_id = 99999",
            "UPDATE main.run SET model_id = 99999",
            "INSERT INTO main.prediction SELECT * FROM main.prediction LIMIT 1",
            "DELETE FROM main.question",
            f"ALTER TABLE main.{table} ALTER COLUMN {key} DROP NOT NULL; UPDATE main.{table} SET {key} = NULL",
            f"ALTER TABLE main.{table} ALTER COLUMN {key} SET DATA TYPE VARCHAR; UPDATE main.{table} SET {key} = 'one'",
        ]),
        is_wrong=True,
    )  # fmt: skip


def _version(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    free = "ALTER TABLE main.schema_version ALTER COLUMN version DROP NOT NULL; "
    return Damage(
        pick.choice([
            "DELETE FROM main.schema_version",
            "UPDATE main.schema_version SET version = version - 1",
            "UPDATE main.schema_version SET version = version + 1",
            "UPDATE main.schema_version SET version = -version",
            "INSERT INTO main.schema_version SELECT * FROM main.schema_version",
            "UPDATE main.schema_version SET version = 1",
            free + "UPDATE main.schema_version SET version = NULL",
            "ALTER TABLE main.schema_version ALTER COLUMN version SET DATA TYPE VARCHAR; "
            "UPDATE main.schema_version SET version = 'five'",
            "DROP TABLE main.schema_version",
            "DELETE FROM main.warehouse_identity",
        ])
    )  # fmt: skip


def _releases(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    view = pick.choice(_VIEWS)
    schema = "field_v2_internal" if view == "stale_run" else "field_v2"
    name = pick.choice(["mine", "paper_v2", "latest2", "pg_catalog2", 'a"b', "main2"])
    quoted = '"' + name.replace('"', '""') + '"'
    return Damage(
        pick.choice([
            "DROP SCHEMA field_v2 CASCADE",
            "DROP SCHEMA latest CASCADE",
            f"DROP SCHEMA latest CASCADE; CREATE SCHEMA latest; CREATE VIEW latest.{view} AS SELECT 1 AS one",
            "DROP SCHEMA field_v2_internal CASCADE",
            f"CREATE OR REPLACE VIEW {schema}.{view} AS {pick.choice(_STRANGE_VIEWS)}",
            f"CREATE OR REPLACE VIEW latest.{view} AS {pick.choice(_STRANGE_VIEWS)}",
            f"CREATE SCHEMA {quoted}; CREATE VIEW {quoted}.{view} AS SELECT 1 AS one",
            f"CREATE SCHEMA {quoted}; INSERT INTO main.release SELECT {_literal(name)}, builds_on, state, is_default, "
            "installed_at FROM main.release LIMIT 1",
            f"UPDATE main.release SET name = {_literal(pick.choice(_TEXTS))}",
            "UPDATE main.release SET is_default = NOT is_default",
            "UPDATE main.release SET state = 'odd'",
            "DELETE FROM main.release",
            "DELETE FROM main.release_object",
            f"CREATE VIEW main.{view} AS SELECT 1 AS one",
            f"CREATE TABLE main.{view} (run_id INTEGER)",
            f"CREATE TYPE {view} AS ENUM ('a')",
            f"CREATE SEQUENCE {view}",
        ])
    )  # fmt: skip


def _macros(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    schema = pick.choice(["main", "field_v2", "latest"])
    return Damage(
        pick.choice([
            f"CREATE MACRO {schema}.{pick.choice(_BUILTINS)}",
            f"CREATE MACRO {schema}.{pick.choice(_VIEWS)}() AS TABLE SELECT 1",
            f"CREATE MACRO {schema}.range(x) AS TABLE SELECT error('seen')",
            "CREATE OR REPLACE MACRO field_v2.is_failed(failed_flag) AS error('seen')",
            "CREATE TABLE main.theirs (a INTEGER); CREATE TRIGGER theirs AFTER INSERT ON main.source "
            "FOR EACH STATEMENT INSERT INTO main.theirs VALUES (1)",
        ])
    )  # fmt: skip


def _kept(con: duckdb.DuckDBPyConnection, pick: random.Random) -> Damage:
    table = pick.choice(
        ["computed_run", "judged_subject", "computed_judging", "ability_sum", "answered_ability"]
    )
    name = f"field_v2_internal.{table}"
    return Damage(
        pick.choice([
            f"DROP TABLE {name}",
            f"DELETE FROM {name}",
            f"INSERT INTO {name} SELECT * FROM {name}",
            "UPDATE field_v2_internal.computed_run SET run_id = run_id + 1",
            "UPDATE field_v2_internal.computed_run SET stamp = 1",
            f"DROP TABLE {name}; CREATE VIEW {name} AS SELECT 1 AS run_id",
            f"DROP TABLE {name}; CREATE TABLE {name} (a INTEGER)",
            f"ALTER TABLE {name} ADD COLUMN more INTEGER",
        ])
    )  # fmt: skip


_CHANGES: tuple[_Change, ...] = (
    _shape, _shape, _view_for_table, _values, _values, _wrong_facts, _wrong_facts, _version, _releases,
    _releases, _macros, _kept,
)  # fmt: skip

"""Warehouses of strangers: what is not as the migrations make it is refused before anything is read."""

from __future__ import annotations

import ast
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest

from evalhouse import EvalhouseError, UsageError, Warehouse
from queries import install
from tests.commands import run
from tests.conftest import ROOT
from tests.oracle import Ask
from tests.tables import facts, question_rows, write_jsonl
from warehouse import connection, merge, migrate, shape
from warehouse.connection import log_of, with_logs
from warehouse.errors import SchemaVersionError

_SECRET = "the secret of this machine"


@pytest.fixture(scope="module")
def bare_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables alone, in the format that has triggers: quick to open, and all that this is about."""
    path = tmp_path_factory.mktemp("bare") / "bare.duckdb"
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{path}' AS bare (STORAGE_VERSION 'v2.0.0')")
        con.execute("USE bare")
        migrate.upgrade(con, path)
    return path


@pytest.fixture
def bare(bare_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "bare.duckdb"
    shutil.copy(bare_file, path)
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(_SECRET, "utf-8")
    return path


def _change(path: Path, sql: str) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(sql)


def _refused(path: Path, *words: str) -> None:
    """Neither reading nor writing opens it, and its bytes stay."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    for opened in (connection.open_for_reading, connection.open_for_writing):
        with pytest.raises(EvalhouseError) as caught:
            opened(path)
        text = str(caught.value)
        assert text.startswith(str(path)), text
        assert "\n" not in text
        for word in words:
            assert word in text
    now = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    assert now == before


# The shape.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DROP TABLE main.run; CREATE VIEW main.run AS SELECT * FROM read_csv('/etc/passwd')", "main.run is a view"),
        ("DROP TABLE main.model_fact", "main.model_fact of schema version 16 is missing"),
        ("ALTER TABLE main.run ADD COLUMN more "
         "INTEGER", "main.run is not the table of schema version 16: the column more is too many"),
        ("ALTER TABLE main.run DROP COLUMN scored", "it has the column produced_at where scored should be"),
        ("ALTER TABLE main.run ALTER label TYPE BLOB", "column label: type: BLOB, and should be VARCHAR"),
        ("ALTER TABLE main.run ALTER label DROP NOT NULL", "column label: NULL allowed: True"),
        ("ALTER TABLE main.run ALTER scored SET DEFAULT "
         "(current_setting('home_directory'))", "column scored: DEFAULT: "),
        ("CREATE OR REPLACE TABLE main.run_sample (run_id INTEGER NOT NULL, sample SMALLINT AS "
         "(1::SMALLINT))", "main.run_sample is not the table of schema version 16"),
        ("CREATE OR REPLACE TABLE main.run_sample (run_id INTEGER NOT NULL, sample SMALLINT NOT "
         "NULL, CHECK (sample < 7))", "main.run_sample is not the table of schema version 16: it has a constraint"),
        ("CREATE OR REPLACE TABLE main.run_sample (run_id INTEGER PRIMARY KEY, sample SMALLINT NOT "
         "NULL)", "main.run_sample is not"),
        ("CREATE TABLE main.mine (a INTEGER); CREATE TRIGGER wipe AFTER INSERT ON main.run FOR "
         "EACH STATEMENT DELETE FROM main.prediction", "the trigger wipe on main.run"),
        ("CREATE SCHEMA own; CREATE TABLE own.kept_run (a INTEGER); CREATE TRIGGER wipe AFTER "
         "INSERT ON own.kept_run FOR EACH STATEMENT DELETE FROM main.prediction", "the trigger wipe on own.kept_run"),
        ("CREATE INDEX odd ON main.run (lower(label))", "the index odd on main.run"),
        ("CREATE MACRO main.lower(x) AS 'other'", "the macro main.lower"),
        ("CREATE MACRO main.count(x) AS 42", "the macro main.count"),
        ("CREATE MACRO main.duckdb_tables() AS TABLE SELECT 1 AS one", "the macro main.duckdb_tables"),
        ("CREATE MACRO main.Run() AS TABLE SELECT 1 AS one", "the macro main.Run"),
        ("CREATE MACRO main.plain_text(x) AS 'other'", "the macro main.plain_text"),
        ("CREATE SEQUENCE main.judgment", "the sequence main.judgment"),
        ("CREATE TYPE main.run AS ENUM ('a')", "the type main.run"),
        ('CREATE SCHEMA "the_other"', "the schema the_other"),
        ("DELETE FROM "
         "main.schema_version", "main.schema_version should name schema versions in a row, each once; it has none"),
        ("INSERT INTO main.schema_version VALUES (16, 'x', now()::TIMESTAMP)", "it has 16, 16"),
        ("INSERT INTO main.schema_version VALUES (14, 'x', now()::TIMESTAMP)", "it has 14, 16"),
        ("ALTER TABLE main.schema_version ALTER version DROP NOT NULL; UPDATE main.schema_version "
         "SET version = NULL", "column version: NULL allowed"),
        ("ALTER TABLE main.schema_version ALTER version TYPE VARCHAR; UPDATE main.schema_version "
         "SET version = 'five'", "column version: type: VARCHAR, and should be INTEGER"),
        ("DROP TABLE main.schema_version; CREATE VIEW main.schema_version AS SELECT 5 AS "
         "version", "not a warehouse of evalhouse"),
        ("UPDATE main.schema_version SET version = -version", "should name schema versions in a row"),
    ],
)  # fmt: skip
def test_what_is_not_as_the_migrations_make_it(bare: Path, sql: str, words: str) -> None:
    _change(bare, sql)
    _refused(bare, words)


def test_a_file_of_before_the_first_version_is_refused(bare: Path) -> None:
    _change(bare, "UPDATE main.schema_version SET version = 15")
    words = r"has schema version 15, this evalhouse reads 16 .*migrate` of evalhouse 0\.2\.0"
    for opened in (connection.open_for_reading, connection.open_for_writing):
        with pytest.raises(SchemaVersionError, match=words):
            opened(bare)


def test_a_file_that_every_version_upgraded_has_a_row_of_each(bare: Path) -> None:
    _change(bare, "INSERT INTO main.schema_version SELECT i, 'x', now() FROM range(1, 16) AS t (i)")
    connection.open_for_reading(bare).close()


def test_an_older_file_has_the_shape_of_its_version(
    bare: Path, tmp_path: Path, next_migration: Path
) -> None:
    (more,) = next_migration.glob("*_more.sql")
    more.write_text("CREATE TABLE main.more (more INTEGER);\n", "utf-8")
    with pytest.raises(SchemaVersionError, match=r"has schema version 16.*evalhouse migrate"):
        connection.open_for_reading(bare)
    taken = tmp_path / "taken.duckdb"
    shutil.copy(bare, taken)
    _change(taken, "CREATE TABLE main.more (mine INTEGER)")
    with pytest.raises(EvalhouseError, match=r"main\.more is a name of a later schema"):
        connection.open_for_writing(taken)
    odd = tmp_path / "odd.duckdb"
    shutil.copy(bare, odd)
    _change(odd, "ALTER TABLE main.run ADD COLUMN more INTEGER")
    with pytest.raises(EvalhouseError, match=r"main\.run is not the table of schema version 16"):
        connection.open_for_writing(odd)
    connection.open_for_writing(bare).close()
    connection.open_for_reading(bare).close()


def test_the_hashes_that_ship_are_those_of_the_migrations() -> None:
    """A new migration, or engine, wants a new line in warehouse/shapes.toml: the one in the message."""
    with connection.in_memory() as con:
        for step in migrate.available():
            tables = shape.expected(con, step.version)
            its_hash = shape.digest_of(tables.values())
            assert shape._VERSIONS.get(its_hash) == step.version, f'{step.version} = "{its_hash}"'
        assert tables.keys() == migrate.table_names()
        assert con.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]


def test_without_the_hashes_tables_are_compared_one_by_one(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shape, "_VERSIONS", {})
    connection.open_for_reading(bare).close()
    _change(bare, "ALTER TABLE main.judge ALTER name TYPE BLOB")
    _refused(bare, "main.judge is not the table of schema version 16: column name: type: BLOB")


# What is the owner's own.


def _fill(house: Warehouse, folder: Path) -> Warehouse:
    """A run of model m on three questions of the benchmark Own."""
    questions = [Ask(str(n), {0: {"A": "a", "B": "b"}}, {0: "A"}) for n in range(3)]
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(questions)), benchmark="Own")
    rows = [{"model": "m", "question_key": q.key, "prediction": "A"} for q in questions]
    house.ingest(write_jsonl(folder / "p.jsonl", rows), benchmark="Own")
    return house


@pytest.fixture
def lab(house: Warehouse, tmp_path: Path) -> Warehouse:
    return _fill(house, tmp_path)


@pytest.mark.slow
def test_a_view_that_no_longer_binds_is_an_error_of_one_line(
    lab: Warehouse, tmp_path: Path
) -> None:
    rows = [{"model": "n", "question_key": str(n), "prediction": "A"} for n in range(3)]
    lab.ingest(write_jsonl(tmp_path / "n.jsonl", rows), benchmark="Own")
    lab.refresh()
    _change(lab.path, "CREATE MACRO latest.sum(x, y) AS 1")
    done = run("evalhouse", "compare", "m", "n", "--db", lab.path, cwd=tmp_path)
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert "the release in this warehouse is not as this evalhouse has it (Binder Error: " in line
    assert line.endswith("`evalhouse releases install` installs it anew")
    check = run("evalhouse", "check", "--db", lab.path, cwd=tmp_path)
    assert check.code == 1
    assert "latest.sum" in check.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("leaderboard", "Own"), ("export", "bundle", "b", "Own"), ("ingest", "n.jsonl", "--benchmark", "Own")],
)  # fmt: skip
def test_a_task_that_is_none_is_named(
    lab: Warehouse, tmp_path: Path, words: tuple[str, ...]
) -> None:
    rows = [{"model": "n", "question_key": "1", "prediction": "A"}]
    write_jsonl(tmp_path / "n.jsonl", rows)
    _change(lab.path, "UPDATE main.benchmark SET task = 'zz' WHERE name = 'Own'")
    before = facts(lab.path)
    done = run("evalhouse", *words, "--db", lab.path, cwd=tmp_path)
    assert done.code == 2, done.err
    (line,) = done.err.splitlines()
    assert (
        "Own: its task in this warehouse is 'zz', which is none of choice, open; "
        "`evalhouse check` names such words"
    ) in line
    assert facts(lab.path) == before


@pytest.mark.slow
def test_what_is_the_owner_s_own_stays_and_is_not_read(
    lab: Warehouse, make_house: Callable[[str], Warehouse], secret: Path, tmp_path: Path
) -> None:
    _change(
        lab.path,
        "CREATE TABLE main.mine AS SELECT 42 AS a; CREATE TABLE main.kept_mine (a INTEGER);"
        "CREATE MACRO main.twice(x) AS 2 * x; CREATE TYPE main.mood AS ENUM ('a');"
        f"CREATE VIEW main.raw AS SELECT * FROM read_csv('{secret}');"
        f"CREATE VIEW main.staged AS SELECT error('{_SECRET}') AS row;"
        "CREATE SEQUENCE main.counted;",
    )
    assert lab.sql("SELECT twice(a) AS b FROM main.mine").item() == 84
    lab.refresh()
    rows = [{"model": "n", "question_key": "1", "prediction": "A"}]
    lab.ingest(write_jsonl(tmp_path / "n.jsonl", rows), benchmark="Own")
    done = run("evalhouse", "check", "--db", lab.path, cwd=tmp_path)
    assert done.code == 0, done.out + done.err
    for name in ("main.kept_mine", "main.mine", "main.raw", "main.staged", "main.twice"):
        assert name in done.out
    export = run("evalhouse", "export", "--parquet", "facts", "--db", lab.path, cwd=tmp_path)
    assert export.code == 0, export.err
    assert not (tmp_path / "facts" / "mine").exists()
    other = make_house("other")
    with other.writing(files=with_logs(lab.path)) as con:
        assert merge.merge(con, lab.path).counts["new_runs"] == 2
    with lab.writing(files=with_logs(other.path)) as con:
        assert merge.merge(con, other.path).counts["new_runs"] == 0
    assert lab.sql("SELECT a FROM main.mine").item() == 42
    found = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'mine'"
    assert other.sql(found).item() == 0


# What a file's own SQL can reach.

_PACKAGES = ("evalhouse", "ingest", "judge", "local_models", "queries", "warehouse")
_OPENS = {
    name
    for name in dir(duckdb.DuckDBPyConnection)
    if not name.startswith("_") and hasattr(duckdb, name)
} | {"connect", "connection", "default_connection", "set_default_connection", "DuckDBPyConnection"}


def _used_of_duckdb(file: Path) -> set[str]:
    """What a module calls or imports of duckdb that opens a connection, or asks one without a name."""
    tree = ast.parse(file.read_text("utf-8"))
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "duckdb":
                used.add(node.func.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("duckdb"):
            used |= {alias.name for alias in node.names}
    return used & _OPENS


def test_one_module_opens_duckdb() -> None:
    found = {
        str(file.relative_to(ROOT)): _used_of_duckdb(file)
        for package in _PACKAGES
        for file in (ROOT / package).rglob("*.py")
    }
    assert {"sql", "execute", "read_csv", "connect", "query"} <= _OPENS
    assert {name: used for name, used in found.items() if used} == {
        "warehouse/connection.py": {"connect"},
        # The process of a user's query, which imports nothing that it could do without.
        "queries/confined/worker.py": {"connect"},
    }


@pytest.mark.as_users
def test_a_connection_reaches_nothing_but_what_it_was_opened_for(
    lab: Warehouse, secret: Path, tmp_path: Path
) -> None:
    named = tmp_path / "it's [a] file*.csv"
    named.write_text("a,b\n1,2\n", "utf-8")
    link = tmp_path / "link.csv"
    link.symlink_to(named)
    with lab.writing(files=[named, link]) as con:
        for file in (named, link):
            pattern = connection.allowed(file)[1].replace("'", "''")
            assert con.execute(f"FROM read_csv('{pattern}')").fetchall() == [(1, 2)]
        for sql in (
            f"FROM read_text('{secret}')",
            f"FROM '{secret}'",
            "FROM glob('/etc/*')",
            f"COPY (SELECT 1) TO '{tmp_path}/new.csv'",
            f"ATTACH '{tmp_path}/new.duckdb'",
            f"EXPORT DATABASE '{tmp_path}/all'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "FROM read_csv('https://example.org/a.csv')",
            "SET enable_external_access = true",
            f"SET allowed_paths = ['{secret}']",
            "SET allowed_directories = ['/']",
        ):
            with pytest.raises(duckdb.Error):
                con.execute(sql)
    assert {file.suffix for file in tmp_path.iterdir()} == {".duckdb", ".jsonl", ".csv", ".txt"}
    with connection.in_memory() as con, pytest.raises(duckdb.PermissionException):
        con.execute(f"FROM read_text('{secret}')")


_FOREIGN = (
    "CREATE OR REPLACE VIEW {schema}.{view} AS SELECT * FROM {schema}.{other} "
    "CROSS JOIN (SELECT content AS model_name FROM read_text('{secret}'))"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "via",
    [
        "latest",
        *(pytest.param(one, marks=pytest.mark.long) for one in ("field_v2", "field_v2_internal")),
    ],
)
def test_a_view_that_reads_local_files(
    lab: Warehouse,
    make_house: Callable[[str], Warehouse],
    secret: Path,
    tmp_path: Path,
    via: str,
) -> None:
    """Every command ends with one line, and what the view wanted to read is nowhere afterwards."""
    with duckdb.connect(str(lab.path)) as con:
        views = con.execute(
            "SELECT view_name FROM duckdb_views() WHERE schema_name = ? AND view_name IN "
            "('current_run', 'leaderboard', 'pass_result', 'stale_run', 'half_line', 'ability_score')",
            [via],
        ).fetchall()
        assert len(views) > 1
        for (view,) in views:
            columns = con.execute(f"DESCRIBE {via}.{view}").fetchall()
            cells = ", ".join(
                f"(SELECT content FROM read_text('{secret}'))::{its_type} AS \"{name}\""
                for name, its_type, *_ in columns
            )
            con.execute(f"CREATE OR REPLACE VIEW {via}.{view} AS SELECT {cells}")
    ours = make_house("ours")
    (tmp_path / "out").mkdir()
    write_jsonl(tmp_path / "n.jsonl", [{"model": "n", "question_key": "1", "prediction": "A"}])
    for words in (
        ("runs",),
        ("refresh",),
        ("export", "--parquet", "out"),
        ("merge", lab.path, "--db", ours.path),
        ("leaderboard", "Own"),
        ("status",),
        ("show", "1", "--model", "m"),
        ("compare", "m", "n"),
        ("check",),
    )[: 4 if via == "latest" else None]:
        full = words if "--db" in words else (*words, "--db", lab.path)
        done = run("evalhouse", *full, cwd=tmp_path)
        assert _SECRET not in done.out + done.err, words
        assert "Traceback" not in done.err, (words, done.err)
        if done.code:
            assert done.err.count("error: ") == 1 or words == ("check",), (words, done.err)
    done = run("ingest", "n.jsonl", "--benchmark", "Own", "--db", lab.path, cwd=tmp_path)
    assert "Traceback" not in done.err
    for path in (lab.path, ours.path):
        assert _SECRET not in repr(facts(path))
    for file in (tmp_path / "out").rglob("*.parquet"):
        assert _SECRET not in repr(pl.read_parquet(file).rows())
    # The releases that ship take the place of the stranger's.
    with lab.writing() as con:
        con.execute("DELETE FROM main.release_object")
        install.bring_up_to_date(con)
    assert lab.runs().height >= 1
    assert lab.sql("SELECT DISTINCT model FROM leaderboard ORDER BY 1")["model"][0] == "m"


@pytest.mark.slow
def test_changed_views_are_named(lab: Warehouse, tmp_path: Path) -> None:
    assert "definitions: ok" in run("evalhouse", "check", "--db", lab.path, cwd=tmp_path).out
    _change(lab.path, "CREATE OR REPLACE VIEW field_v2.judge_cost AS FROM field_v2.leaderboard")
    done = run("evalhouse", "check", "--db", lab.path, cwd=tmp_path)
    assert done.code == 1
    assert "field_v2.judge_cost" in done.out
    listed = run("evalhouse", "releases", "--db", lab.path, cwd=tmp_path)
    assert "differs" in listed.out


def test_a_release_s_name_is_no_sql(lab: Warehouse, tmp_path: Path) -> None:
    _change(
        lab.path,
        "INSERT INTO main.release VALUES "
        "('x\".kept_run; DROP TABLE main.run; --', NULL, 'draft', FALSE, now()::TIMESTAMP)",
    )
    for use in (lab.runs, lab.refresh, lab.kept):
        with pytest.raises(EvalhouseError, match="a release is named"):
            use()
    assert "main.release" in run("evalhouse", "status", "--db", lab.path, cwd=tmp_path).err


def test_a_merge_looks_at_the_other_file_first(
    house: Warehouse, bare: Path, secret: Path, tmp_path: Path
) -> None:
    _change(
        bare,
        "DROP TABLE main.model; CREATE VIEW main.model AS SELECT 1 AS model_id, content AS name, "
        f"1 AS source_id FROM read_text('{secret}')",
    )
    before = facts(house.path)
    done = run("evalhouse", "merge", bare, "--db", house.path, cwd=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "main.model is a view" in done.err
    assert facts(house.path) == before


# Files of other kinds.


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))


def _sqlite(path: Path) -> None:
    with sqlite3.connect(path) as con:
        con.execute("CREATE TABLE run (a)")


_KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "file.sqlite": (_sqlite, "not a valid DuckDB database file"),
    "file.txt": (lambda p: p.write_text("hello " * 5000), "not a valid DuckDB database file"),
    "short.txt": (lambda p: p.write_text("hello"), "not a valid DuckDB database file"),
    "file.png": (lambda p: p.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(9000)), "not a valid DuckDB"),
    "file.parquet": (lambda p: pl.DataFrame({"a": [1]}).write_parquet(p), "not a valid DuckDB"),
    "file.zip": (lambda p: p.write_bytes(b"PK\x03\x04" + bytes(9000)), "not a valid DuckDB"),
    "empty.duckdb": (lambda p: p.touch(), "is empty"),
    "folder.duckdb": (lambda p: p.mkdir(), "is a folder"),
    "pipe.duckdb": (_fifo, "is no file"),
    "socket.duckdb": (_socket, "is no file"),
    "link.duckdb": (lambda p: p.symlink_to("nowhere"), "is a link to nowhere"),
    "loop.duckdb": (lambda p: p.symlink_to("loop.duckdb"), "link"),
    "md:x.sqlite": (_sqlite, "not a valid DuckDB database file"),
}


@pytest.mark.parametrize("name", _KINDS)
def test_files_of_other_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    make, words = _KINDS[name]
    path = tmp_path / name
    make(path)
    for use in (Warehouse(path).reading, Warehouse(path).writing):
        with pytest.raises(EvalhouseError) as caught, use():
            pass
        assert str(caught.value).startswith(str(path))
        assert words in str(caught.value)
        assert "extension" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_device_is_no_warehouse() -> None:
    for name in ("/dev/null", "/dev/zero", "/dev/stdin"):
        with pytest.raises(EvalhouseError), Warehouse(name).reading():
            pass


# Logs next to the file.


def _log(path: Path, sql: str) -> bytes:
    """What a process that was killed left next to the file, which is as it was."""
    script = (
        "import duckdb, os, sys\ncon = duckdb.connect(sys.argv[1])\n"
        "con.execute(sys.argv[2])\nos._exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", script, path, sql], check=False)
    log = path.with_name(f"{path.name}.wal")
    content = log.read_bytes()
    log.unlink()
    return content


def test_a_log_of_something_else(bare: Path, tmp_path: Path) -> None:
    own = _log(bare, "INSERT INTO main.run_sample VALUES (1, 0)")
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as con:
        con.execute("CREATE TABLE t (a INTEGER)")
    damaged, version = bytearray(own), bytearray(own)
    damaged[-3] ^= 0xFF
    version[5] = 99
    logs = {
        "garbage": os.urandom(5000),
        "text": b"hello there" * 100,
        "zeros": bytes(4000),
        "one byte": b"x",
        "another's": _log(other, "INSERT INTO t VALUES (1)"),
        "damaged": bytes(damaged),
        "another version": bytes(version),
    }
    log = bare.with_name(f"{bare.name}.wal")
    for name, content in logs.items():
        log.write_bytes(content)
        _refused(bare, ".wal")
        log.unlink()
        assert name
    # What a killed process left is its own: whole it counts, cut off it does not.
    for content, n in ((own[:-5], 0), (own[:3], 0), (own, 1)):
        log.write_bytes(content)
        with connection.open_for_reading(bare) as con:
            assert con.execute("SELECT count(*) FROM main.run_sample").fetchall() == [(n,)]


def test_a_log_that_came_before(bare: Path) -> None:
    old = _log(bare, "INSERT INTO main.run_sample VALUES (1, 0)")
    _change(bare, "INSERT INTO main.run_sample VALUES (2, 0)")
    bare.with_name(f"{bare.name}.wal").write_bytes(old)
    _refused(bare, ".wal: cannot be replayed")


# Names.

_NAMES = (
    "paper_v1.duckdb", "latest.duckdb", "the_other.duckdb", "main.duckdb", "temp.duckdb",
    "system.duckdb", "memory.duckdb", "_warehouse.duckdb", "run.duckdb", "warehouse", ".hidden",
    "it's a \"name\".duckdb", "with space.and.dots.db", "Größe 模型 🦆.duckdb", "a;b--c.duckdb",
    "[a]*?.duckdb", ":memory:", "md:x.duckdb", "sqlite:x", "-x.duckdb", "%41{}.duckdb",
)  # fmt: skip


@pytest.fixture(scope="module")
def lab_file(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    path = folder / "lab.duckdb"
    shutil.copy(new_file, path)
    return _fill(Warehouse(path), folder).path


def _used(path: Path, folder: Path) -> None:
    """One of each kind of use: reading, writing, views, kept results, exporting, merging."""
    house = Warehouse(path)
    assert house.runs().height == 1
    rows = [{"model": "n", "question_key": "1", "prediction": "B"}]
    house.ingest(write_jsonl(folder / "n.jsonl", rows), benchmark="Own")
    assert house.refresh().n_fresh == 2
    assert house.sql("SELECT count(*) FROM leaderboard").item() > 0
    with house.writing(files=with_logs(folder / "the_other.duckdb")) as con:
        assert merge.merge(con, folder / "the_other.duckdb").counts["same_runs"] == 1
        install.install(con, install.releases.load("paper_v1"))
        assert con.execute("SELECT count(DISTINCT model) FROM latest.leaderboard").fetchall() == [
            (2,)
        ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *_NAMES[:1],
        *(pytest.param(name, marks=pytest.mark.long) for name in _NAMES[1:]),
    ],
)
def test_a_warehouse_of_any_name(
    lab_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    sibling = tmp_path / "sibling"
    sibling.mkdir()
    shutil.copy(lab_file, sibling / "the_other.duckdb")
    folder = tmp_path / "here"
    folder.mkdir()
    shutil.copy(lab_file, folder / name)
    monkeypatch.chdir(folder)
    # By a name of its own, which the engine could take for more than a name.
    _used(Path(name), sibling)
    assert [file.name for file in folder.iterdir()] == [name]
    plain = tmp_path / "plain.duckdb"
    shutil.copy(folder / name, plain)
    with duckdb.connect(str(plain), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM latest.leaderboard").fetchall()[0][0] > 0


@pytest.mark.parametrize("name", ["plain.duckdb", "a?b?.duckdb", "?", "on/a?/b.duckdb"])
def test_the_log_is_where_the_engine_keeps_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for folder in (path.parent, log_of(path).parent):
        folder.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t AS SELECT 1")
        files = {file for file in tmp_path.rglob("*") if file.is_file()}
    assert files == {path, log_of(path)}


def test_names_that_cannot_be(tmp_path: Path) -> None:
    for name in (b"\xff.duckdb".decode(errors="surrogateescape"), "a\0b.duckdb", "x" * 300):
        for use in (Warehouse(tmp_path / name).reading, Warehouse(tmp_path / name).writing):
            with pytest.raises((EvalhouseError, UsageError)), use():
                pass

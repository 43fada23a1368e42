"""The file itself: versions, locks, kills, other DuckDB clients, and what the engine does not enforce."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
import polars as pl
import pytest

from evalhouse import BusyError, EvalhouseError, SchemaVersionError, Warehouse
from tests import each_once
from tests.conftest import ROOT
from tests.oracle import Ask
from tests.tables import add_replies, facts, question_rows, register_judge, write_jsonl
from warehouse import connection, migrate
from warehouse.check import run_checks


def filled(house: Warehouse, folder: Path, *, hidden: bool = False) -> Warehouse:
    """A small warehouse with every kind of state in it."""
    questions = [
        Ask(
            str(n),
            {p: {"A": f"a{n}{p}", "B": f"b{n}{p}"} for p in range(2)},
            {p: None if hidden else "AB"[(n + p) % 2] for p in range(2)},
        )
        for n in range(6)
    ]
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(questions)), benchmark="Own")
    pick = random.Random(3)
    rows = [
        {"model": m, "question_key": q.key, "pass": p, "prediction": pick.choice(["A", "B", "hm", None])}
        for m in ("one", "two")
        for q in questions
        for p in q.choices
        if pick.random() < 0.9
    ]  # fmt: skip
    house.ingest(write_jsonl(folder / "p.jsonl", rows), benchmark="Own")
    judge = register_judge(house, "J")
    add_replies(house, judge, [(q, 0, "hm", pick.choice(["A", "X", "no"])) for q in questions[:4]])
    return house


_PARTS = 2
"""In which the views are queried, each by a test of its own, so that both cores have work."""
_QUERY = (
    "SELECT model, strategy, judge, n, score_low, score_high, n_missing, n_pending, n_fallback "
    "FROM {}.latest.ability_score ORDER BY ALL"
)


@pytest.mark.engines
@pytest.mark.parametrize("part", range(_PARTS))
def test_duckdb_1_5_reads_it_renamed_and_attached(
    house: Warehouse, tmp_path: Path, part: int
) -> None:
    """In an environment that does not have this package, under another name."""
    python = os.environ.get("EVALHOUSE_OLDER_PYTHON")
    if not python:
        pytest.skip(
            "needs a Python with duckdb 1.5 in EVALHOUSE_OLDER_PYTHON; `make test-engines` makes one"
        )
    filled(house, tmp_path)
    house.refresh()
    renamed = tmp_path / "elsewhere.db"
    shutil.copy(house.path, renamed)
    script = (
        "import duckdb, importlib.util, json, sys\n"
        "assert duckdb.__version__.startswith('1.5.'), duckdb.__version__\n"
        "assert importlib.util.find_spec('evalhouse') is None\n"
        "con = duckdb.connect()\n"
        "con.execute('SET enable_progress_bar = false')\n"
        "con.execute(\"CREATE TABLE main.run AS SELECT 1 AS other\")\n"
        "con.execute(f\"ATTACH '{sys.argv[1]}' AS lab (READ_ONLY)\")\n"
        # A view of `latest` is that of the release.
        "views = con.execute(\"SELECT max(schema_name), view_name FROM duckdb_views() "
        "WHERE database_name = 'lab' AND schema_name IN ('latest', 'field_v2', 'field_v2_internal', 'papers') "
        "GROUP BY view_name ORDER BY hash(view_name)\").fetchall()\n"
        "part, parts = map(int, sys.argv[3:])\n"
        "counts = {f'{s}.{v}': con.execute(f'SELECT count(*) FROM lab.{s}.{v}').fetchone()[0] "
        "for s, v in views[part::parts]}\n"
        "rows = con.execute(sys.argv[2]).fetchall()\n"
        "print(json.dumps([counts, rows]))\n"
    )  # fmt: skip
    done = subprocess.run(
        [python, "-I", "-c", script, str(renamed), _QUERY.format("lab"), str(part), str(_PARTS)],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counts, rows = __import__("json").loads(done.stdout)
    with duckdb.connect(str(house.path), read_only=True) as con:
        name = house.path.stem
        assert [list(row) for row in con.execute(_QUERY.format(name)).fetchall()] == rows
        once = each_once.tables(con, "field_v2")
        for view, count in counts.items():
            source = once.get(view.split(".")[1], view)
            assert con.execute(f"SELECT count(*) FROM {source}").fetchone() == (count,), view
    assert len(counts) > 120 / _PARTS


@pytest.mark.engines
@pytest.mark.parametrize("hidden", [False, True])
def test_every_view_whatever_the_optimizer_does(
    house: Warehouse, tmp_path: Path, hidden: bool
) -> None:
    """DuckDB 2.0.0's common_subplan has given wrong answers; each view is asked with and without."""
    filled(house, tmp_path, hidden=hidden)
    house.refresh()
    with duckdb.connect(str(house.path), read_only=True) as con:
        views = con.execute(
            "SELECT schema_name, view_name FROM duckdb_views() "
            "WHERE schema_name = 'latest' OR (schema_name = 'papers' AND NOT $hidden)",
            {"hidden": hidden},
        ).fetchall()
        once = each_once.tables(con, "field_v2")
        for schema, view in views:
            asked, wanted = (
                each_once.rows(con, one, digits=12) for one in (f"{schema}.{view}", once[view])
            )
            assert asked == wanted, view


def test_views_name_schemas_and_never_the_catalog(house: Warehouse) -> None:
    with house.reading() as con:
        texts = con.execute("SELECT sql FROM duckdb_views() WHERE NOT internal").fetchall()
    assert len(texts) > 80
    assert not [sql for (sql,) in texts if f"{house.path.stem}." in sql]


def test_every_view_and_column_has_a_comment(house: Warehouse) -> None:
    with house.reading() as con:
        views = con.execute(
            "SELECT view_name FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''"
        ).fetchall()
        columns = con.execute(
            "SELECT DISTINCT table_name, column_name FROM duckdb_columns() JOIN duckdb_views() AS v "
            "ON table_name = view_name AND v.schema_name = duckdb_columns.schema_name "
            "WHERE NOT v.internal AND coalesce(duckdb_columns.comment, '') = ''"
        ).fetchall()
        tables = con.execute(
            "SELECT table_name FROM duckdb_tables() WHERE coalesce(comment, '') = ''"
        ).fetchall()
    assert (views, columns, tables) == ([], [], [])


def test_schema_main_holds_tables_alone(house: Warehouse) -> None:
    with house.reading() as con:
        views = con.execute(
            "SELECT view_name FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal"
        ).fetchall()
        indexes = con.execute("SELECT * FROM duckdb_indexes()").fetchall()
    assert (views, indexes) == ([], [])


# Versions.


def _set_version(path: Path, version: int) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("DELETE FROM main.schema_version")
        con.execute("INSERT INTO main.schema_version VALUES (?, 'x', now()::TIMESTAMP)", [version])


@pytest.mark.as_users
def test_an_older_warehouse(house: Warehouse, tmp_path: Path, next_migration: Path) -> None:
    with pytest.raises(
        SchemaVersionError,
        match=r"has schema version 16, this evalhouse reads 17.*evalhouse migrate",
    ):
        house.sql("SELECT 1")
    house.ingest(
        write_jsonl(tmp_path / "q.jsonl", question_rows([Ask("1", {0: {"A": "a", "B": "b"}}, {0: "A"})])),
        benchmark="Own",
    )  # fmt: skip
    assert house.sql("SELECT max(version) FROM main.schema_version").item() == 17
    house.sql("SELECT nickname FROM main.model")


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    house: Warehouse, next_migration: Path
) -> None:
    before = facts(house.path)
    (broken,) = next_migration.glob("*_more.sql")
    broken.write_text(
        "ALTER TABLE main.model ADD COLUMN nickname VARCHAR; SELECT * FROM nowhere;",
        encoding="utf-8",
    )
    with pytest.raises(EvalhouseError, match="nowhere does not exist"), house.writing():
        pass
    assert facts(house.path) == before


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, pytest.param(True, marks=pytest.mark.kills)])
def test_an_upgrade_is_one_with_its_releases(
    tmp_path: Path, next_migration: Path, killed: bool
) -> None:
    """What goes wrong while the views are made leaves the old schema, and an upgrade later does both."""
    path = tmp_path / "old.duckdb"
    with duckdb.connect(str(path), config={"storage_compatibility_version": "v1.4.0"}) as con:
        migrate.upgrade(con, path, to=16)
        con.execute("INSERT INTO main.model VALUES (1, 'old', 1)")
    before = facts(path)
    how = "os.kill(os.getpid(), signal.SIGKILL)" if killed else "raise SystemExit(9)"
    script = (
        "import os, signal, sys\n"
        "from evalhouse.cli import main\n"
        "from pathlib import Path\n"
        "from queries import install\n"
        "from warehouse import migrate\n"
        "migrate._DIRECTORY = Path(sys.argv[2])\n"
        "record = install._record\n"
        "def half(*given):\n"
        "    record(*given)\n"
        f"    {how}\n"
        "install._record = half\n"
        "sys.argv = ['evalhouse', 'migrate', '--db', sys.argv[1]]\n"
        "main()\n"
    )
    words = [sys.executable, "-c", script, str(path), str(next_migration)]
    done = subprocess.run(words, cwd=ROOT, check=False)
    assert done.returncode == (-signal.SIGKILL if killed else 9)
    assert facts(path) == before
    with duckdb.connect(str(path), read_only=True) as con:
        assert con.execute("SELECT max(version) FROM main.schema_version").fetchall() == [(16,)]
        views = "SELECT count(*) FROM duckdb_views() WHERE NOT internal"
        assert con.execute(views).fetchall() == [(0,)]
    with Warehouse(path).writing() as con:
        assert con.execute("SELECT name FROM main.model").fetchall() == [("old",)]
        assert con.execute("SELECT count(*) FROM latest.leaderboard").fetchall() == [(0,)]


def test_a_newer_warehouse_is_refused(house: Warehouse) -> None:
    _set_version(house.path, 99)
    for use in (house.reading, house.writing):
        with pytest.raises(SchemaVersionError, match="made by a newer evalhouse"), use():
            pass


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as con:
        con.execute("CREATE TABLE mine (i INTEGER)")
    text = tmp_path / "text.duckdb"
    text.write_text("no database at all, but long enough to be looked at" * 100)
    for path, words in ((other, "not a warehouse"), (text, "not a valid DuckDB")):
        for use in (Warehouse(path).reading, Warehouse(path).writing):
            with pytest.raises(EvalhouseError, match=words), use():
                pass
    with pytest.raises(EvalhouseError, match="no warehouse there"):
        Warehouse(tmp_path / "nothing.duckdb").sql("SELECT 1")
    assert not (tmp_path / "nothing.duckdb").exists()


# Other processes.

_HOLD = (
    "import sys, time, duckdb\n"
    "con = duckdb.connect(sys.argv[1])\n"
    "print('held', flush=True)\n"
    "time.sleep(float(sys.argv[2]))\n"
)


def _hold(path: Path, seconds: float) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_busy_file_names_its_holder(house: Warehouse) -> None:
    with _hold(house.path, 60) as process:
        try:
            for use in (house.reading, house.writing):
                with pytest.raises(BusyError, match=rf"PID {process.pid}.*--wait SECONDS"), use():
                    pass
        finally:
            process.kill()


@pytest.mark.slow
def test_waiting_for_a_busy_file(house: Warehouse) -> None:
    with _hold(house.path, 2):
        start = time.monotonic()
        with connection.open_for_writing(house.path, wait=30) as con:
            con.execute("SELECT 1")
        assert time.monotonic() - start < 25


_INGEST = (
    "import sys\n"
    "from evalhouse import Warehouse\n"
    "print('started', flush=True)\n"
    "Warehouse(sys.argv[1]).ingest(sys.argv[2], benchmark='Own')\n"
)


@pytest.mark.long
def test_killed_at_any_moment_all_of_a_file_or_none(house: Warehouse, tmp_path: Path) -> None:
    n_questions, n_models = 500, 200
    pl.DataFrame(
        {"question_key": range(n_questions), "question": "q", "A": "a", "B": "b", "answer": "A"}
    ).write_parquet(tmp_path / "q.parquet")
    house.ingest(tmp_path / "q.parquet", benchmark="Own")
    pl.DataFrame({"model": [f"m{n}" for n in range(n_models)]}).join(
        pl.DataFrame({"question_key": range(n_questions)}), how="cross"
    ).with_columns(prediction=pl.lit("A")).write_parquet(tmp_path / "said.parquet")
    clean = tmp_path / "clean.duckdb"
    shutil.copy(house.path, clean)
    pick = random.Random(7)
    outcomes = set()
    longest = 3.0
    for attempt in range(12):
        shutil.copy(clean, house.path)
        Path(f"{house.path}.wal").unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-c", _INGEST, str(house.path), str(tmp_path / "said.parquet")],
            stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        start = time.monotonic()
        if attempt == 0:
            process.wait()
            longest = time.monotonic() - start
        else:
            time.sleep(longest * pick.random())
            process.send_signal(signal.SIGKILL)
            process.wait()
        process.stdout.close()
        counts = house.sql(
            "SELECT (SELECT count(*) FROM main.prediction), (SELECT count(*) FROM main.run), "
            "(SELECT count(*) FROM main.source WHERE format = 'predictions')"
        ).row(0)
        assert counts in ((0, 0, 0), (n_questions * n_models, n_models, 1))
        outcomes.add(counts)
        with house.writing():
            pass
    assert len(outcomes) == 2


@pytest.mark.long
def test_killed_while_it_is_made_there_is_no_half_of_a_warehouse(tmp_path: Path) -> None:
    pick = random.Random(11)
    script = (
        "import sys\nfrom evalhouse import Warehouse\nprint('started', flush=True)\nwith "
        "Warehouse(sys.argv[1]).writing():\n    pass\n"
    )
    for attempt in range(4):
        path = tmp_path / f"new-{attempt}.duckdb"
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(2 * pick.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if path.exists():
            Warehouse(path).sql("SELECT count(*) FROM leaderboard")
        with Warehouse(path).writing():
            pass
        assert Warehouse(path).sql("SELECT count(*) FROM leaderboard").item() == 0


# What the engine does not enforce.


def test_check_finds_nothing_wrong(house: Warehouse, tmp_path: Path) -> None:
    filled(house, tmp_path)
    with house.reading() as con:
        assert [finding for finding in run_checks(con) if finding.n] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("INSERT INTO main.question_attribute SELECT 1, 'x', 'y', 1 FROM range(2)", "duplicate_keys"),
        ("INSERT INTO main.question_image VALUES (1, 0, 'x', 999)", "dangling_references"),
        ("INSERT INTO main.model_alias VALUES (1, 'x', 999)", "dangling_references"),
        ("UPDATE main.run SET superseded_by = 777", "dangling_references"),
        ("UPDATE main.answer SET superseded_by = 555", "dangling_references"),
        ("UPDATE main.dataset_source SET role = 'x'", "unknown_words"),
        ("INSERT INTO main.run SELECT * FROM main.run LIMIT 1", "duplicate_ids"),
        ("INSERT INTO main.question SELECT 99, dataset_id, question_key, text, source_id FROM "
         "main.question LIMIT 1", "duplicate_keys"),
        ("INSERT INTO main.prediction SELECT * FROM main.prediction LIMIT 1", "duplicate_predictions"),
        ("UPDATE main.run SET model_id = 77", "dangling_references"),
        ("DELETE FROM main.source WHERE source_id = 2", "dangling_references"),
        ("INSERT INTO main.prediction VALUES (1, 1, 9, 0, 'A', false)", "foreign_passes"),
        ("UPDATE main.answer SET label = 'Q'", "unknown_answers"),
        ("INSERT INTO main.prediction VALUES (1, 1, 0, 5, 'A', false)", "unsampled_rows"),
        ("DELETE FROM main.run_sample", "childless_facts"),
        ("INSERT INTO main.choice_score SELECT 1, 1, 0, 0, 'answer', 'A', 0.5, NULL, NULL FROM "
         "range(2)", "duplicate_choice_scores"),
        ("DELETE FROM main.warehouse_identity", "unidentified"),
        ("INSERT INTO main.warehouse_identity SELECT uuid()", "unidentified"),
    ],
)  # fmt: skip
def test_check_finds_damage(house: Warehouse, tmp_path: Path, damage: str, check: str) -> None:
    filled(house, tmp_path)
    with house.writing() as con:
        con.execute(damage)
    with house.reading() as con:
        assert check in {finding.check for finding in run_checks(con) if finding.n}


def test_check_finds_a_source_that_changed(house: Warehouse, tmp_path: Path) -> None:
    filled(house, tmp_path)
    (tmp_path / "p.jsonl").write_text("{}", encoding="utf-8")
    (tmp_path / "q.jsonl").unlink()
    with house.reading() as con:
        (finding,) = [finding for finding in run_checks(con) if finding.n]
    assert (finding.check, finding.n) == ("source_files", 1)
    assert "p.jsonl" in finding.examples[0]


def test_every_fact_leads_to_its_source(house: Warehouse, tmp_path: Path) -> None:
    filled(house, tmp_path)
    through_another = {
        "prediction",
        "choice_score",
        "run_sample",
        "run_event",
        "run_status",
        "sample_error",
        "answer_attribute",
        "label_unit",
        "run_input",
        "run_thinking",
        "schema_version",
        "release",
        "release_object",
        "judge_event",
        "warehouse_identity",
    }
    with house.reading() as con:
        tables = {
            name
            for (name,) in con.execute(
                "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"
            ).fetchall()
        }
        led = {
            name
            for (name,) in con.execute(
                "SELECT table_name FROM duckdb_columns() "
                "WHERE schema_name = 'main' AND column_name = 'source_id'"
            ).fetchall()
        }
    assert tables - led == through_another


@pytest.mark.slow
def test_two_copies_score_the_same(make_house: Callable[[str], Warehouse], tmp_path: Path) -> None:
    one = filled(make_house("one"), tmp_path)
    copied = tmp_path / "copied.duckdb"
    shutil.copy(one.path, copied)
    query = "SELECT * FROM leaderboard ORDER BY ALL"
    assert one.sql(query).equals(Warehouse(copied).sql(query))


@pytest.mark.parametrize(
    "wrong", ["SELECT nothing", "SELEC 1", "INSERT INTO main.run_sample VALUES ('x', 0)"]
)
def test_nothing_is_said_to_be_stored_after_an_error(house: Warehouse, wrong: str) -> None:
    """The engine gives the transaction up, and says of COMMIT that it went well."""

    def careless(con: duckdb.DuckDBPyConnection) -> None:
        with connection.transaction(con):
            con.execute("INSERT INTO main.run_sample VALUES (1, 0)")
            with suppress(duckdb.Error):
                con.execute(wrong)

    with house.writing() as con:
        with pytest.raises(duckdb.TransactionException):
            careless(con)
        # And the connection is good for the next one.
        with connection.transaction(con):
            con.execute("INSERT INTO main.run_sample VALUES (2, 0)")
        assert con.execute("SELECT run_id FROM main.run_sample").fetchall() == [(2,)]


def test_an_upgrade_that_passed_an_error_over_is_none(tmp_path: Path, next_migration: Path) -> None:
    path = tmp_path / "old.duckdb"
    with duckdb.connect(str(path)) as con:
        migrate.upgrade(con, path, to=16)

        def careless(con: duckdb.DuckDBPyConnection) -> None:
            with suppress(duckdb.Error):
                con.execute("SELECT nothing")

        with pytest.raises(duckdb.TransactionException):
            migrate.upgrade(con, path, then=careless)
        assert migrate.installed_version(con, path) == 16


def test_every_transaction_of_ours_looks_before_it_commits() -> None:
    found = {
        str(path.relative_to(ROOT))
        for room in ("evalhouse", "ingest", "judge", "queries", "warehouse")
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"""["']COMMIT\b""", path.read_text("utf-8"))
    }
    # The other one reads, and what it read is looked up again.
    assert found == {"warehouse/transactions.py", "ingest/pipeline.py"}

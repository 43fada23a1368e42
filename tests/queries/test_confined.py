"""A user's SQL changes nothing: every statement that the engine knows, at each of the guards alone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import duckdb
import pytest

from evalhouse import UsageError, Warehouse
from queries.confined.statement import NoQueryError, checked
from queries.confined.wire import Request
from tests.attacks import (
    QUERIES,
    STATEMENTS,
    first_words,
    kernel_guards,
    names,
    of_functions,
    of_settings,
    refused,
    written,
)
from tests.conftest import ROOT
from warehouse.connection import CATALOG

_KILLED = """
import os, sys
import duckdb
con = duckdb.connect(sys.argv[1])
con.execute("CREATE TABLE main.of_a_killed_writer AS FROM range(1000)")
os._exit(1)
"""


@pytest.fixture
def place(new_file: Path, tmp_path: Path) -> Path:
    """A folder with a warehouse whose writer was killed, a link to it, and other files."""
    folder = tmp_path / "house"
    folder.mkdir()
    house = folder / "warehouse.duckdb"
    shutil.copy(new_file, house)
    subprocess.run([sys.executable, "-c", _KILLED, str(house)], check=False)
    assert (folder / "warehouse.duckdb.wal").stat().st_size > 0
    (folder / "link.duckdb").symlink_to(house)
    (folder / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    for name in ("out", "home", "spilled"):
        (tmp_path / name).mkdir()
    (tmp_path / "out/schema.sql").write_text("CREATE TABLE x (i INTEGER);", encoding="utf-8")
    (tmp_path / "out/load.sql").write_text("COPY x TO 'loaded.csv';", encoding="utf-8")
    return house


@pytest.fixture
def parser() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        yield con


def _everything(folder: Path, *, but: str = "spilled") -> dict[str, tuple[object, ...]]:
    """Every file, folder and link below: what it is, when it was written, and its bytes' hash."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.split("/")[0] == but:
            continue
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        found[name] = (status.st_mode, status.st_ino, status.st_mtime_ns, status.st_size, content)
    return found


def _attack(house: Path, statements: list[str], *guards: str) -> list[str]:
    """How each statement ended, run from the warehouse's folder without a look at it before."""
    root = house.parent.parent
    request = Request(
        sql="", path=str(house), catalog=CATALOG, folder=str(root / "spilled"), spill_size=10**8,
        settings={"search_path": "field_v2,main", "disabled_optimizers": "common_subplan"},
        attached=None, timeout=None, max_rows=None, memory_limit="200MB", threads=1,
    )  # fmt: skip
    listing, ends = root / "spilled.json", root / "spilled.ends"
    listing.write_text(
        json.dumps({"request": asdict(request), "statements": statements, "guards": guards}),
        "utf-8",
    )
    ends.touch()
    found: list[str] = []
    while len(found) < len(statements):
        subprocess.run(
            [sys.executable, "-m", "tests.confined_child", listing, ends, str(len(found))],
            cwd=house.parent,
            env=os.environ | {"HOME": str(root / "home"), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=300,
        )
        before = len(found)
        found = [json.loads(line) for line in ends.read_text("utf-8").splitlines()]
        if len(found) == before:
            found.append("ended the process")
            with ends.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    listing.unlink()
    ends.unlink()
    return found


_NEVER_PARSED = {
    getattr(duckdb.StatementType, name)
    for name in (
        "ANALYZE", "CREATE_FUNC", "EXTENSION", "INVALID", "LOGICAL_PLAN", "RELATION", "VARIABLE_SET",
        "COPY_DATABASE",
    )
}  # fmt: skip
"""The engine's list has them, but its parser gives none: ANALYZE is a VACUUM, a variable a SET."""


def test_the_lists_have_every_word_that_begins_a_statement(
    parser: duckdb.DuckDBPyConnection, place: Path
) -> None:
    assert first_words(parser) == STATEMENTS.keys() | QUERIES.keys()
    words = names(place, place.parent.parent / "out")
    types = set(duckdb.StatementType.__members__.values()) - _NEVER_PARSED
    for word, statements in (STATEMENTS | QUERIES).items():
        parsed = 0
        for statement in statements:
            assert statement.lower().startswith(word)
            try:
                found = parser.extract_statements(statement.format(**words))
            except duckdb.Error:
                continue
            parsed += len(found)
            types -= {_type_of(one) for one in found}
        assert parsed, f"nothing of {word} parses"
    assert not types, "types of statements that no statement here has"


def _type_of(statement: duckdb.Statement) -> duckdb.StatementType | None:
    try:
        return statement.type
    except ValueError:
        # The engine knows types that its own list for Python lacks, such as CONNECT's.
        return None


_GUARDS = [("kernel",), ("engine",), ("kernel", "engine")]


@pytest.mark.slow
@pytest.mark.parametrize("guards", _GUARDS)
def test_no_statement_changes_anything(place: Path, guards: tuple[str, ...]) -> None:
    """Not even where nobody looks at the statement first."""
    _require_unchanged(place, written(_words(place), all_forms=False), guards)


@pytest.mark.long
@pytest.mark.parametrize("guards", _GUARDS)
def test_no_form_of_a_statement_changes_anything(place: Path, guards: tuple[str, ...]) -> None:
    _require_unchanged(place, written(_words(place), all_forms=True), guards)


@pytest.mark.long
@pytest.mark.parametrize("guards", _GUARDS)
def test_no_function_or_setting_changes_anything(
    place: Path, parser: duckdb.DuckDBPyConnection, guards: tuple[str, ...]
) -> None:
    words = _words(place)
    calls, settings = of_functions(parser, words), of_settings(parser, words)
    assert len(calls) > 2000
    assert len(settings) > 300
    _require_unchanged(place, [*calls, *settings], guards)


def test_without_guards_they_do(place: Path) -> None:
    """What the tests above see is the guards' doing: the engine lets a query write where it may spill."""
    made = place.parent.parent / "spilled" / "made.csv"
    statement = f"EXPLAIN ANALYZE COPY (SELECT 1) TO '{made}' (USE_TMP_FILE false)"
    assert _attack(place, [statement], "engine") != [""]
    assert not made.exists()
    assert _attack(place, [statement]) == [""]
    assert made.exists()


def test_where_the_kernel_does_not_guard_nothing_spills(place: Path) -> None:
    query = "SELECT count(*) FROM (SELECT DISTINCT sha256(range::VARCHAR) FROM range(2000000))"
    (end,) = _attack(place, [query], "engine")
    assert end.startswith("Out of Memory Error")


def test_only_a_query_is_a_query(parser: duckdb.DuckDBPyConnection, place: Path) -> None:
    for statement in refused(_words(place)):
        with pytest.raises((NoQueryError, duckdb.Error)):
            pytest.fail(f"{statement} was taken for {checked(parser, statement)}")


def test_what_is_a_query_is_one(parser: duckdb.DuckDBPyConnection) -> None:
    for query in [query for of_word in QUERIES.values() for query in of_word]:
        for form in ("{}", "-- a ; comment\n{};", "/* ' */ {} ;; -- the end", "\ufeff{}\n;\n"):
            assert checked(parser, form.format(query)) == form.format(query)
        for form in ("EXPLAIN {}", "explain analyze {} ;", "EXPLAIN (FORMAT json) -- é\n {}"):
            assert checked(parser, form.format(query)).startswith("EXPLAIN ")


def test_what_is_a_query_runs(queried: Warehouse) -> None:
    for query in ("PIVOT (SELECT 1 AS a) ON a -- pivoted\n;", "SUMMARIZE main.run", "SHOW TABLES"):
        assert queried.sql(f"-- a comment\n{query}").height > 0
        explained = queried.sql(f"EXPLAIN (ANALYZE, FORMAT json) {query}")
        assert explained.columns == ["explain_key", "explain_value"]


_TOLD_NO = [
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{db}' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{wal}' (USE_TMP_FILE false)",
    "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO '{spill}/x'",
    "WITH x AS (COPY (SELECT 1) TO '{db}' (USE_TMP_FILE false)) FROM x",
    "WITH x AS (COPY (SELECT 1 AS run_id) TO '{wal}') PIVOT x ON Count",
    "COPY (PIVOT main.run ON run_id) TO '{wal}'",
    "CONNECT '{db}'",
    "CREATE TEMP TABLE x AS SELECT 1",
    "FROM read_text('{other}')",
    "FROM glob('{db}*')",
    "FROM sniff_csv('{other}')",
    "SELECT getenv('HOME')",
    "FROM read_csv('https://example.com/x.csv')",
    "FROM duckdb_secrets()",
    "SELECT current_setting('s3_secret_access_key')",
    "FROM query('COPY (SELECT 1) TO ''{db}''')",
    "-- nothing but a comment",
    "",
    ";",
    "SELECT '\ud800'",
    "(" * 50_000,
    "EXPLAIN",
    "EXPLAIN (ANALYZE",
    "EXPLAIN (ANALYZE, STORAGE '{new}') SELECT 1",
]


@pytest.mark.slow
def test_a_user_is_refused(queried: Warehouse) -> None:
    place = queried.path.absolute()
    root = place.parent.parent
    before = _everything(root)
    for sql in _TOLD_NO:
        with pytest.raises(UsageError):
            pytest.fail(f"{sql} gave {queried.sql(sql.format(**_words(place)))}")
        assert not list((root / "spilled").iterdir())
    assert _everything(root) == before


def test_what_a_killed_writer_stored_is_read(queried: Warehouse) -> None:
    before = _everything(queried.path.absolute().parent)
    assert queried.sql("SELECT count(*) AS n FROM main.of_a_killed_writer").item() == 1000
    assert _everything(queried.path.absolute().parent) == before


@pytest.fixture
def queried(place: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """The warehouse of that place, queried from its folder; queries spill in `spilled`."""
    monkeypatch.chdir(place.parent)
    monkeypatch.setattr(tempfile, "tempdir", str(place.parent.parent / "spilled"))
    return Warehouse(place.name)


def _require_unchanged(place: Path, statements: list[str], guards: tuple[str, ...]) -> None:
    if "kernel" in guards and not kernel_guards():
        pytest.skip("needs a kernel that can forbid a process to write (Linux with Landlock)")
    before = _everything(place.parent.parent)
    ends = _attack(place, ["SELECT 1", *statements, "SELECT 1"], *guards)
    # They did run, from the first to the last.
    assert (ends[0], ends[-1]) == ("", "")
    assert _everything(place.parent.parent) == before


def _words(place: Path) -> dict[str, str]:
    return names(place, place.parent.parent / "out")

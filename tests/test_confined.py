"""A user's SQL changes nothing: every statement that the engine knows, at each of the guards alone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import duckdb
import pytest

from evalhouse import UsageError, Warehouse
from queries.confined.statement import NoQueryError, checked
from queries.confined.wire import Request
from tests.attacks import (
    IN_QUERIES,
    QUERIES,
    STATEMENTS,
    first_words,
    forms,
    names,
    of_functions,
    of_settings,
)
from tests.conftest import ROOT
from warehouse.connection import CATALOG

_KILLED = """
import os, sys, duckdb
con = duckdb.connect(sys.argv[1])
con.execute("INSERT INTO main.taxonomy_note VALUES (1)") if False else None
con.execute("CREATE TABLE main.of_a_killed_writer AS FROM range(1000)")
os._exit(1)
"""


@pytest.fixture
def place(empty_file: Path, tmp_path: Path) -> Path:
    """A folder with a warehouse whose writer was killed, a link to it, and other files."""
    folder = tmp_path / "house"
    folder.mkdir()
    house = folder / "warehouse.duckdb"
    shutil.copy(empty_file, house)
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
        told = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        found[name] = (told.st_mode, told.st_ino, told.st_mtime_ns, told.st_size, content)
    return found


def _attack(house: Path, statements: list[str], *guards: str) -> list[str]:
    """How each statement ended, run from the warehouse's folder without a look at it before."""
    root = house.parent.parent
    request = Request(
        sql="", path=str(house), catalog=CATALOG, folder=str(root / "spilled"), spill_size=10**8,
        settings={"search_path": "paper_v1,main", "disabled_optimizers": "common_subplan"},
        timeout=None, max_rows=None, memory_limit="200MB", threads=1,
    )  # fmt: skip
    told, ends = root / "spilled.json", root / "spilled.ends"
    told.write_text(
        json.dumps({"request": asdict(request), "statements": statements, "guards": guards}), "utf-8"
    )
    ends.touch()
    found: list[str] = []
    while len(found) < len(statements):
        subprocess.run(
            [sys.executable, str(ROOT / "tests/confined_child.py"), told, ends, str(len(found))],
            cwd=house.parent,
            env=os.environ | {"HOME": str(root / "home"), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None,
            check=False,
            timeout=300,
        )
        before = len(found)
        found = [json.loads(line) for line in ends.read_text("utf-8").splitlines()]
        if len(found) == before:
            found.append("ended the process")
            with ends.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    told.unlink()
    ends.unlink()
    return found


def _written(house: Path) -> list[str]:
    """Every statement of the lists, in every form, with the names of this place."""
    words = names(house, house.parent.parent / "out")
    plain = [s for of_word in STATEMENTS.values() for s in of_word]
    queries = [s for of_word in QUERIES.values() for s in of_word]
    return [
        form.format(**words)
        for statement in [*plain, *IN_QUERIES, *queries]
        for form in forms(statement)
    ]


def test_the_lists_have_every_word_that_begins_a_statement(
    parser: duckdb.DuckDBPyConnection, place: Path
) -> None:
    assert first_words(parser) == STATEMENTS.keys() | QUERIES.keys()
    words = names(place, place.parent.parent / "out")
    for word, statements in (STATEMENTS | QUERIES).items():
        parsed = 0
        for statement in statements:
            assert statement.lower().startswith(word)
            try:
                parsed += len(parser.extract_statements(statement.format(**words)))
            except duckdb.Error:
                continue
        assert parsed, f"nothing of {word} parses"


@pytest.mark.parametrize("guards", [("kernel",), ("engine",), ("kernel", "engine")])
def test_no_statement_changes_anything(place: Path, guards: tuple[str, ...]) -> None:
    before = _everything(place.parent.parent)
    statements = _written(place)
    ends = _attack(place, statements, *guards)
    print(Counter(e.split("\n")[0][:100] for e in ends).most_common(60))
    print([s for s, e in zip(statements, ends, strict=True) if e == ""][:400])
    print([s for s, e in zip(statements, ends, strict=True) if e.startswith("ended") or 'INTERN' in e])
    assert _everything(place.parent.parent) == before

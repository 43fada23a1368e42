"""The queries on the pages, asked by DuckDB alone: what it answers is what this package answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.demo.build import build
from queries import install
from queries.release import GROUPS
from tests.conftest import ROOT

_ASKED = re.compile(
    r"""(?:evalhouse\ sql|duckdb\ \S+\.duckdb|house\.sql\()  # by whom
        (?P<before>[^"`]*)"(?P<sql>[^"]+)"(?P<after>.*)      # what, and of which file
        (?P<failed>(?:\nerror:)?)""",
    re.VERBOSE,
)
_SCRIPT = re.compile(r"^```(?:sql)?\n((?:SELECT|SET) .*?)^```$", re.DOTALL | re.MULTILINE)
_IN_LATEST = "SET search_path = 'latest,main'"
"""What lets names without a schema be those of the views, which `evalhouse sql` does."""
_ELSEWHERE = ("papers.", "lmms_eval.", "evalscope_1_14.")
"""Schemas that the demo has not."""
_BOARDS = tuple(f"FROM latest.{view}" for view in ("score", "leaderboard", "benchmark_score"))
_EXPORTED = (*_BOARDS, "FROM lmms_eval.score", "FROM papers.mmbench_t5")
_PROGRAM = """
import importlib.util, json, sys
sys.path += sys.argv[3:]
for name in ("evalhouse", "queries", "warehouse", "ingest"):
    assert importlib.util.find_spec(name) is None, name
import duckdb
assert duckdb.__version__.startswith(sys.argv[1]), duckdb.__version__
found = []
for before, sql in json.load(sys.stdin):
    with duckdb.connect(sys.argv[2], read_only=True) as con:
        con.execute("SET enable_progress_bar = false")
        con.execute(before)
        found.append(con.execute(sql).fetchall())
print(json.dumps(found, default=str))
"""


@dataclass(frozen=True)
class Asked:
    """A query on a page, with what comes before it, and whether it is about the demo."""

    page: str
    before: str
    sql: str
    is_of_demo: bool


def asked() -> Iterator[Asked]:
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = path.read_text("utf-8")
        for found in _ASKED.finditer(text):
            if not found["failed"]:
                is_of_demo = "demo" in found[0].replace(found["sql"], "")
                yield Asked(path.stem, _IN_LATEST, found["sql"].strip(), is_of_demo)
        for (script,) in map(re.Match.groups, _SCRIPT.finditer(text)):
            first, *others = [one.strip() for one in script.split(";") if one.strip()]
            is_set = first.startswith("SET ")
            for sql in others if is_set else [first, *others]:
                yield Asked(path.stem, first if is_set else _IN_LATEST, sql, is_set)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The demo, with what a page does to it before it asks."""
    house = Warehouse(build(tmp_path_factory.mktemp("demo")).path)
    for marks in ("<reason> ... </reason>", "none"):
        house.set_run_thinking(12, marks)
    return house


def _rows(rows: Iterable[Iterable[Any]]) -> list[str]:
    """In any order, but for the last digits of sums."""
    cells = ([float(f"{c:.12g}") if isinstance(c, float) else c for c in row] for row in rows)
    return sorted(json.dumps(row, default=str) for row in cells)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_duckdb_imports_what_it_exported(demo: Warehouse, tmp_path: Path, form: str) -> None:
    """Each macro and view comes after what it reads; results come as rows, and none is computed."""
    house = Warehouse(shutil.copy(demo.path, tmp_path / "copy.duckdb"))
    house.install_release("lmms_eval")
    with house.writing() as con:
        for group in GROUPS:
            install.install_group(con, group)
    exported, moved = tmp_path / "exported", tmp_path / "moved.duckdb"
    with duckdb.connect(str(house.path), read_only=True) as con:
        con.execute(f"EXPORT DATABASE '{exported}' (FORMAT {form})")
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{moved}' AS moved (STORAGE_VERSION 'v2.0.0'); USE moved")
        con.execute(f"IMPORT DATABASE '{exported}'")
    with duckdb.connect(str(moved), read_only=True) as con:
        boards = [con.execute(sql).fetchall() for sql in _EXPORTED]
        assert not con.execute("FROM field_v2_internal.stale_run").fetchall()
    assert [_rows(board) for board in boards] == [_rows(house.sql(sql).rows()) for sql in _EXPORTED]
    assert all(boards)
    assert Warehouse(moved).check().is_ok


@pytest.mark.slow
@pytest.mark.parametrize("line", ["2.0", pytest.param("1.5", marks=pytest.mark.engines)])
def test_duckdb_alone_answers_what_the_pages_ask(
    demo: Warehouse, tmp_path: Path, line: str
) -> None:
    python = sys.executable if line == "2.0" else os.environ.get("EVALHOUSE_OLDER_PYTHON")
    if not python:
        pytest.skip("needs a Python with duckdb 1.5 in EVALHOUSE_OLDER_PYTHON: `make test-engines`")
    # Of the packages of this Python, which has evalhouse, the engine alone.
    alone = () if line == "1.5" else ("-S",)
    engine = metadata.distribution("duckdb")
    for name in {file.parts[0] for file in engine.files or ()} if alone else ():
        (tmp_path / name).symlink_to(Path(str(engine.locate_file(name))))
    queries = [one for one in asked() if not any(name in one.sql for name in _ELSEWHERE)]
    assert len(queries) >= 14
    done = subprocess.run(
        [
            python,
            "-I",
            *alone,
            "-c",
            _PROGRAM,
            line,
            str(demo.path),
            *([str(tmp_path)] if alone else []),
        ],
        input=json.dumps([(one.before, one.sql) for one in queries]),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    n_with_rows = 0
    for one, found in zip(queries, json.loads(done.stdout), strict=True):
        assert _rows(found) == _rows(demo.sql(one.sql).rows()), one
        assert found or not one.is_of_demo, one
        n_with_rows += one.is_of_demo
    assert n_with_rows >= 5

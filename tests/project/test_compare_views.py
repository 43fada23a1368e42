"""The script that compares views with those of another revision: it sees what differs, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from tests.conftest import ROOT
from tests.tables import question_rows, write_jsonl
from tests.warehouse.test_merge import _QUESTIONS


@pytest.mark.slow
def test_what_differs_is_named_and_nothing_else(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    rows = [
        {"model": "m", "question_key": q.key, "pass": p, "prediction": f"A {p}"}
        for q in _QUESTIONS
        for p in (0, 1)
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    house.refresh()
    before = tmp_path / "before.duckdb"
    shutil.copy(house.path, before)
    with duckdb.connect(before) as con:
        con.execute(
            "UPDATE field_v2_internal.question_result SET score = 0.25 WHERE question_id = 1"
        )
        con.execute("CREATE VIEW field_v2.answer_words AS SELECT 1 AS word")
        con.execute("CREATE TABLE field_v2_internal.kept_run (run_id INTEGER)")
    for file in (before, house.path):
        with duckdb.connect(file) as con:
            con.execute("CREATE VIEW field_v2.scored AS SELECT score FROM field_v2.question_result")
            con.execute("CREATE VIEW field_v2.passed AS SELECT * FROM field_v2.pass_result")
    done = _bench("compare_views", "--release", "field_v2", before, house.path)
    assert done.returncode == 1, done.stderr
    named = {line.split(":")[0].strip(): line for line in done.stdout.splitlines()}
    for view in ("question_result", "scored"):
        assert "3 rows only before, 3 only now" in named[f"field_v2.{view}"]
    assert named["field_v2.answer_words"].endswith(": gone")
    # What rests on it differs too, what does not is the same, and what is listed may go.
    assert "field_v2.response_validity" in named
    same = {"field_v2.pass_result", "field_v2.passed", "field_v2_internal.kept_run"}
    assert not same & named.keys()
    n_named = sum(line.startswith("  ") for line in done.stdout.splitlines())
    assert f" {n_named} differences" in named["in all"]


def _bench(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"bench.{script}", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

"""The script that compares views with those of another revision: it sees what differs, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.conftest import ROOT
from tests.tables import question_rows, write_jsonl
from tests.warehouse.test_merge import _QUESTIONS


@pytest.fixture
def answers(house: Warehouse, tmp_path: Path) -> Path:
    """A warehouse with answers of one model to the passes of a few questions."""
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    rows = [
        {"model": "m", "question_key": q.key, "pass": p, "prediction": f"A {p}"}
        for q in _QUESTIONS
        for p in (0, 1)
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    house.refresh()
    return house.path


def _compared(before: Path, warehouse: Path) -> tuple[int, list[str]]:
    """Its exit code, and what it prints."""
    words = ["-m", "bench.compare_views", "--before", before, "--release", "field_v1", warehouse]
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    # The engine may complain of its own objects when a process ends.
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.slow
def test_what_differs_is_named_and_nothing_else(answers: Path, tmp_path: Path) -> None:
    before = tmp_path / "releases"
    shutil.copytree(ROOT / "queries/releases", before)
    # A view that people read, and one that only views read, which has a schema of its own.
    for name, was, becomes in (
        ("field_v1/board/refusal_rate.sql", "sum(is_answer) AS", "1 + sum(is_answer) AS"),
        ("paper_v1/compare/half_line.sql", "/ 8 AS weight", "/ 8 + 1 AS weight"),
    ):
        path = before / name
        text = path.read_text("utf-8")
        assert text.count(was) == 1
        path.write_text(text.replace(was, becomes), "utf-8")
    code, lines = _compared(before, answers)
    assert code == 1
    assert sorted(line for line in lines if line.startswith("  field_v1.")) == [
        "  field_v1.half_line: 64 rows only before, 64 only now",
        "  field_v1.refusal_rate: 1 rows only before, 1 only now",
    ]
    assert lines[-1].endswith(" 2 differences")

"""What commands import: a board that is kept takes no data frames, syntax trees, readers or judges."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.tables import write_jsonl

_PRINT = """
import json, sys
from evalhouse.cli import app
try:
    app(sys.argv[1:])
finally:
    print("\\n" + json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def _imported(*words: object) -> tuple[str, set[str]]:
    """What a command prints, and the packages that it imports."""
    done = subprocess.run(
        [sys.executable, "-c", _PRINT, *map(str, words)], capture_output=True, text=True, check=True
    )
    printed, _, names = done.stdout.rstrip().rpartition("\n")
    return printed, set(json.loads(names))


@pytest.mark.slow
def test_commands_import_what_they_need(house: Warehouse, tmp_path: Path) -> None:
    asks = [{"question_key": "1", "question": "?", "A": "a", "B": "b", "answer": "A"}]
    said = [{"question_key": "1", "model": "m", "prediction": "A"}]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", asks), benchmark="Own")
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="Own")
    house.refresh()
    printed, there = _imported("leaderboard", "Own", "--db", house.path)
    assert "100.00" in printed
    assert "duckdb" in there
    heavy = {"polars", "sqlglot", "pyarrow", "numpy", "openai", "ingest", "judge", "local_models"}
    assert there.isdisjoint(heavy)
    printed, there = _imported("--help")
    assert "leaderboard" in printed
    assert there.isdisjoint({*heavy, "duckdb", "queries"})
    # What needs frames has them.
    printed, there = _imported("sql", "SELECT 1 AS one", "--db", house.path, "--format", "csv")
    assert printed.split() == ["one", "1"]
    assert "polars" in there

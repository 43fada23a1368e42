"""Limits of a user's query: time, rows and memory, results included; and how it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, UsageError, Warehouse
from queries.confined import running
from tests.commands import run

_ENDLESS = "WITH RECURSIVE a AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM a) SELECT max(i) FROM a"

_MEASURED = """
import sys
from pathlib import Path
from evalhouse import EvalhouseError, Warehouse
try:
    Warehouse(sys.argv[1], memory_limit="200MB").sql(sys.argv[2])
except EvalhouseError as error:
    print(str(error))
# The peak of this program alone: ru_maxrss begins from that of the process that started it.
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


@pytest.fixture(autouse=True)
def spilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "spilled"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_an_endless_query_ends(house: Warehouse, spilled: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(EvalhouseError, match=r"longer than 1.5 seconds \(--timeout"):
        house.sql(_ENDLESS, timeout=1.5)
    assert time.monotonic() - begun < 30
    assert not list(spilled.iterdir())
    # The file is free again.
    with house.writing():
        pass


def test_rows_are_counted(house: Warehouse) -> None:
    assert house.sql("FROM range(5000)", max_rows=5000).height == 5000
    with pytest.raises(EvalhouseError, match=r"more than 4,999 rows \(--max-rows"):
        house.sql("FROM range(5000)", max_rows=4999)
    assert house.sql("FROM range(5000)", max_rows=None, timeout=None).height == 5000
    assert house.sql("FROM range(0)", max_rows=1).shape == (0, 1)


@pytest.mark.parametrize(
    "limits", [{"timeout": 0}, {"timeout": -1}, {"timeout": float("nan")}, {"max_rows": 0}]
)
def test_limits_that_are_none(house: Warehouse, limits: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        house.sql("SELECT 1", **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT range(1000000000)", "out of memory"),
        ("SELECT repeat('x', 1000000000) AS s", "out of memory"),
        ("SELECT repeat('x', 10000) AS s FROM range(1000000)", "takes more than 100 MB"),
        ("SELECT repeat('x', 1000000) AS s FROM range(10000)", "--memory-limit"),
    ],
)
def test_results_count_for_memory(house: Warehouse, query: str, words: str) -> None:
    with pytest.raises(EvalhouseError, match=words) as caught:
        Warehouse(house.path, memory_limit="200MB").sql(query)
    assert "--memory-limit" in str(caught.value)


@pytest.mark.slow
def test_the_asking_process_stays_small(house: Warehouse) -> None:
    query = "SELECT repeat('x', 10000) AS s FROM range(1000000)"
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, house.path, query], capture_output=True, text=True, check=True
    )  # fmt: skip
    said, used = done.stdout.splitlines()
    assert "takes more than 100 MB" in said
    # All of the result would be 10,000.
    assert int(used) < 1000


@pytest.mark.slow
def test_options(house: Warehouse) -> None:
    cwd = house.path.parent
    slow = run("evalhouse", "sql", _ENDLESS, "--timeout", "0.5", "--db", house.path, cwd=cwd)
    assert (slow.code, slow.err.count("\n")) == (1, 1)
    assert "--timeout" in slow.err
    many = run(
        "evalhouse",
        "sql",
        "-- a comment\nFROM range(9)",
        "--max-rows",
        8,
        "--db",
        house.path,
        cwd=cwd,
    )
    assert (many.code, many.err.count("\n"), many.out) == (1, 1, "")
    assert "more than 8 rows" in many.err
    text = run("evalhouse", "sql", "--help", cwd=cwd).out
    assert f"{running.TIMEOUT:g}" in text
    assert f"{running.MAX_ROWS:,}" in text
    spark = run("evalhouse", "sql", "SELECT 1", "--engine", "spark", "--timeout", 1, cwd=cwd)
    assert (spark.code, "--timeout" in spark.err) == (2, True)


@pytest.mark.slow
def test_a_query_that_is_interrupted_leaves_nothing(house: Warehouse, spilled: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from evalhouse.cli import main; main()", "sql", _ENDLESS, "--db", house.path],
        env=os.environ | {"TMPDIR": str(spilled), "NO_COLOR": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not list(spilled.glob("evalhouse-*")):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.startswith("interrupted")
    assert not list(spilled.iterdir())

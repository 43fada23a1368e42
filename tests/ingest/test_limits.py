"""Width and length of files: what is larger than the documented limits is refused, with one clear error."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.reading import lines, probe, records
from ingest.reading.limits import MAX_COLUMNS
from tests.conftest import ROOT
from tests.oracle import Ask
from tests.tables import facts, question_rows, write_jsonl

_QUESTIONS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "A"}) for n in range(1, 4)]
_SAID = '{"question_key": "1", "prediction": "A"}\n'


@pytest.fixture
def own(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    house.ingest(write_jsonl(tmp_path / "own.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house


def _wide(n: int) -> dict[str, str]:
    return {"question_key": "1", "prediction": "A"} | {f"c{place}": "v" for place in range(n - 2)}


def _write_csv(path: Path, n: int) -> None:
    pl.DataFrame([_wide(n)]).write_csv(path)


def _write_lines(path: Path, n: int) -> None:
    path.write_text(json.dumps(_wide(n)) + "\n", "utf-8")


def _write_array(path: Path, n: int) -> None:
    path.write_text(json.dumps([_wide(n)]), "utf-8")


def _write_map(path: Path, n: int) -> None:
    path.write_text(json.dumps({"1": _wide(n - 1), "2": {}}), "utf-8")


def _write_key_each(path: Path, n: int) -> None:
    """No record is wide."""
    keys = [name for name in _wide(n) if name not in ("question_key", "prediction")]
    write_jsonl(path, [{"question_key": "1", "prediction": "A", key: 1} for key in keys])


def _write_parquet(path: Path, n: int) -> None:
    pl.DataFrame([_wide(n)]).write_parquet(path)


_WIDE: dict[str, Callable[[Path, int], None]] = {
    "a.csv": _write_csv,
    "a.jsonl": _write_lines,
    "b.jsonl": _write_key_each,
    "a.json": _write_array,
    "map.json": _write_map,
    "a.parquet": _write_parquet,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(_WIDE))
def test_too_many_columns(own: Warehouse, tmp_path: Path, name: str) -> None:
    _WIDE[name](tmp_path / name, MAX_COLUMNS + 1)
    before = facts(own.path)
    words = f"has {MAX_COLUMNS + 1:,} columns, or keys; up to {MAX_COLUMNS:,} are read"
    with pytest.raises(InputError, match=words) as caught:
        own.ingest(tmp_path / name, model="m")
    assert caught.value.row == 0
    assert facts(own.path) == before


def test_many_columns_are_read(own: Warehouse, tmp_path: Path) -> None:
    _write_lines(tmp_path / "a.jsonl", 1_500)
    own.ingest(tmp_path / "a.jsonl", model="m")
    asked = [row | {f"c{place}": f"v{place}" for place in range(250)} for row in question_rows(_QUESTIONS)]  # fmt: skip
    own.ingest(write_jsonl(tmp_path / "q.jsonl", asked), benchmark="Other")
    stored = own.sql("SELECT name, value, count(*) FROM main.question_attribute GROUP BY ALL")
    assert set(stored.rows()) == {(f"c{place}", f"v{place}", 3) for place in range(250)}


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> int:
    """What has to be held as a whole may have 10,000 bytes."""
    for module in (lines, probe, records):
        monkeypatch.setattr(module, "MAX_DOCUMENT_BYTES", 10_000)
    return 10_000


_LONG = "x" * 20_000
_ONE_LINE = {
    "header.csv": f"question_key,prediction,{_LONG}\n1,A,b\n",
    "first.jsonl": f'{{"question_key": "1", "prediction": "{_LONG}"}}\n',
    "only.txt": _LONG,
}


@pytest.mark.parametrize("name", list(_ONE_LINE))
def test_a_line_that_is_too_long(
    own: Warehouse, tmp_path: Path, small_limit: int, name: str
) -> None:
    path = tmp_path / name
    path.write_text(_ONE_LINE[name], "utf-8")
    with pytest.raises(InputError, match=r"line 1 is longer than 10,000 bytes"):
        own.ingest(path, model="m")


_DOCUMENTS = {
    "ids.json": json.dumps(["1", _LONG]),
    "map.json": json.dumps({"1": "A", "2": _LONG}, indent=1),
    "list.json": json.dumps({"questions": [{"question_id": "1", "x": _LONG}]}, indent=1),
}


@pytest.mark.parametrize("name", list(_DOCUMENTS))
def test_a_document_that_is_too_long(
    own: Warehouse, tmp_path: Path, small_limit: int, name: str
) -> None:
    path = tmp_path / name
    path.write_text(_DOCUMENTS[name], "utf-8")
    with pytest.raises(InputError, match=r"10,000"):
        own.ingest(path, model="m")


def test_an_array_of_records_may_be_as_long_as_it_likes(
    own: Warehouse, tmp_path: Path, small_limit: int
) -> None:
    """In one line or many; which of its records is broken is then not looked for."""
    rows = [{"question_key": str(n), "prediction": "A" * 9_000} for n in (1, 2, 3)]
    for name, indent in (("a.json", None), ("b.json", 1)):
        (tmp_path / name).write_text(json.dumps(rows, indent=indent), "utf-8")
        own.ingest(tmp_path / name, model="m", run=name)
    assert own.sql("SELECT count(*) FROM main.prediction").item() == 6
    (tmp_path / "c.json").write_text(json.dumps(rows)[:-2], "utf-8")
    with pytest.raises(InputError, match="a record is broken, cut off or longer than"):
        own.ingest(tmp_path / "c.json", model="m", run="c")


_GIANT = """
import sys
from pathlib import Path
from evalhouse import InputError, Warehouse
try:
    Warehouse(sys.argv[1], memory_limit="1GB").ingest(sys.argv[2], model="m")
except InputError as error:
    print(error)
# The peak of this program alone: ru_maxrss begins from that of the process that started it.
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]))
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "start", "end", "words"),
    [
        ("header.csv", b"question_key,prediction,", b"\n1,A,b\n", "line 1 is longer than"),
        ("cell.csv", b"question_key,prediction\n1,", b"\n", "line 2 is longer than"),
        ("first.jsonl", b'{"question_key": "1", "prediction": "', b'"}\n', "line 1 is longer than"),
        ("second.jsonl", _SAID.encode() + b'{"question_key": "2", "prediction": "', b'"}\n', "line 2 is longer than"),
        ("string.json", b'["', b'"]', "has to be read as a whole"),
        ("array.json", b'[{"question_key": "1", "prediction": "', b'"}]', "longer than"),
        ("map.json", b'{"1": "A",\n"2": "', b'"}', "has to be read as a whole"),
        ("zeros.csv", b"", b"", "is neither text"),
        ("spaces.csv", b"\n" + b" " * 10, b"", ""),
    ],
)  # fmt: skip
def test_a_gigabyte_in_a_line(
    own: Warehouse, tmp_path: Path, name: str, start: bytes, end: bytes, words: str
) -> None:
    """Refused at once, in less memory than the file has bytes twice."""
    path = tmp_path / name
    filler = b"x" * 10_000_000 if words else b" " * 10_000_000
    with path.open("wb") as file:
        file.write(start)
        for _ in range(100):
            file.write(b"\x00" * 10_000_000 if name == "zeros.csv" else filler)
        file.write(end)
    done = subprocess.run(
        [sys.executable, "-c", _GIANT, own.path, path],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    path.unlink()
    message, memory = done.stdout.splitlines()
    assert str(path) in message
    assert words in message
    assert len(message) < 1_500
    assert int(memory) < 2_500_000


@pytest.mark.long
def test_time_in_proportion_to_columns(own: Warehouse, tmp_path: Path) -> None:
    """Twice as many take at most four times as long, which the square alone would."""
    seconds = {}
    for n in (1_000, 2_000, MAX_COLUMNS):
        rows = [row | {f"c{place}": "v" for place in range(n - 6)} for row in question_rows(_QUESTIONS)]  # fmt: skip
        path = write_jsonl(tmp_path / f"q{n}.jsonl", rows)
        started = time.process_time()
        own.ingest(path, benchmark=f"Wide {n}")
        seconds[n] = time.process_time() - started
    print(seconds)
    assert seconds[2_000] < 4 * seconds[1_000]
    assert seconds[MAX_COLUMNS] < 60


@pytest.mark.long
def test_a_row_with_a_million_choices(own: Warehouse, tmp_path: Path) -> None:
    row = {"question_key": "1", "question": "q", "choices": ["a"] * 1_000_000}
    started = time.process_time()
    with pytest.raises(InputError, match=r"1,?000,?000 choices"):
        own.ingest(write_jsonl(tmp_path / "q.jsonl", [row]), benchmark="Choices")
    assert time.process_time() - started < 60

"""Files that no reader can make sense of, in one folder with a good one: each is named, none ends the run."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest

from evalhouse import Warehouse
from ingest.recognition import telling_of
from tests.commands import run
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse import sources
from warehouse.errors import InputError

_QUESTIONS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "A"}) for n in range(1, 4)]
_SAID = '{"question_key": "1", "prediction": "A"}\n'
_CUT = '{"question_key": "2", "predi'
_DEEP = "[" * 100_000
_DIGITS = "9" * 5_000


def _sheet() -> bytes:
    written = io.BytesIO()
    pl.DataFrame({"index": ["1"], "question": ["Q"], "A": ["x"], "prediction": ["A"]}).write_excel(written)  # fmt: skip
    return written.getvalue()


_BAD: dict[str, str | bytes | Callable[[], bytes]] = {
    "deep.json": _DEEP,
    "deep.jsonl": _SAID + _DEEP + "\n",
    "digits.jsonl": f'{_SAID}{{"question_key": {_DIGITS}}}\n{_CUT}\n',
    "digits.json": f'[{{"question_key": {_DIGITS}}}, {{]',
    "cut.jsonl": _SAID + _CUT,
    "cut.json": f"[{_SAID}, {_CUT}",
    "surrogate.jsonl": '{"question_key": "1", "prediction": "\\ud800"}\n',
    "empty.csv": "",
    "empty.xlsx": "",
    "half.xlsx": lambda: _sheet()[:2_000],
    "half.parquet": b"PAR1" + b"\x00" * 50,
    "half.eval": b"PK\x03\x04" + b"\x00" * 50,
    "vlm/T20260101-000000/vlm_Own.pkl": b"\x80\x04\x95",
    "vlm/T20260101-000000/vlm_Own.xlsx": lambda: _sheet()[:2_000],
    "eee/0_samples.jsonl": '{"schema_version": "0.3.0", "evaluation_id": "x"}\n' + _CUT,
    "lmms/20260101_000000_samples_mmbench_en_dev.jsonl": '{"doc_id": 0, "target": "A"}\n' + _CUT,
    "lm/samples_own_2026-01-01T00-00-00.jsonl": '{"doc_id": 0, "doc": {}}\n' + _CUT,
}


@pytest.fixture
def own(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    house.ingest(write_jsonl(tmp_path / "own.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house


def test_each_is_named_and_the_good_one_loads(own: Warehouse, tmp_path: Path) -> None:
    for name, content in _BAD.items():
        path = tmp_path / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        made = content() if callable(content) else content
        path.write_bytes(made if isinstance(made, bytes) else made.encode())
    # A folder may be called like a file.
    (tmp_path / "runs/x.jsonl").mkdir()
    (tmp_path / "runs/x.jsonl/good.jsonl").write_text(_SAID, "utf-8")
    done = run("ingest", "runs", "--db", own.path, "--model", "m", cwd=tmp_path)
    assert done.code == 1
    assert "Traceback" not in done.err
    failed = [line for line in done.err.splitlines() if line.startswith("failed: ")]
    assert len(failed) == len(done.err.splitlines()) == len(_BAD)
    for name in _BAD:
        assert any(line.startswith(f"failed: runs/{name}") for line in failed), name
    for words in ("runs/deep.jsonl, row 2: ", "runs/digits.jsonl, row 2: ", "runs/cut.jsonl, row 2: "):  # fmt: skip
        assert words in done.err
    assert own.runs()["run"].to_list() == ["good"]


@pytest.mark.parametrize(
    "error",
    [
        duckdb.BinderException("no such\nthing"),
        duckdb.IOException("no such\nthing"),
        duckdb.OutOfRangeException("no such\nthing"),
        RecursionError("no such\nthing"),
        UnicodeError("no such\nthing"),
        OSError("no such\nthing"),
    ],
)
def test_what_no_check_foresaw_is_told_of_the_file(error: Exception) -> None:
    with pytest.raises(InputError, match=r"^a\.csv: no such$"), telling_of(Path("a.csv")):
        raise error


@pytest.mark.parametrize(
    "error", [duckdb.OutOfMemoryException("x"), duckdb.InterruptException("x"), KeyError("x")]
)
def test_what_ails_the_engine_or_us_is_no_fault_of_the_file(error: Exception) -> None:
    with pytest.raises(type(error)), telling_of(Path("a.csv")):
        raise error


def test_the_engine_may_fail_in_the_middle_of_a_file(
    own: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next file finds the connection as it was."""
    for name in "abc":
        (tmp_path / f"runs/{name}.jsonl").parent.mkdir(exist_ok=True)
        (tmp_path / f"runs/{name}.jsonl").write_text(_SAID, "utf-8")
    real = sources.add

    def add(con: duckdb.DuckDBPyConnection, source: sources.Source) -> int:
        if source.path.endswith("b.jsonl"):
            con.execute("UPDATE main.benchmark SET name = 'left over'")
            raise duckdb.BinderException("made up")
        return real(con, source)

    monkeypatch.setattr(sources, "add", add)
    outcomes = list(own.ingest_many(tmp_path / "runs", model="m", benchmark="Own"))
    assert [str(one.error).rpartition(": ")[2] for one in outcomes] == ["None", "made up", "None"]
    assert sorted(own.runs()["run"]) == ["a", "c"]

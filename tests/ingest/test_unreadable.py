"""Files that no reader can make sense of, in one folder with a good one: each is named, none ends the run."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from polars.exceptions import PanicException

from evalhouse import Warehouse
from ingest.pipeline import ingest_file, prepare
from ingest.recognition import DefectError, attributing_errors
from ingest.settings import Settings
from tests.commands import run
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse import sources
from warehouse.errors import InputError, UsageError

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
def test_what_no_check_foresaw_is_attributed_to_the_file(error: Exception) -> None:
    with pytest.raises(InputError, match=r"^a\.csv: no such$"), attributing_errors(Path("a.csv")):
        raise error


@pytest.mark.parametrize(
    "error",
    [
        duckdb.OutOfMemoryException("x"),
        duckdb.InterruptException("x"),
        RuntimeError("Query interrupted"),
        KeyboardInterrupt(),
        UsageError("x"),
    ],
)
def test_what_is_wrong_with_the_engine_or_asked_for_is_no_fault_of_the_file(
    error: BaseException,
) -> None:
    with pytest.raises(type(error)) as caught, attributing_errors(Path("a.csv")):
        raise error
    assert caught.value is error


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError(), PanicException("x\ny")])
def test_a_defect_of_ours_is_attributed_to_the_file_and_shown_on_demand(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        pytest.raises(DefectError, match=r"^a\.csv: .*a defect of evalhouse"),
        attributing_errors(Path("a.csv")),
    ):
        raise error
    monkeypatch.setenv("EVALHOUSE_DEBUG", "1")
    with pytest.raises(type(error)) as caught, attributing_errors(Path("a.csv")):
        raise error
    assert caught.value is error


def test_a_panic_ends_one_file_and_no_folder(
    own: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a library in Rust panics next; what it raises is no `Exception`."""
    for name in "abc":
        (tmp_path / f"runs/{name}.jsonl").parent.mkdir(exist_ok=True)
        (tmp_path / f"runs/{name}.jsonl").write_text(_SAID, "utf-8")
    real = sources.add_new

    def add(con: duckdb.DuckDBPyConnection, source: sources.Source) -> int | None:
        if source.path.endswith("b.jsonl"):
            # Polars panics at this, whatever is caught before.
            pl.DataFrame({"\x00": ["x"]}).to_arrow()
        return real(con, source)

    monkeypatch.setattr(sources, "add_new", add)
    outcomes = list(own.ingest_many(tmp_path / "runs", model="m", benchmark="Own"))
    assert [type(one.error).__name__ for one in outcomes] == ["NoneType", "DefectError", "NoneType"]
    assert sorted(own.runs()["run"]) == ["a", "c"]


_NUL = '"x\\u0000y": 1'
_NAMES = {
    "array.json": f'[{{"question_key": "1", "prediction": "A", {_NUL}}}]',
    "lines.jsonl": f'{{"question_key": "1", "prediction": "A", {_NUL}}}\n',
    "map.json": f'{{"1": {{"prediction": "A", {_NUL}}}, "2": {{"prediction": "B"}}}}',
    "list.json": f'{{"questions": [{{"question_id": "1", {_NUL}}}]}}',
    "commas.json": f'{{"question_id": "1", "prediction": "A", {_NUL}}},\n' * 2,
    "half.jsonl": '{"question_key": "1", "prediction": "A", "x\\ud800y": 1}\n',
    "half-map.json": '{"1": {"prediction": "A", "x\\udc00y": 1}, "2": {"prediction": "B"}}',
}


def test_names_that_no_table_can_have(own: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, text in _NAMES.items():
        (folder / name).write_text(text, "utf-8")
    table = pa.table({"question_key": ["1"], "prediction": ["A"], "x\x00y": ["b"]})
    pq.write_table(table, folder / "nul.parquet")
    (folder / "z.jsonl").write_text(_SAID, "utf-8")
    done = run("ingest", "runs", "--db", own.path, "--model", "m", cwd=tmp_path)
    failed = done.err.splitlines()
    assert len(failed) == len(_NAMES) + 1
    for line in failed:
        assert "header, field 'x\\" in line
        assert "a name has a NUL or half a character in it" in line
    assert own.runs()["run"].to_list() == ["z"]


def test_a_key_twice_in_a_record(own: Warehouse, tmp_path: Path) -> None:
    twice = '{"question_key": "2", "prediction": "A", "prediction": "B"}'
    for name, text in (("a.jsonl", _SAID + twice), ("b.json", f"[{_SAID}, {twice}]")):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(InputError, match="the key stands twice") as caught:
            own.ingest(tmp_path / name, model="m")
        assert (caught.value.row, caught.value.field) == (2, "prediction")


def test_messages_are_short_and_can_be_printed(own: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"question_key,prediction,pass\n1,A,\x1b[31m{'9' * 5_000}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        own.ingest(path, model="m")
    assert "\\x1b[31m999" in str(caught.value)
    assert len(str(caught.value)) < 1_500
    # Names of files need not be Unicode.
    assert str(InputError("a\udcff.csv", "is\nempty", field="\x1b")) == (
        "a\\udcff.csv, field \\x1b: is\\nempty"
    )


def test_files_of_all_kinds_over_one_connection(own: Warehouse, tmp_path: Path) -> None:
    """The temporary tables and views of a file are gone when the next one is read."""
    folder = tmp_path / "runs"
    folder.mkdir()
    said = [{"question_key": key, "prediction": "A"} for key in "12"]
    rows = question_rows(_QUESTIONS)
    plan = [
        # Long predictions leave a view of the name that others have for a table.
        (write_jsonl(folder / "a.jsonl", said), {"model": "m"}),
        (
            write_jsonl(
                folder / "q.jsonl",
                [row | {"question_key": f"n{row['question_key']}"} for row in rows],
            ),
            {"version": "other"},
        ),
        (
            write_jsonl(
                folder / "b.jsonl",
                [
                    {
                        "question_key": "n1",
                        "question": "Q 1",
                        "prediction": "A",
                        "index": 1,
                        "A": "cat 1",
                        "B": "dog 1",
                        "category": "x",
                    }
                ],
            ),
            {"model": "m", "format": "vlmevalkit"},
        ),
        (write_jsonl(folder / "c.jsonl", said), {"model": "n"}),
    ]
    with own.writing(files=[path for path, _ in plan]) as con:
        prepare(con)
        for path, flags in plan:
            ingest_file(con, path, Settings(benchmark="Own", **flags))
            ((n_views,),) = con.execute(
                "SELECT count(*) FROM duckdb_views() WHERE temporary AND NOT internal"
            ).fetchall()
            assert n_views == 0
    assert own.runs().height == 3


def test_the_engine_may_fail_in_the_middle_of_a_file(
    own: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next file finds the connection as it was."""
    for name in "abc":
        (tmp_path / f"runs/{name}.jsonl").parent.mkdir(exist_ok=True)
        (tmp_path / f"runs/{name}.jsonl").write_text(_SAID, "utf-8")
    real = sources.add_new

    def add(con: duckdb.DuckDBPyConnection, source: sources.Source) -> int | None:
        if source.path.endswith("b.jsonl"):
            con.execute("UPDATE main.benchmark SET name = 'left over'")
            raise duckdb.BinderException("made up")
        return real(con, source)

    monkeypatch.setattr(sources, "add_new", add)
    outcomes = list(own.ingest_many(tmp_path / "runs", model="m", benchmark="Own"))
    assert [str(one.error).rpartition(": ")[2] for one in outcomes] == ["None", "made up", "None"]
    assert sorted(own.runs()["run"]) == ["a", "c"]

"""Folders and patterns: what is meant, what is left out, what a second time and a kill change."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.many import expand
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

_QUESTIONS = [
    Ask(str(n), {p: {"A": f"cat {n}", "B": f"dog {n}"} for p in (0, 1)}, {0: "A", 1: "B"})
    for n in range(1, 9)
]


@pytest.fixture(scope="module")
def own_file(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    house = QuickHouse(shutil.copy(new_file, folder / "own.duckdb"))
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house.path


@pytest.fixture
def own(own_file: Path, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    return QuickHouse(shutil.copy(own_file, tmp_path / "warehouse.duckdb"))


def _rows(model: str, seed: int = 0) -> list[dict[str, object]]:
    draw = random.Random(f"{model}{seed}")
    return [
        {"model": model, "question_key": q.key, "pass": p, "prediction": draw.choice("AB")}
        for q in _QUESTIONS
        for p in (0, 1)
    ]


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pl.DataFrame(rows)
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".csv":
        frame.write_csv(path)
    else:
        write_jsonl(path, rows)
    return path


def _stored(house: Warehouse) -> list[tuple[object, ...]]:
    with house.reading() as con:
        return con.execute(
            "SELECT m.name, r.label, q.question_key, p.pass, p.sample, p.text, p.failed "
            "FROM main.prediction AS p JOIN main.run AS r USING (run_id) "
            "JOIN main.model AS m USING (model_id) JOIN main.question AS q USING (question_id) "
            "ORDER BY ALL"
        ).fetchall()


def test_a_folder_is_all_its_files_but_hidden_ones_and_the_warehouse(tmp_path: Path) -> None:
    for name in (
        "b/2.csv",
        "b/1.csv",
        "a.csv",
        ".git/x.csv",
        "b/.y.csv",
        "w.duckdb",
        "w.duckdb.wal",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    warehouse = tmp_path / "w.duckdb"
    found = [(f.path.relative_to(tmp_path).as_posix(), f.named) for f in expand([tmp_path], warehouse)]  # fmt: skip
    assert found == [("a.csv", False), ("b/1.csv", False), ("b/2.csv", False)]
    pattern = expand([tmp_path / "**"], warehouse)
    assert [f.path for f in pattern] == [f.path for f in expand([tmp_path], warehouse)]
    named = expand([tmp_path / "b" / "2.csv", tmp_path / "b", tmp_path / "none.csv"], warehouse)
    assert [(f.path.name, f.named) for f in named] == [
        ("2.csv", True),
        ("1.csv", False),
        ("none.csv", True),
    ]
    assert [f.path.name for f in expand([tmp_path / "**" / "1.*"], warehouse)] == ["1.csv"]
    for empty in (tmp_path / ".git" / "none*", tmp_path / "*.xlsx"):
        with pytest.raises(InputError, match="fits no file"):
            expand([empty], warehouse)


def test_a_file_whose_name_is_a_pattern_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "run[1].csv"
    path.touch()
    (tmp_path / "run1.csv").touch()
    assert [(f.path, f.named) for f in expand([path], tmp_path / "w.duckdb")] == [(path, True)]


@pytest.mark.slow
def test_what_cannot_be_read_is_named_at_the_end(own: Warehouse, tmp_path: Path) -> None:
    for name in ("one.csv", "two.parquet", "deep/three.jsonl"):
        _write(tmp_path / "runs" / name, _rows(Path(name).stem))
    bad = _rows("four")
    bad[5]["question_key"] = "99"
    _write(tmp_path / "runs" / "bad.csv", bad)
    (tmp_path / "runs" / "notes.md").write_text("nothing of note\n")
    words = ("ingest", "runs", "--benchmark", "Own")
    done = run(*words, cwd=tmp_path)
    assert done.code == 1
    assert (
        done.out.splitlines()[-1]
        == "5 files: 3 loaded (48 rows), 0 there already, 1 left, 1 failed"
    )
    assert "left: runs/notes.md: has no header row with column names" in done.out
    assert (
        done.err.splitlines()[0]
        == "failed: runs/bad.csv, row 6, field question_key: the dataset has no question 99"
    )
    assert {row[0] for row in _stored(own)} == {"one", "two", "three"}
    again = run(*words, "-v", cwd=tmp_path)
    assert (again.code, again.out.splitlines()) == (
        1,
        [
            "runs/deep/three.jsonl: there already",
            "runs/notes.md: left: has no header row with column names",
            "runs/one.csv: there already",
            "runs/two.parquet: there already",
            "runs/bad.csv: failed",
            "5 files: 0 loaded (0 rows), 3 there already, 1 left, 1 failed",
        ],
    )
    # What is named outright has to be readable; what stands before it is in.
    _write(tmp_path / "five.csv", _rows("five"))
    named = run("ingest", "five.csv", "runs/bad.csv", "runs", "--benchmark", "Own", cwd=tmp_path)
    assert (named.code, named.err.count("\n")) == (2, 1)
    assert named.out.splitlines()[0] == "five.csv: predictions, 16 rows"
    assert {row[0] for row in _stored(own)} == {"one", "two", "three", "five"}


def test_skipping_minds_content_settings_and_what_was_taken_out(own: Warehouse, tmp_path: Path) -> None:  # fmt: skip
    path = _write(tmp_path / "runs" / "a.csv", _rows("alpha"))

    def outcome(**settings: object) -> bool | str:
        (one,) = own.ingest_many(tmp_path / "runs", **{"benchmark": "Own", **settings})
        return str(one.error) if one.report is None else one.report.already

    assert outcome() is False
    assert outcome() is True
    assert outcome(benchmark="own") is True
    assert outcome(run="second") is False
    assert outcome(run="second") is True
    _write(path, _rows("alpha", seed=1))
    assert "with other content" in str(outcome())
    assert outcome(replace=True) is False
    assert outcome(replace=True) is True
    with own.reading() as con:
        ((run_id,),) = con.execute("SELECT run_id FROM main.run WHERE label = 'second'").fetchall()
    own.retract_run(run_id)
    _write(path, _rows("alpha"))
    assert outcome(run="second") is False


@pytest.mark.slow
def test_a_killed_ingest_goes_on(own: Warehouse, tmp_path: Path) -> None:
    n = 40
    for i in range(n):
        _write(tmp_path / "runs" / f"{i:02d}.csv", _rows(f"model-{i:02d}"))
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", "from evalhouse.cli import main; main()", "ingest", "runs", "-v",
         "--benchmark", "Own"],
        cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout is not None
    for _ in range(8):
        process.stdout.readline()
    time.sleep(random.Random(os.getpid()).random() / 20)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    there = {str(row[0]) for row in _stored(own)}
    assert 8 <= len(there) < n
    assert len(_stored(own)) == 16 * len(there)
    outcomes = list(own.ingest_many(tmp_path / "runs", benchmark="Own"))
    already = {
        f"model-{one.file.path.stem}" for one in outcomes if one.report and one.report.already
    }
    assert already == there
    assert len(_stored(own)) == 16 * n


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_the_short_way_stores_what_looking_at_every_row_does(
    own: Warehouse, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        row | {"sample": sample, "failed": "true" if int(str(row["question_key"])) == 3 else ""}
        for model in ("alpha", " beta ", "gamma")
        for sample in (0, 1)
        for row in _rows(model, sample)
    ]
    texts = [None, "", "NaN", "None", "null", "4.0", 'é\n"x", y', "[1, 2]"]
    for row, text in zip(rows, texts, strict=False):
        row["prediction"] = text
    random.Random(7).shuffle(rows)
    path = _write(tmp_path / f"p.{kind}", rows)
    other = QuickHouse(tmp_path / "other.duckdb")
    shutil.copy(own.path, other.path)
    seen: list[str] = []
    short = own.ingest(path, benchmark="Own", step=seen.append)
    assert "looking at every row" not in seen
    monkeypatch.setattr("ingest.facts.bulk_predictions.collect", lambda *_: False)
    long = other.ingest(path, benchmark="Own")
    assert short == long
    assert _stored(own) == _stored(other)
    assert len(_stored(own)) == len(rows)
    with own.reading() as con, other.reading() as con_other:
        for table in ("run", "run_sample", "model"):
            ask = f"SELECT * FROM main.{table} ORDER BY ALL"
            assert con.execute(ask).fetchall() == con_other.execute(ask).fetchall()


def test_a_nan_of_python_is_no_text(own: Warehouse, tmp_path: Path) -> None:
    rows = _rows("alpha")
    lines = [json.dumps(row) for row in rows]
    lines[0] = json.dumps(rows[0] | {"prediction": float("nan")})
    lines[1] = json.dumps(rows[1] | {"prediction": "NaN"})
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    own.ingest(tmp_path / "p.jsonl", benchmark="Own")
    texts = [row[5] for row in _stored(own)]
    assert (texts.count(None), texts.count("NaN")) == (1, 1)


def test_a_column_that_only_the_last_record_has_counts(own: Warehouse, tmp_path: Path) -> None:
    rows = _rows("alpha") * 100
    for n, row in enumerate(rows):
        rows[n] = row | {"model": f"alpha-{n // 16}"}
    rows[-1] = rows[-1] | {"sample": 3}
    own.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    assert {row[4] for row in _stored(own)} == {0, 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question_key": "99"}, "row 7, field question_key: the dataset has no question 99"),
        ({"pass": 2}, "row 7, field pass: pass 2 of question 4 is out of range"),
        ({"pass": 63}, "row 7, field pass: pass 63 of question 4 is out of range"),
        ({"pass": "x"}, "row 7, field pass: 'x' is no whole number"),
        ({"model": " "}, "row 7, field model: is empty"),
        ({"question_key": ""}, "row 7, field question_key: is empty"),
        ({"question_key": "3"}, "row 7, field question_key: question 3, pass 0 stands in rows 5 and 7"),
        ({"failed": "perhaps"}, "row 7, field failed: 'perhaps' is neither true nor false"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_what_is_wrong_is_named_and_nothing_is_stored(
    own: Warehouse, tmp_path: Path, change: dict[str, object], words: str, kind: str
) -> None:
    rows = [
        {name: str(value) for name, value in row.items()} | {"failed": ""} for row in _rows("m")
    ]
    rows[6] = rows[6] | {name: str(value) for name, value in change.items()}
    path = _write(tmp_path / f"p.{kind}", rows)
    with pytest.raises(InputError) as caught:
        own.ingest(path, benchmark="Own")
    assert words in str(caught.value)
    assert not _stored(own)
    with own.reading() as con:
        assert con.execute("SELECT count(*) FROM main.run").fetchall() == [(0,)]

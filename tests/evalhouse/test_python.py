"""The Python API: what the commands have, boards as frames and pages, and options that are misspelt."""

from __future__ import annotations

import dataclasses
import inspect
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.judging import JudgeSettings
from ingest.settings import Options, Settings
from queries.options import BoardOptions, CompareOptions, OverOptions, PaperOptions
from tests.conftest import ROOT
from tests.tables import facts, write_jsonl
from warehouse.merge import MergeConflictError

_QUESTIONS = [
    {"question_key": str(n), "question": f"Which is {n}?", "A": "red", "B": "blue", "answer": "A"}
    for n in range(1, 5)
]
_SAID = [
    {"question_key": str(n), "model": model, "prediction": letter}
    for model, letters in (("good", "AAAB"), ("bad", "BBAB"))
    for n, letter in enumerate(letters, start=1)
]


def _fill(house: Warehouse, folder: Path) -> Warehouse:
    house.ingest(
        write_jsonl(folder / "questions.jsonl", _QUESTIONS),
        write_jsonl(folder / "said.jsonl", _SAID),
        benchmark="Own",
    )
    return house


@pytest.mark.slow
def test_what_the_commands_have(make_house: Callable[[str], Warehouse], tmp_path: Path) -> None:
    house, other = _fill(make_house("one"), tmp_path), make_house("other")
    (view,) = house.show("1", model="good")
    assert (view.question["question_key"], view.n_models) == ("1", 1)
    wrong = house.errors("bad")
    assert sorted(wrong["question_key"]) == ["1", "2", "4"]
    assert set(wrong["prediction"]) == {"B"}
    with pytest.raises(UsageError, match="no model 'bat' here; there is bad"):
        house.errors("bat")
    differ = house.differing_questions(house.compare("good", "bad"))
    assert sorted(differ["question_key"]) == ["1", "2"]

    status = house.status()
    assert (status.path, status.datasets["dataset"].to_list()) == (house.path, ["Own"])
    assert status.bytes == house.path.stat().st_size
    assert status.partial.is_empty()
    assert [one.release for one in status.kept] == list(status.releases)

    with house.writing() as con:
        con.execute("CREATE TABLE main.mine (n INTEGER)")
        con.execute("INSERT INTO main.answer BY NAME SELECT 99 AS question_id, * EXCLUDE (question_id) "
                    "FROM main.answer LIMIT 1")  # fmt: skip
    seen: list[str] = []
    checked = house.check(found=lambda finding: seen.append(finding.check))
    assert seen == [finding.check for finding in checked.findings]
    assert (checked.is_ok, checked.own) == (False, ("main.mine",))
    assert [one.check for one in checked.findings if one.n] == [
        "dangling_references",
        "unknown_answers",
    ]
    with house.writing() as con:
        con.execute("DELETE FROM main.answer WHERE question_id = 99")
        con.execute("DROP TABLE main.mine")

    assert house.subsets().is_empty()
    added = house.add_subset("seen", "Own", "good")
    assert (added.already, len(added.answered.question_ids)) == (False, 4)
    assert house.add_subset("seen", "Own", "good").already
    assert house.subsets().rows(named=True)[0]["subset"] == "seen"

    assert other.merge(house.path, dry_run=True).counts["new_runs"] == 2
    assert other.runs().is_empty()
    assert other.merge(house.path).counts["new_questions"] == 4
    corrected = [_QUESTIONS[0] | {"answer": "B"}, *_QUESTIONS[1:]]
    other.ingest(
        write_jsonl(tmp_path / "corrected.jsonl", corrected), benchmark="Own", replace=True
    )
    assert other.errors("good")["question_key"].to_list() == ["1", "4"]
    with pytest.raises(MergeConflictError):
        other.merge(house.path)


@pytest.mark.slow
def test_what_is_exported(house: Warehouse, tmp_path: Path) -> None:
    _fill(house, tmp_path)
    exported = house.export.parquet(tmp_path / "facts")
    assert {"run", "question"} <= set(exported.tables)
    with pytest.raises(UsageError, match="facts"):
        house.export.parquet(tmp_path / "facts")

    left: list[str] = []
    bundle = house.export.bundle(tmp_path / "bundle", "Own", left=left.append)
    assert {table.query["benchmark"] for table in bundle.tables} == {"Own"}
    assert left == []
    assert (tmp_path / "bundle" / bundle.tables[0].files[0].name).is_file()

    records = house.export.eee(tmp_path / "eee")
    assert [(one.run_id, one.left) for one in records] == [(1, None), (2, None)]
    assert all(file.is_file() for one in records if one.written for file in one.written.files)

    run = int(house.runs()["run_id"][0])
    made = house.export.vlmevalkit(run, tmp_path / "kit", form="tsv")
    (file,) = made.files
    assert file.read_text("utf-8").splitlines()[0].split("\t")[0].strip(chr(34)) == "index"
    file.write_text("something else", "utf-8")
    with pytest.raises(UsageError, match="is there with other content"):
        house.export.vlmevalkit(run, tmp_path / "kit", form="tsv")
    assert house.export.vlmevalkit(run, tmp_path / "kit", form="tsv", overwrite=True) == made
    with pytest.raises(UsageError, match="'txt'"):
        house.export.mmbench_submission(run, tmp_path, form="txt")


@pytest.mark.slow
def test_boards_and_comparisons_as_values(house: Warehouse, tmp_path: Path) -> None:
    _fill(house, tmp_path)
    (board,) = house.leaderboard("Own")
    assert repr(board) == "<Board Own, CircularEval · judge none: 2 lines, 1 column>"
    frame = board.to_polars()
    assert dict(frame.select("model", "score").rows()) == {"good": 0.75, "bad": 0.25}
    assert {"rank", "column", "n", "points", "judge"} <= set(frame.columns)
    drawn = board._repr_html_()
    assert "<html" not in drawn
    assert "75.00" in drawn

    found = house.compare("good", "bad")
    assert repr(found).startswith(
        "<Comparison good less bad · Own · circular · judge none: +50.00 (95 % from "
    )
    assert found.to_polars().row(0, named=True)["difference"] == 0.5
    assert "+50.00" in found._repr_html_()
    assert found._repr_html_() == found._repr_html_()

    many = house.board(None)
    assert repr(many) == "<ManyBoard Every benchmark · release latest: 2 models, 1 column>"
    assert many.to_polars()["score"].to_list() == [75.0, 25.0]
    assert "75.0" in many._repr_html_()
    over = house.compare_over("good", "bad", "all")
    assert repr(over).startswith("<ComparisonOfMany good less bad · mean of 1 dataset: +50.00")
    assert over.to_polars()["dataset"].to_list() == ["Mean", "Own"]
    assert "+50.00" in over._repr_html_()


def test_options_that_are_misspelt(house: Warehouse, tmp_path: Path) -> None:
    _fill(house, tmp_path)
    calls: list[tuple[Callable[..., Any], tuple[str, ...], str, str]] = [
        (house.leaderboard, ("Own",), "strateggy", "strategy"),
        (house.compare, ("good", "bad"), "datasets", "dataset"),
        (house.compare_over, ("good", "bad", "all"), "margn", "margin"),
        (house.paper_table, ("mmbench_t5",), "spilt", "split"),
        (house.paper, ("mmbench_t5",), "subsets", "subset"),
        (house.board, ("openvlm",), "jugde", "judge"),
        (house.ingest, (), "benchmrk", "benchmark"),
        (house.ingest_many, (), "modle", "model"),
        (Warehouse(house.path).judge, ("j",), "max_csot", "max_cost"),
    ]
    for call, words, wrong, right in calls:
        with pytest.raises(UsageError) as error:
            call(*words, **{wrong: "x"})
        said = str(error.value)
        name = call.__name__
        assert said.startswith(f"{name} has no option {wrong!r}; did you mean {right}"), said
        assert f"{right}, " in said.partition("It has")[2] + ", "
    call = house.leaderboard
    with pytest.raises(UsageError, match=r"has no option 'zzz'\. It has average, by, "):
        call("Own", zzz=1)


@pytest.mark.parametrize(
    ("method", "words", "options", "problem"),
    [
        ("leaderboard", ("Own",), {"top": "x"}, "top is a whole number, not 'x'"),
        ("leaderboard", ("Own",), {"top": 0}, "top is a number from 1 up, not 0"),
        ("leaderboard", ("Own",), {"intervals": 1}, "intervals is True or False, not 1"),
        (
            "leaderboard",
            ("Own",),
            {"models": ["a", 3]},
            r"models is a list of texts, not \['a', 3\]",
        ),
        ("leaderboard", (3,), {}, "benchmark is a text, not 3"),
        ("compare", ("a", "b"), {"margin": "1"}, "margin is a number, not '1'"),
        ("judge", ("j",), {"samples": 1001}, "samples is a number from 1 to 1000, not 1001"),
        ("judge", ("j",), {"sampling": 3}, "sampling is a mapping, not 3"),
        ("ingest", ("x.csv",), {"model": 3}, "model is a text, not 3"),
        ("ingest", ("x.csv",), {"map": ["a=b"]}, r"map is a mapping, not \['a=b'\]"),
        ("ingest", ("x.csv",), {"replace": "yes"}, "replace is True or False, not 'yes'"),
    ],
)
def test_options_of_another_kind(
    house: Warehouse, method: str, words: tuple[Any, ...], options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UsageError, match=f"^{method}: {problem}$"):
        getattr(house, method)(*words, **options)


def test_one_model_is_a_list_of_one(house: Warehouse, tmp_path: Path) -> None:
    _fill(house, tmp_path)
    (board,) = house.leaderboard("Own", models="good")
    assert board == house.leaderboard("Own", models=("good",))[0]
    assert board == house.leaderboard("Own", models=(name for name in ["good"]), top=np.int64(1))[0]
    assert len(house.leaderboard("Own", models=None)[0].lines) == 2  # type: ignore[arg-type]
    assert board.to_polars()["model"].to_list() == ["good"]


def test_options_are_those_of_the_settings() -> None:
    """The typed options are the fields of what they make, and those of the functions that are asked."""
    fields = {field.name: field.type for field in dataclasses.fields(Settings)}
    assert {k: v.__forward_arg__ for k, v in Options.__annotations__.items()} == fields
    kinds = {
        "leaderboard": BoardOptions, "compare": CompareOptions, "compare_over": OverOptions,
        "paper": PaperOptions, "paper_table": PaperOptions, "judge": JudgeSettings,
    }  # fmt: skip
    for name, kind in kinds.items():
        method = getattr(Warehouse, name)
        _, *words = inspect.signature(method).parameters
        assert words == [one.name for one in dataclasses.fields(kind)]
        for one in dataclasses.fields(kind):
            assert f"{one.name}: {one.metadata['help']}" in method.__doc__


@pytest.mark.slow
def test_data_frames_are_ingested_as_files_are(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    house, files = make_house("frames"), _fill(make_house("files"), tmp_path)
    questions, said = pl.DataFrame(_QUESTIONS), pd.DataFrame(_SAID)
    asked, answered = house.ingest(questions, said, benchmark="Own")
    assert (asked.path, asked.format, asked.n_rows) == ("<DataFrame>", "questions", 4)
    assert (answered.models, answered.run_labels) == (["good", "bad"], ["DataFrame"])
    assert asked.line() == "<DataFrame>: questions, 4 rows: Own"
    scores = "SELECT model, score FROM score ORDER BY model"
    assert house.sql(scores).rows() == files.sql(scores).rows() == [("bad", 0.25), ("good", 0.75)]

    # The source is a fact: the sha256 of the same Parquet, whatever library holds the frame, and no path.
    sources = house.sql("SELECT path, sha256, flags FROM main.source ORDER BY source_id").rows()
    assert [path for path, _, _ in sources] == ["<DataFrame>"] * 2
    assert not any(str(Path(gettempdir())) in str(row) for row in sources)
    same: list[Any] = [
        pl.concat([pl.DataFrame(_SAID[:3]), pl.DataFrame(_SAID[3:])], rechunk=False),
        said.astype({"model": "category"}),
        said.iloc[::-1].sort_values(["model", "question_key"], ascending=[False, True]),
        said.set_index("question_key"),
        pa.Table.from_pylist(_SAID),
        duckdb.sql("FROM said"),
        _SAID,
        {name: [row[name] for row in _SAID] for name in _SAID[0]},
    ]
    for one in same:
        (report,) = house.ingest(one, benchmark="Own")
        assert (report.already, report.path) == (True, "<DataFrame>"), type(one)
    assert house.sql("SELECT count(*) FROM main.source").item() == 2

    # A run of another name, and a file and a frame in one call.
    (_, other) = house.ingest(
        tmp_path / "questions.jsonl", said.assign(prediction="A"), benchmark="Own", run="second"
    )
    assert (other.run_labels, other.n_runs) == (["second"], 2)


def test_data_frames_that_cannot_be_read(house: Warehouse, tmp_path: Path) -> None:
    _fill(house, tmp_path)
    said = pl.DataFrame(_SAID)
    before = facts(house.path)
    for frame, message in (
        (said.drop("model"), r"<DataFrame>, field model: does not name the model; .* model=NAME"),
        (
            said.with_columns(model=pl.when(pl.col("question_key") != "3").then("model")),
            r"<DataFrame>, row 3, field model: ",
        ),
        (pl.concat([said, said[6:7]]), r"<DataFrame>, row 9, field question_key"),
        (said.with_columns(extra=pl.Series([object()] * 8)), r"<DataFrame>, field extra: .* Python objects"),
        (pl.DataFrame({"this": [1], "that": [2]}), "<DataFrame>"),
        (said.lazy(), r"<DataFrame>: a polars.LazyFrame cannot be read as a table"),
        (said.clear(), "<DataFrame>: .* no rows"),
        (7, "<DataFrame>: a builtins.int cannot be read as a table"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message) as error:
            house.ingest(frame, benchmark="Own", run="new")  # type: ignore[arg-type]
        assert gettempdir() not in str(error.value)
    assert facts(house.path) == before
    # A file's error is the file's, and the frame before it is in.
    bad = write_jsonl(tmp_path / "bad.jsonl", [*_SAID, _SAID[0]])
    with pytest.raises(InputError, match=r"bad\.jsonl, row 9"):
        house.ingest(said, bad, benchmark="Own")
    assert house.runs()["run"].to_list() == ["DataFrame", "DataFrame", "said", "said"]


@pytest.mark.slow
def test_what_the_page_shows(
    new_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "sql.md").read_text("utf-8").partition("## From Python")[2]
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    shutil.copy(new_file, tmp_path / "rooms.duckdb")
    monkeypatch.chdir(tmp_path)
    there: dict[str, Any] = {}
    exec(script, there)
    assert dict(there["scores"].select("model", "score").rows()) == {"vlm-13b": 1.0, "vlm-7b": 0.5}
    assert there["wrong"]["question_key"].to_list() == ["2"]
    assert there["found"].to_polars()["difference"][0] == 0.5
    assert (tmp_path / "rooms" / "manifest.json").is_file()
    for name in re.findall(r"`(\w+)`", page.partition(". Options")[0]):
        assert name == "Warehouse" or hasattr(there["house"], name), name

"""Submissions: MMBench's table of every pass and SEED-Bench's lines, and a report of what they cannot hold."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from evalhouse import UsageError, Warehouse
from evalhouse.cli import app
from queries.export import submissions, table
from queries.export.submissions import Lines
from queries.export.table import Table
from tests.oracle import Ask
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_ASKS = [
    Ask(str(n), {0: {"A": "cat", "B": "dog"}, 1: {"A": "dog", "B": "cat"}}, {0: "A", 1: "B"})
    for n in (1, 2)
]


def _mmbench(house: Warehouse, run_id: int, **choices: Any) -> Table:
    with house.reading() as con:
        return submissions.mmbench(con, run_id, **choices)


def _seedbench(house: Warehouse, run_id: int, **choices: Any) -> Lines:
    with house.reading() as con:
        return submissions.seedbench(con, run_id, **choices)


def _small(
    house: Warehouse,
    folder: Path,
    said: dict[tuple[str, int], str | None],
    benchmark: str = "MMBench",
) -> None:
    """Two questions of two passes, and what a model said."""
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(_ASKS)), benchmark=benchmark)
    rows = [
        {"model": "vlm", "question_key": key, "pass": step, "prediction": text}
        for (key, step), text in said.items()
    ]
    house.ingest(write_jsonl(folder / "vlm.jsonl", rows), benchmark=benchmark)


def _ranked(house: Warehouse, folder: Path, benchmark: str, best: dict[str, str]) -> None:
    """A run that scored the choices of pass 0; those in `best` by question, the last of two."""
    scores = [
        {
            "model": "ranker",
            "question_key": key,
            "pass": 0,
            "label": x,
            "score": -1.0 - (x != label),
        }
        for key, label in best.items()
        for x in "AB"
    ]
    house.ingest(
        write_jsonl(folder / "s.jsonl", scores),
        benchmark=benchmark, method="loglik", reduction="sum", scored="content",
    )  # fmt: skip


# MMBench.


@pytest.mark.slow
def test_a_real_submission_goes_out_as_it_came(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    house = make_house("one")
    real = shared / "real/mmbench/llava-v1.5-13b.xlsx"
    house.ingest(real, benchmark="MMBench")
    words = ["export", "mmbench-submission", "1", "--db", str(house.path), "-o", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    path = tmp_path / "llava-v1.5-13b_MMBench_DEV.xlsx"
    assert done.output.splitlines() == [
        "llava-v1.5-13b (llava-v1.5-13b) on MMBench/dev: 4,377 rows", f"  {path}",
    ]  # fmt: skip
    theirs, ours = (pl.read_excel(one, infer_schema_length=0) for one in (real, path))
    assert ours.columns == ["index", "question", "A", "B", "C", "D", "prediction"]
    assert ours.equals(theirs.select(ours.columns))
    # Read back into the same warehouse, it is the same run: 796 of 1,176 under CircularEval.
    again = make_house("again")
    again.ingest(real, benchmark="MMBench", run="first")
    again.ingest(path, run="second")
    right = again.sql(
        "SELECT run, n, points FROM leaderboard WHERE level = 'overall' AND strategy = 'circular' "
        "AND average = 'micro' AND judge = 'none' ORDER BY run"
    )
    assert right.rows() == [("first", 1176, 796), ("second", 1176, 796)]


def test_every_pass_has_a_row(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {("1", 0): "A, a cat", ("1", 1): None, ("2", 1): "hmm"})
    made = _mmbench(house, 1)
    assert made.columns == ("index", "question", "A", "B", "prediction")
    assert made.rows == (
        (1, "Q 1", "cat", "dog", "A, a cat"),
        (2, "Q 2", "cat", "dog", None),
        (1_000_001, "Q 1", "dog", "cat", None),
        (1_000_002, "Q 2", "dog", "cat", "hmm"),
    )
    assert made.notes == ("1 pass has no answer; the prediction is empty",)
    read = csv.reader(io.StringIO(table.write(made, "tsv").decode()), delimiter="\t")
    assert [row[-1] for row in read] == ["prediction", "A, a cat", "", "", "hmm"]


@pytest.mark.slow
def test_letters(house: Warehouse, tmp_path: Path) -> None:
    """What the rules or the judge read; what was drawn at random is nobody's answer."""
    said: dict[tuple[str, int], str | None] = {
        ("1", 0): "It is A.",
        ("1", 1): "the feline",
        ("2", 0): "drawn",
    }
    _small(house, tmp_path, said)
    judge = register_judge(house, "J")
    add_replies(house, judge, [(_ASKS[0], 1, "the feline", "B"), (_ASKS[1], 0, "drawn", ["??"])])
    drawn = house.sql(
        "SELECT count(*) FROM pass_result WHERE judge = 'J' AND resolved_by = 'random'"
    )
    assert drawn.item() == 1
    by_rules = _mmbench(house, 1, letters=True)
    assert [row[-1] for row in by_rules.rows] == ["A", None, None, None]
    assert by_rules.notes == (
        "predictions are letters, read under judge none",
        "2 answers gave no letter; the prediction is empty",
        "1 pass has no answer; the prediction is empty",
    )
    judged = _mmbench(house, 1, letters=True, judge="J")
    assert [row[-1] for row in judged.rows] == ["A", None, "B", None]
    with pytest.raises(UsageError, match=r"^no judge 'K'; there are J, none$"):
        _mmbench(house, 1, letters=True, judge="K")
    with pytest.raises(UsageError, match=r"^--judge reads letters: it goes with --letters$"):
        _mmbench(house, 1, judge="J")


def test_a_run_that_ranked_the_choices(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {("1", 0): "A"})
    _ranked(house, tmp_path, "MMBench", {"1": "B", "2": "A"})
    made = _mmbench(house, 2)
    assert [row[-1] for row in made.rows] == ["B", "A", None, None]
    assert made.notes[0] == "predictions are letters, read under judge none"


# SEED-Bench.


def test_the_real_lines_of_seed_bench_2(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    real = shared / "real/seedbench/SEED-Bench-2.GPT-4V.json"
    house.ingest(real, on_duplicate="first")
    words = ["export", "seedbench-submission", "1", "--db", str(house.path), "-o", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    path = tmp_path / "SEED-Bench-2.GPT-4V.jsonl"
    first: dict[str, str] = {}
    for line in real.read_text("utf-8").splitlines():
        one = json.loads(line.rstrip(","))
        first.setdefault(one["question_id"], one["prediction"])
    ours = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(ours) == 23_184
    assert ours == [{"question_id": key, "prediction": text} for key, text in first.items()]
    house.ingest(path, run="again")
    same = house.sql(
        "SELECT count(*), count(DISTINCT text) FROM main.prediction GROUP BY question_id "
        "HAVING count(*) <> 2 OR count(DISTINCT text) <> 1"
    )
    assert same.height == 0


def test_lines_of_what_was_answered(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {("1", 0): "It is\nA", ("2", 1): "B"}, "SEED-Bench")
    made = _seedbench(house, 1)
    assert made.name == "SEED-Bench.vlm.jsonl"
    assert made.text == '{"question_id": "1", "prediction": "It is\\nA"}\n'
    assert made.notes == ("1 question has no answer, and so no line",)
    assert _seedbench(house, 1, letters=True).text == '{"question_id": "1", "prediction": "A"}\n'
    _ranked(house, tmp_path, "SEED-Bench", {"2": "B"})
    ranked = _seedbench(house, 2)
    assert ranked.text == '{"question_id": "2", "prediction": "B"}\n'
    assert ranked.notes == (
        "predictions are letters, read under judge none",
        "1 question has no answer, and so no line",
    )


# What cannot go out.


def test_runs_that_cannot_be_submitted(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {("1", 0): "A"})
    with pytest.raises(UsageError, match=r"^there is no run 5; `evalhouse runs` lists them$"):
        _mmbench(house, 5)
    with pytest.raises(UsageError, match=r"^there is no run 5;"):
        _seedbench(house, 5)
    with pytest.raises(
        UsageError,
        match=r"^run 1 is of MMBench, and the submission is for SEED-Bench or SEED-Bench-2",
    ):
        _seedbench(house, 1)
    with pytest.raises(UsageError, match=r"^run 1 has no sample 1; there are 0$"):
        _mmbench(house, 1, sample=1)
    with pytest.raises(UsageError, match=r"^no release 'mine': neither"):
        _mmbench(house, 1, release="mine")
    with house.writing() as con:
        con.execute("DELETE FROM main.prediction")
    with pytest.raises(UsageError, match=r"^run 1 has no answer to any question of MMBench$"):
        _mmbench(house, 1)
    words = ["export", "mmbench-submission", "1", "--db", str(house.path)]
    assert "--as is xlsx, tsv" in str(CliRunner().invoke(app, [*words, "--as", "csv"]).exception)


def test_the_help_names_every_form() -> None:
    said = CliRunner().invoke(app, ["export", "--help"]).output
    for form in ("mmvet", "mmbench-submission", "seedbench-submission", "vlmevalkit", "bundle"):
        assert form in said
    nothing = CliRunner().invoke(app, ["export"])
    assert "mmvet, mmbench-submission" in str(nothing.exception)

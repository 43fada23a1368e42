"""Readers of harnesses, a file each: the folder is the register; nemo-evaluator, lighteval, OpenCompass."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from evalhouse import Warehouse
from ingest import readers
from ingest.names import DatasetName
from ingest.published_figures import published
from ingest.reading.head import Head
from ingest.sample import About, Figure, Published
from ingest.settings import Settings
from tests.commands import run
from tests.conftest import ROOT
from tests.tables import write_jsonl
from warehouse.connection import open_for_writing

_OWN = '''
"""A harness of one file."""

from ingest import fields
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.reading.head import Seen
from ingest.sample import About, Answer, Sample

VERSION = 1
DESCRIPTION = "own_harness's `{model}.own.jsonl`"
FIELDS = (Field("id", str, "key"), Field("ask", str, "text"), Field("said", str, "said"))


def recognise(head):
    return Seen("its name") if head.path.name.endswith(".own.jsonl") else None


def sidecar(path):
    return "own_harness's diary" if path.name == "diary.txt" else None


def read(path):
    def samples():
        for row, record in fields.records(path):
            found = fields.read(path, row, record, FIELDS)
            yield Sample(
                row, found["key"], found["text"], choices=("yes", "no"), answer="A",
                answers=(Answer(found["said"]),), metrics={"right": Metric("1", 1.0)},
            )

    return About("own_harness", path.name.partition(".")[0], "Owned", "first"), samples()
'''
_RUN = """
import sys
import ingest.readers
ingest.readers.__path__.append(sys.argv.pop(1))
from evalhouse.cli import ingest_program
ingest_program()
"""


def _run_with(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """`ingest` with the readers of a further folder."""
    return subprocess.run(
        [sys.executable, "-c", _RUN, str(folder), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def test_the_folder_is_the_register() -> None:
    files = sorted(path.stem for path in (ROOT / "ingest/readers").glob("[a-z]*.py"))
    assert [readers.name_of(one) for one in readers.every()] == files
    assert {"evalscope", "lighteval", "nemo_evaluator", "opencompass"} <= {*files}
    for path in (ROOT / "ingest/readers").glob("[a-z]*.py"):
        text = path.read_text("utf-8")
        assert "ingest.readers" not in text, f"{path.name} imports another reader"
        assert text.count("\n") <= 500


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a reader, and one with the files of its harness."""
    (tmp_path / "added").mkdir()
    (tmp_path / "added/own_harness.py").write_text(_OWN, "utf-8")
    (tmp_path / "out").mkdir()
    lines = [{"id": "1", "ask": "Is it?", "said": "yes"}, {"id": "2", "ask": "And?", "said": "B"}]
    write_jsonl(tmp_path / "out/vlm.own.jsonl", lines)
    (tmp_path / "out/diary.txt").write_text("all went well\n", "utf-8")
    return tmp_path


def test_a_reader_that_is_added_to_the_folder_is_picked_up(own: Path) -> None:
    done = _run_with(own / "added", own / "out", "--db", own / "own.duckdb")
    assert done.returncode == 0, done.stderr
    assert re.search(r"own_harness +own_harness +Owned +vlm +1 +1 +2", done.stdout)
    assert "own_harness's diary" in done.stdout
    with Warehouse(own / "own.duckdb").reading() as con:
        scores = con.execute("SELECT metric, score FROM main.harness_score")
        assert scores.fetchall() == [("right", 1.0), ("right", 1.0)]


def test_of_two_that_recognise_a_file_the_user_says_which(own: Path) -> None:
    (own / "added/other_harness.py").write_text(_OWN, "utf-8")
    words = (own / "out/vlm.own.jsonl", "--db", own / "own.duckdb")
    done = _run_with(own / "added", *words)
    assert done.returncode == 2
    assert (
        "vlm.own.jsonl: may be of several harnesses: other_harness (its name), own_harness (its name); "
        "--format says which" in done.stderr
    )
    done = _run_with(own / "added", *words, "--format", "own_harness")
    assert done.returncode == 0, done.stderr


def test_one_that_is_sure_is_taken_before_one_that_is_not(own: Path) -> None:
    unsure = _OWN.replace('Seen("its name")', 'Seen("a line", is_sure=False)')
    (own / "added/other_harness.py").write_text(unsure, "utf-8")
    words = (own / "out/vlm.own.jsonl", "--db", own / "own.duckdb")
    done = _run_with(own / "added", *words)
    assert done.returncode == 0, done.stderr
    assert "vlm.own.jsonl: own_harness, 2 rows" in done.stdout
    (own / "added/own_harness.py").write_text(unsure, "utf-8")
    done = _run_with(own / "added", *words[:2], own / "again.duckdb")
    assert "other_harness (a line), own_harness (a line); --format says which" in done.stderr


def test_of_a_folder_what_only_looks_like_answers_is_left(house: Warehouse, tmp_path: Path) -> None:
    """Any texts by id look like MM-Vet's answers; those by its own ids are answers."""
    asked = {"question": "What?", "answer": "cat", "capability": ["rec"]}
    for name, content in {
        "mm-vet": {"v1_0": asked},
        "id2label": {"0": "cat", "1": "dog"},
        "vlm": {"v1_0": "cat"},
        "broken": {"v1_0": "cat", "v1_9": "dog"},
    }.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content, indent=1), "utf-8")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut/pope_test.jsonl").write_text(
        '{"id": "1", "category": "random", "question": "Is it?", "answer": "yes"}\n{"id": "2',
        "utf-8",
    )
    outcomes = {one.file.path.stem: one for one in house.ingest_many(tmp_path)}
    assert "row 2" in str(outcomes["pope_test"].error)
    words = "looks like the format mmvet_answers, but row 1: the dataset has no question 0"
    assert outcomes["id2label"].left == words
    assert outcomes["id2label"].error is None
    assert "broken.json, row 2, field key: the dataset has no question v1_9" in str(
        outcomes["broken"].error
    )
    assert house.sql("SELECT text FROM main.prediction").rows() == [("cat",)]
    forced = list(house.ingest_many(tmp_path, format="mmvet_answers"))
    assert "no question 0" in str([one.error for one in forced if one.file.path.stem == "id2label"])


def test_a_forced_format_is_no_readers(own: Path) -> None:
    """What a reader recognises is read as the format that the user names."""
    done = _run_with(
        own / "added",
        own / "out/vlm.own.jsonl",
        "--db",
        own / "own.duckdb",
        "--format",
        "predictions",
    )
    assert done.returncode == 2
    assert "a file of the format predictions has it" in done.stderr


@pytest.mark.parametrize("name", ["nemo_evaluator/out", "lighteval/out"])
def test_every_figure_is_the_harnesss(
    shared: Path, make_house: Callable[[str], Warehouse], name: str
) -> None:
    """Of nemo-evaluator and lighteval all are equal to ours, failed calls counted as 0."""
    house = make_house("lab")
    outcomes = list(house.ingest_many(shared / "formats" / name))
    assert [str(one.error) for one in outcomes if one.error] == []
    rows = house.sql(
        "SELECT metric, filter, published, is_same FROM harness_difference WHERE is_stated"
    ).rows()
    assert all(row[3] for row in rows), rows
    found = {row[0]: round(row[2], 4) for row in rows}
    wanted = {
        "nemo_evaluator/out": {
            "pass@1": 0.5,
            "pass@2": 0.6667,
            "grouped|air": 0.5,
            "grouped|plants": 0.5,
        },
        "lighteval/out": {"acc": 0.6667, "em": 0.3333},
    }
    assert found == wanted[name]


def test_what_is_not_computed_is_not_compared(shared: Path, tmp_path: Path) -> None:
    words = (shared / "formats/nemo_evaluator/out", "--db", "lab.duckdb")
    said = run("ingest", *words, "--no-refresh", cwd=tmp_path).out
    assert "after `evalhouse refresh`, `evalhouse differences` compares them" in said
    assert "the harness's figures" not in said


@pytest.mark.parametrize("order", [1, -1])
def test_a_task_is_none_of_a_benchmark_that_another_task_made(
    house: Warehouse, shared: Path, order: int
) -> None:
    """`tiny_gen` is no version of `tiny`, whichever came first; nor is a group of data sets a benchmark."""
    for name in ["nemo_evaluator", "opencompass", "lighteval"][::order]:
        folder = "outputs" if name == "opencompass" else "out"
        list(house.ingest_many(shared / "formats" / name / folder))
    for table in ("benchmark", "dataset"):
        names = house.sql(f"SELECT name FROM main.{table} ORDER BY 1")["name"].to_list()
        assert names == ["garden_mcq", "garden_qa", "tiny", "tiny_gen", "tiny_mc"]
    groups = house.sql("SELECT count(*) FROM main.harness_figure WHERE benchmark_id IS NULL")
    assert groups.item() == 2


def test_opencompass_keeps_what_it_read_and_its_groups(house: Warehouse, shared: Path) -> None:
    outcomes = list(house.ingest_many(shared / "formats/opencompass/outputs"))
    assert [str(one.error) for one in outcomes if one.error] == []
    rows = house.sql(
        "SELECT m.name, f.task, f.metric, f.value FROM main.harness_figure AS f JOIN main.model AS m "
        "USING (model_id) ORDER BY 1, 2"
    ).rows()
    assert [(row[0], row[1], row[2], round(float(row[3]), 2)) for row in rows] == [
        ("heron-text", "garden", "accuracy", 45.71),
        ("heron-text", "garden_mcq", "accuracy", 71.43),
        ("heron-text", "garden_qa", "accuracy", 20.0),
        ("quarry-text", "garden", "accuracy", 31.43),
        ("quarry-text", "garden_mcq", "accuracy", 42.86),
        ("quarry-text", "garden_qa", "accuracy", 20.0),
    ]
    # A letter is always found there, also in a refusal; of garden_qa it kept no verdicts.
    read = house.sql(
        "SELECT d.name, h.answer, avg(h.score) OVER (PARTITION BY h.run_id) FROM main.harness_score AS h "
        "JOIN main.run AS r USING (run_id) JOIN main.dataset AS d USING (dataset_id) "
        "JOIN main.model AS m USING (model_id) WHERE m.name = 'heron-text'"
    ).rows()
    assert {row[0] for row in read} == {"garden_mcq"}
    assert len(read) == 14
    assert all(row[1] in "ABCD" and row[2] == 10 / 14 for row in read)
    golds = house.sql(
        "SELECT count(*) FROM main.reference_answer AS r JOIN main.question USING (question_id) WHERE r.text = '0'"
    )
    work = shared / "formats/opencompass/outputs/default/20261128_131730"
    predictions = json.loads((work / "predictions/heron-text/garden_qa.json").read_text("utf-8"))
    assert golds.item() == sum(one["gold"] == "0" for one in predictions.values()) > 0


def test_opencompasss_figures_are_compared_or_have_a_reason(house: Warehouse, shared: Path) -> None:
    list(house.ingest_many(shared / "formats/opencompass/outputs"))
    rows = house.sql("SELECT DISTINCT dataset, is_same, reason_kind FROM harness_difference").rows()
    assert sorted(rows) == [
        # A group of data sets is no run here.
        ("garden", False, "no_run"),
        # The nearest text counts there, so that any answer names a choice.
        ("garden_mcq", False, "samples_differ"),
        # The whole reply is the gold there to the letter, and no verdict of an answer is kept.
        ("garden_qa", False, "no_sample_scores"),
    ]


def test_a_head_of_anything_is_no_defect(tmp_path: Path) -> None:
    contents = (
        b"",
        b"{",
        b'{"',
        b'{"index": 1',
        b"PAR1",
        b"\xff\xfe{",
        b'{"a": 1}\n{"b": 2}',
        b"[" * 100_000,
    )
    for n, content in enumerate(contents):
        path = tmp_path / str(n)
        path.write_bytes(content)
        head = Head(path)
        assert [one.recognise(head) for one in readers.every()] == [None] * len(readers.every())
        assert [one.sidecar(path) for one in readers.every()] == [None] * len(readers.every())


def test_published_scores_of_two_models_in_turn(house: Warehouse, tmp_path: Path) -> None:
    def figure(model: str, percent: str, ability: str | None = None) -> Figure:
        level = ability and "capability"
        of = Published(lambda names: DatasetName("MM-Vet"), percent, ability=ability, level=level)
        return Figure(ability or "total", percent, model=model, published=of)

    figures = (figure("m", "31"), figure("n", "42"), figure("m", "53", "rec"))
    about = About("unknown", "", "", "", figures=figures, are_published=True)
    with closing(open_for_writing(house.path)) as con:
        staged = published(con, tmp_path / "scores.csv", about, Settings())
        assert staged.facts is not None
        staged.facts.store(1)
        rows = con.execute(
            "SELECT m.name, p.total FROM main.published_score AS p JOIN main.model AS m USING (model_id)"
        ).fetchall()
    assert sorted(rows) == [("m", "31"), ("m", "53"), ("n", "42")]

"""Readers of harnesses, a file each: the folder is the register; nemo-evaluator, lighteval, OpenCompass."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest import readers
from ingest.reading.head import Head
from tests.conftest import ROOT
from tests.tables import facts, write_jsonl

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


def test_more_choices_than_letters_are_refused(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    (path,) = (shared / "formats/lighteval/out").rglob("details_tiny_mc*.parquet")
    frame = pl.read_parquet(path)
    rows = frame.to_dicts()
    rows[1]["doc"]["choices"] = [str(n) for n in range(27)]
    rows[1]["model_response"]["logprobs"] = [-float(n) for n in range(27)]
    pl.DataFrame(rows, schema=frame.schema).write_parquet(tmp_path / path.name)
    with pytest.raises(
        InputError,
        match=r"row 2, field doc\.choices: has 27 choices; there are labels for 26, A to Z",
    ):
        house.ingest(tmp_path / path.name, model="m")


def test_nemo_evaluators_failed_calls_are_failed_answers(house: Warehouse, shared: Path) -> None:
    (report,) = house.ingest(shared / "formats/nemo_evaluator/out/tiny/results.jsonl")
    assert "2 calls failed, with the reward 0 there" in report.notes
    rows = house.sql(
        "SELECT q.question_key, p.sample, p.failed, p.text, e.error FROM main.prediction AS p "
        "JOIN main.question AS q USING (question_id) LEFT JOIN main.sample_error AS e "
        "USING (run_id, question_id, pass, sample) ORDER BY 1, 2"
    ).rows()
    error = "Model returned HTTP 400 after retries: Bad Request"
    assert rows == [
        ("0", 0, False, "Grass.\nAnswer: B", None),
        ("0", 1, False, "Answer: A", None),
        ("1", 0, False, "Answer: C", None),
        ("1", 1, False, "Answer: C", None),
        ("2", 0, True, None, error),
        ("2", 1, True, None, error),
    ]


def test_lightevals_likelihoods_are_of_the_choices_in_their_order(
    house: Warehouse, shared: Path
) -> None:
    (path,) = (shared / "formats/lighteval/out").rglob("details_tiny_mc*.parquet")
    house.ingest(path)
    rows = house.sql(
        "SELECT q.question_key, c.text, s.score FROM main.choice_score AS s JOIN main.question AS q "
        "USING (question_id) JOIN main.choice AS c USING (question_id, pass, label) ORDER BY 1, label"
    ).rows()
    assert rows[:3] == [("0", "red", -4.0), ("0", "green as ever", -14.0), ("0", "blue", -5.0)]
    run = house.sql(
        "SELECT method, reduction, scored, produced_at::VARCHAR, label FROM main.run"
    ).row(0)
    time = "2026-11-28T12-26-31.332894"
    assert run == ("loglik", "sum", "content", "2026-11-28 12:26:31", f"{time}_tiny_mc|0")


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


def _nemo(folder: Path, shared: Path) -> Path:
    shutil.copytree(shared / "formats/nemo_evaluator/out/tiny", folder / "tiny")
    return folder / "tiny/results.jsonl"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("problem_idx", "x", "row 2, field problem_idx: is no whole number"),
        ("reward", None, "row 2, field reward: is missing"),
        ("prompt", ["x"], "row 2, field prompt: is no text"),
        ("metadata", "x", "row 2, field metadata: is no object"),
    ],
)
def test_a_bad_field_of_nemo_evaluators_is_named(
    house: Warehouse, shared: Path, tmp_path: Path, name: str, value: Any, words: str
) -> None:
    path = _nemo(tmp_path, shared)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    records[1][name] = value
    write_jsonl(path, records)
    before = facts(house.path)
    with pytest.raises(InputError, match=re.escape(f"{path}, {words}")):
        house.ingest(path)
    assert facts(house.path) == before


def test_a_right_answer_that_is_no_single_choice_is_said(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _nemo(tmp_path, shared)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for one in records:
        if one["problem_idx"] == records[0]["problem_idx"]:
            one["expected_answer"] = "AB"
    write_jsonl(path, records)
    (report,) = house.ingest(path)
    words = "1 question has choices whose right answer is no single choice, and counts as hidden"
    assert words in report.notes


def test_without_its_figures_nemo_evaluator_names_no_model(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _nemo(tmp_path, shared)
    next(path.parent.glob("eval-*.json")).unlink()
    with pytest.raises(InputError, match="does not name the model; give it with --model NAME"):
        house.ingest(path)
    (report,) = house.ingest(path, model="acme/tiny")
    assert report.n_rows == 6


def test_a_bad_row_of_lightevals_is_named(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    (path,) = (shared / "formats/lighteval/out").rglob("details_tiny_mc*.parquet")
    frame = pl.read_parquet(path)
    rows = frame.to_dicts()
    rows[1]["doc"]["gold_index"] = 7
    rows[2]["model_response"]["logprobs"] = [-1.0]
    bad = tmp_path / path.name
    pl.DataFrame(rows, schema=frame.schema).write_parquet(bad)
    before = facts(house.path)
    with pytest.raises(
        InputError, match=r"row 2, field doc\.gold_index: is no place in doc\.choices"
    ):
        house.ingest(bad, model="m")
    rows[1]["doc"]["gold_index"] = 1
    pl.DataFrame(rows, schema=frame.schema).write_parquet(bad)
    words = r"row 3, field model_response\.logprobs: is no number for each of the 2 choices"
    with pytest.raises(InputError, match=words):
        house.ingest(bad, model="m")
    assert facts(house.path) == before


def test_a_bad_record_of_opencompasss_is_named(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    work = tmp_path / "20261128_131730"
    shutil.copytree(shared / "formats/opencompass/outputs/default/20261128_131730", work)
    path = work / "predictions/heron-text/garden_mcq.json"
    found = json.loads(path.read_text("utf-8"))
    found["1"]["prediction"] = 5
    path.write_text(json.dumps(found), "utf-8")
    before = facts(house.path)
    with pytest.raises(InputError, match="row 2, field prediction: is no text or list"):
        house.ingest(path)
    path = work / "results/heron-text/garden_mcq.json"
    path.write_text('{"details": []}', "utf-8")
    with pytest.raises(InputError, match="holds no figures"):
        house.ingest(path)
    assert facts(house.path) == before


def test_an_opencompass_gold_that_was_left_out_is_said(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = tmp_path / "t/predictions/vlm/own.json"
    path.parent.mkdir(parents=True)
    records = {
        str(n): {"origin_prompt": f"Is {n} nothing?", "prediction": "0", "gold": "1"}
        for n in range(3)
    }
    del records["1"]["gold"]
    path.write_text(json.dumps(records), "utf-8")
    (report,) = house.ingest(path)
    assert "1 question has no gold, which is left out where it is 0 or empty" in report.notes


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

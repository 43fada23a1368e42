"""Columns next to answers: the question's, or each answer's, whatever was read first."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import Warehouse
from queries.export.submissions import prediction_file
from tests.webpages import client_of, site_of

_Rows = Sequence[Mapping[str, Any]]
_Facts = tuple[list[tuple[str, str, str]], list[tuple[str, str, int, str, str]]]


def _write(path: Path, rows: _Rows) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".json":
        path.write_text(json.dumps(list(rows)), encoding="utf-8")
        return path
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if path.suffix == ".xlsx":
        frame.write_excel(path)
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return path


def _question(n: int, **more: object) -> dict[str, object]:
    return {"index": n, "question": f"Which is {n}?", "A": "a cat", "B": "a dog", "answer": "A",
            "category": "math", **more}  # fmt: skip


def _file(
    folder: Path,
    model: str,
    before: Mapping[str, Sequence[object]] | None = None,
    behind: Mapping[str, Sequence[object]] | None = None,
    *,
    dataset: str = "MMStar",
    kind: str = ".tsv",
    n: int = 2,
) -> Path:
    """A file of answers, with columns before and behind the prediction."""
    rows = [
        {
            **_question(key, **{name: cells[key] for name, cells in (before or {}).items()}),
            "prediction": "A",
            **{name: cells[key] for name, cells in (behind or {}).items()},
        }
        for key in range(n)
    ]
    return _write(folder / model / f"{model}_{dataset}{kind}", rows)


def _facts(house: Warehouse) -> _Facts:
    """The attributes of questions but their category, and of answers."""
    of_questions = house.sql(
        "SELECT question_key, name, value FROM main.question_attribute "
        "JOIN main.question USING (question_id) WHERE name <> 'category' ORDER BY ALL"
    ).rows()
    of_answers = house.sql(
        "SELECT m.name, q.question_key, a.pass, a.name, a.value FROM main.answer_attribute AS a "
        "JOIN main.run AS r USING (run_id) JOIN main.model AS m USING (model_id) "
        "JOIN main.question AS q USING (question_id) ORDER BY ALL"
    ).rows()
    return of_questions, of_answers


@pytest.mark.parametrize("kind", [".tsv", ".xlsx", ".json"])
@pytest.mark.parametrize("dataset", ["MMStar", "Unheard"])
def test_what_stands_behind_is_the_answers(
    house: Warehouse, tmp_path: Path, kind: str, dataset: str
) -> None:
    """Under any name, of a benchmark that is known or new, and of a model alone."""
    behind = {"thinking": ["so", "hence"], "some_word": ["x", None]}
    path = _file(tmp_path, "m1", {}, behind, dataset=dataset, kind=kind)
    house.ingest(path)
    assert _facts(house) == (
        [],
        [
            ("m1", "0", 0, "some_word", "x"),
            ("m1", "0", 0, "thinking", "so"),
            ("m1", "1", 0, "thinking", "hence"),
        ],
    )


@pytest.mark.parametrize("name", ["thinking", "Reasoning_Content", "latency", "usage"])
def test_a_name_that_says_so(house: Warehouse, tmp_path: Path, name: str) -> None:
    house.ingest(_file(tmp_path, "m1", {name: ["3", "4"], "bench": ["p", "p"]}))
    assert _facts(house) == (
        [("0", "bench", "p"), ("1", "bench", "p")],
        [("m1", "0", 0, name, "3"), ("m1", "1", 0, name, "4")],
    )


@pytest.mark.slow
def test_what_differs_is_no_questions(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """In any order, also where the file between them says what the first one does."""
    files = [
        _file(tmp_path, model, {"bench": ["p", "q"], "mood": moods})
        for model, moods in {"m1": ["x", None], "m2": ["x", None], "m3": ["x", "z"]}.items()
    ]
    every = []
    for n, order in enumerate(permutations(files)):
        house = make_house(str(n))
        for path in order:
            house.ingest(path)
        every.append(_facts(house))
    of_questions, of_answers = every[0]
    assert of_questions == [("0", "bench", "p"), ("1", "bench", "q")]
    assert of_answers == [
        ("m1", "0", 0, "mood", "x"),
        ("m2", "0", 0, "mood", "x"),
        ("m3", "0", 0, "mood", "x"),
        ("m3", "1", 0, "mood", "z"),
    ]
    assert all(facts == every[0] for facts in every)


def test_the_note_of_it(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_file(tmp_path, "m1", {"mood": ["x", "y"]}))
    (report,) = house.ingest(_file(tmp_path, "m2", {"mood": ["x", "z"]}))
    assert (
        "1 column differs between files of answers, and is kept with each answer: mood"
        in report.notes
    )


def test_a_folder_and_one_file_at_a_time(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    for model, mood in {"m1": "x", "m2": "y", "m3": "x"}.items():
        _file(tmp_path / "out", model, {"mood": [mood, mood]}, {"time": [1, 2]})
    together, alone = make_house("together"), make_house("alone")
    assert all(one.report for one in together.ingest_many(tmp_path / "out"))
    for path in sorted((tmp_path / "out").rglob("*.tsv"), reverse=True):
        alone.ingest(path)
    assert _facts(together) == _facts(alone)
    assert len(_facts(alone)[1]) == 12


@pytest.mark.parametrize("is_first", [True, False])
def test_the_question_file_has_the_last_word(
    house: Warehouse, tmp_path: Path, is_first: bool
) -> None:
    """What it has is the question's; an answer's cell that says otherwise stays with the answer."""
    rows = [_question(n, mood="4", thinking="t", seen=str(n)) for n in range(2)]
    questions = _write(tmp_path / "LMUData/MMStar.tsv", rows)
    answers = [
        _file(tmp_path, "m1", {"mood": ["4.0", "5"]}, {"thinking": ["t", "own"]}),
        _file(tmp_path, "m2", {"mood": ["4", "6"]}, {"seen": ["0", "1"]}),
    ]
    for path in (questions, *answers) if is_first else (*answers, questions):
        house.ingest(path)
    of_questions, of_answers = _facts(house)
    assert of_questions == [
        ("0", "mood", "4"), ("0", "seen", "0"), ("0", "thinking", "t"),
        ("1", "mood", "4"), ("1", "seen", "1"), ("1", "thinking", "t"),
    ]  # fmt: skip
    assert of_answers == [
        ("m1", "1", 0, "mood", "5"),
        ("m1", "1", 0, "thinking", "own"),
        ("m2", "1", 0, "mood", "6"),
    ]


def test_passes_have_their_own(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        _question(key, prediction="A", time=key, l2="same") for key in (1, 2, 1_000_001, 1_000_002)
    ]
    house.ingest(_write(tmp_path / "m1/m1_Unheard.tsv", rows))
    _, of_answers = _facts(house)
    assert [row[1:] for row in of_answers if row[3] == "time"] == [
        ("1", 0, "time", "1"), ("1", 1, "time", "1000001"),
        ("2", 0, "time", "2"), ("2", 1, "time", "1000002"),
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["before", "behind"])
def test_what_the_benchmark_uses_is_the_questions(
    house: Warehouse, tmp_path: Path, place: str
) -> None:
    """MMStar's axes are in `l2_category`; the question types of MMMU decide which rule reads."""
    axes = {"l2_category": ["algebra", "sums"]}
    house.ingest(_file(tmp_path, "m1", **{place: axes}))
    assert house.sql("SELECT count(*) FROM main.answer_attribute").item() == 0
    assert "algebra" in house.sql("SELECT name FROM main.ability")["name"].to_list()


def test_questions_in_words(house: Warehouse, tmp_path: Path) -> None:
    for model in ("m1", "m2"):
        rows = [
            {"index": n, "question": f"What is {n}?", "answer": "a cat", "source": "web",
             "prediction": "a cat", "thinking": f"{model} {n}"}
            for n in range(2)
        ]  # fmt: skip
        house.ingest(_write(tmp_path / model / f"{model}_Unheard.xlsx", rows))
    of_questions, of_answers = _facts(house)
    assert {row[1:] for row in of_questions} == {("source", "web")}
    assert [row[4] for row in of_answers] == ["m1 0", "m1 1", "m2 0", "m2 1"]


def test_capabilities_of_mm_vet(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"index": "v1_0", "question": "What?", "answer": "a cat", "category": "rec",
         "prediction": "a cat", "extra_records": "{'tokens': 3}"}
    ]  # fmt: skip
    house.ingest(_write(tmp_path / "m1/m1_MMVet.tsv", rows))
    assert _facts(house) == ([], [("m1", "v1_0", 0, "extra_records", "{'tokens': 3}")])


def test_answers_without_questions(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(
        _write(tmp_path / "LMUData/MMStar.tsv", [_question(n, mood="x") for n in range(2)])
    )
    rows = [{"index": n, "mood": "xy"[n], "prediction": "A", "time": n} for n in range(2)]
    house.ingest(_write(tmp_path / "m1/m1_MMStar.tsv", rows))
    assert _facts(house)[1] == [
        ("m1", "0", 0, "time", "0"), ("m1", "1", 0, "mood", "y"), ("m1", "1", 0, "time", "1"),
    ]  # fmt: skip


def test_an_unfinished_run(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_write(tmp_path / "LMUData/MMStar.tsv", [_question(n) for n in range(2)]))
    said = {0: {"prediction": "A", "thinking": "so"}, 1: {"prediction": "B", "thinking": "then"}}
    (tmp_path / "m1").mkdir()
    shard = tmp_path / "m1/01_MMStar.pkl"
    shard.write_bytes(pickle.dumps(said))
    house.ingest(shard)
    assert [row[3:] for row in _facts(house)[1]] == [("thinking", "so"), ("thinking", "then")]


def test_files_of_llava_and_seed_bench(house: Warehouse, tmp_path: Path) -> None:
    """A name that says so is enough; ids of answers and ground truths are no such names."""
    rows = [_question(n, **{"l2-category": "math"}) for n in (1, 2)]
    house.ingest(_write(tmp_path / "MMBench_DEV_EN.tsv", rows), benchmark="Own")
    said = [
        {"question_id": n, "round_id": 0, "text": "A", "options": ["a cat", "a dog"],
         "answer_id": "x", "model_id": "m1", "thinking": f"t{n}"}
        for n in (1, 2)
    ]  # fmt: skip
    other = [
        {"question_id": str(n), "prediction": "A", "gt_answer": "A", "latency": n} for n in (1, 2)
    ]
    for name, records in {"m1.jsonl": said, "m2.jsonl": other}.items():
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
        house.ingest(path, benchmark="Own", model=path.stem)
    assert [row[3:] for row in _facts(house)[1]] == [
        ("thinking", "t1"), ("thinking", "t2"), ("latency", "1"), ("latency", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize("names", [["latency"], ["latency", "hint"], ["mood", "latency", "seed"]])
def test_one_table_stores_each_cell_once(
    house: Warehouse, tmp_path: Path, names: list[str]
) -> None:
    rows = [
        {"id": str(n), "target": "A", "prediction": "A", **{name: f"{name} {n}" for name in names}}
        for n in range(3)
    ]
    house.ingest(_write(tmp_path / "m1.csv", rows), benchmark="Own", model="m1")
    assert sorted(row[3:] for row in _facts(house)[1]) == sorted(
        (name, f"{name} {n}") for name in names for n in range(3)
    )


def test_our_own_files(house: Warehouse, tmp_path: Path) -> None:
    questions = [
        {"question_key": n, "question": f"Which is {n}?", "A": "x", "B": "y", "answer": "A",
         "mood": "m"}
        for n in range(2)
    ]  # fmt: skip
    house.ingest(_write(tmp_path / "questions.csv", questions), benchmark="Own")
    for model in ("m1", "m2"):
        rows = [
            {"question_key": n, "prediction": "A", "reasoning": f"{model} {n}", "mood": "m"}
            for n in range(2)
        ]
        house.ingest(_write(tmp_path / f"{model}.csv", rows), benchmark="Own", model=model)
    of_questions, of_answers = _facts(house)
    assert {row[1:] for row in of_questions} == {("mood", "m")}
    assert [row[3:] for row in of_answers] == [
        ("reasoning", f"m{model} {n}") for model in (1, 2) for n in range(2)
    ]


@pytest.mark.slow
def test_it_is_shown_with_each_answer(house: Warehouse, tmp_path: Path) -> None:
    for model in ("m1", "m2"):
        behind = {"thinking": [f"{model} mused"] * 2, "time": ["7", "8"]}
        house.ingest(_file(tmp_path, model, {"bench": ["p", "p"]}, behind))
    (view,) = house.show("0", judge="none")
    assert view.question["attributes"].splitlines() == ["bench: p", "category: math"]
    beside = {
        row["model"]: [(one["name"], one["value"]) for one in row["attributes"]]
        for row in view.results
    }
    assert beside == {
        model: [("thinking", f"{model} mused"), ("time", "7")] for model in ("m1", "m2")
    }


@pytest.mark.slow
def test_it_stands_on_the_page_of_each_answer(house: Warehouse, tmp_path: Path) -> None:
    for model in ("m1", "m2"):
        behind = {"thinking": [f"{model} <i>mused</i>"] * 2, "time": ["7.25", "8"]}
        house.ingest(_file(tmp_path, model, {}, behind))
    client = client_of(site_of(house))
    for run, model, other in ((1, "m1", "m2"), (2, "m2", "m1")):
        page = client.get(f"/question?run={run}&question=1").text
        assert "<bdi>thinking</bdi>, the answer's reasoning" in page.replace("&#39;", "'")
        assert f"{model} &lt;i&gt;mused&lt;/i&gt;" in page
        assert f"{other} &lt;i&gt;" not in page
        assert "7.25" in page


def test_it_is_not_read_as_the_answer(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_file(tmp_path, "m1", {}, {"thinking": ["The answer is B", "B"]}))
    assert house.sql("SELECT DISTINCT predicted FROM pass_result").rows() == [("A",)]


def test_it_goes_out_as_it_came_in(house: Warehouse, tmp_path: Path) -> None:
    _file(tmp_path / "out", "m1", {"mood": ["x", "y"]}, {"thinking": ["so", "hence"]})
    other = _file(tmp_path / "out", "m2", {"mood": ["x", "z"]}, {"thinking": ["or", "not"]})
    assert all(one.report for one in house.ingest_many(tmp_path / "out"))
    query = "SELECT run_id FROM main.run JOIN main.model USING (model_id) WHERE name = 'm2'"
    with house.reading() as con:
        made = prediction_file(con, house.sql(query).item())
    cells = pl.read_csv(other, separator="\t", infer_schema=False)
    assert list(made.columns) == cells.columns
    assert [[str(cell) for cell in row] for row in made.rows] == [list(row) for row in cells.rows()]


@pytest.mark.parametrize("folder", ["out", "new"])
def test_the_field_case(house: Warehouse, shared: Path, folder: str) -> None:
    assert all(one.report for one in house.ingest_many(shared / "field/21-think" / folder))
    of_questions, of_answers = _facts(house)
    assert of_questions == []
    thoughts = {
        (model, key): value for model, key, _, name, value in of_answers if name == "thinking"
    }
    assert thoughts == {
        (model, str(n)): f"{model} thinks of bird {n} for long"
        for model in ("m1", "m2")
        for n in range(3)
    }

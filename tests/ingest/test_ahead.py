"""Files that are staged while the one before them is stored: the same facts as one after the other."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import Warehouse
from ingest import ahead, pipeline
from ingest.loading import ALL, NAMES, Memory
from ingest.pipeline import StagedFile
from ingest.recognition import Recognised
from ingest.settings import Report, Settings
from tests.houses import QuickHouse

_LABEL = "T20260110-093000"
_N = 4


def _answers(
    folder: Path, model: str, dataset: str, *, n: int = _N, text: str = "What is on picture"
) -> Path:
    """A file of yes/no answers as VLMEvalKit writes it in its work dir."""
    path = folder / model / _LABEL / f"{model}_{dataset}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "index": i,
            "question": f"{text} {i} of {dataset}?",
            "answer": "Yes" if i % 2 else "No",
            "category": "odd" if i % 3 else "even",
            "prediction": "Yes" if (i + len(model)) % 3 else "No",
        }
        for i in range(n)
    ]
    pl.DataFrame(rows).write_csv(path, separator="\t")
    return path


def _facts(house: Warehouse) -> dict[str, list[tuple[object, ...]]]:
    """What was stored, ids included: files are stored in the same order."""
    queries = {
        "source": "SELECT source_id, path, sha256, format, flags, n_rows FROM main.source",
        "benchmark": "SELECT * FROM main.benchmark",
        "dataset": "SELECT * FROM main.dataset",
        "question": "SELECT * FROM main.question",
        "answer": "SELECT * FROM main.answer",
        "attribute": "SELECT * FROM main.question_attribute",
        "ability": "SELECT * FROM main.question_ability",
        "run": "SELECT run_id, model_id, dataset_id, label, source_id FROM main.run",
        "prediction": "SELECT * FROM main.prediction",
    }
    with house.reading() as con:
        return {
            name: con.execute(f"{sql} ORDER BY ALL").fetchall() for name, sql in queries.items()
        }


@pytest.fixture
def house(new_file: Path, tmp_path: Path) -> Warehouse:
    """An empty warehouse; on a machine with one core nothing would be staged ahead."""
    path = tmp_path / "warehouse.duckdb"
    path.write_bytes(new_file.read_bytes())
    return QuickHouse(path, threads=2)


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are staged, in order."""
    names: list[str] = []
    stage = pipeline.stage

    def counted(con: object, found: Recognised, settings: Settings) -> StagedFile:
        names.append(found.probe.path.name)
        return stage(con, found, settings)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "stage", counted)
    return names


def _one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_is_fit", lambda found: False)


def test_the_same_facts(tmp_path: Path, new_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "outputs"
    for model in ("Ant", "Bee", "Cat"):
        for dataset in ("Birds", "Birds_V11", "Fish_Small", "Trees"):
            _answers(folder, model, dataset)
    houses = []
    for name in ("ahead", "plain"):
        if name == "plain":
            _one_after_the_other(monkeypatch)
        path = tmp_path / f"{name}.duckdb"
        path.write_bytes(new_file.read_bytes())
        houses.append(QuickHouse(path, threads=2))
        outcomes = list(houses[-1].ingest_many(folder))
        assert [one.error for one in outcomes] == [None] * 12
    first, second = map(_facts, houses)
    assert len(first["prediction"]) == 12 * _N
    assert first == second


def test_a_name_that_came_is_looked_for_again(
    tmp_path: Path, house: Warehouse, staged: list[str]
) -> None:
    # Once Birds is a benchmark, the second file's name begins with one that is known, and has a version
    # that other names may end with.
    _answers(tmp_path / "outputs", "Ant", "Birds")
    _answers(tmp_path / "outputs", "Ant", "Birds_V11")
    _answers(tmp_path / "outputs", "Ant", "Trees")
    outcomes = list(house.ingest_many(tmp_path / "outputs"))
    assert [one.error for one in outcomes] == [None] * 3
    assert sorted(staged) == [
        f"Ant_{name}.tsv" for name in ("Birds", *["Birds_V11"] * 2, *["Trees"] * 2)
    ]


_PUZZLES = """index\tquestion\tanswer\tchoices\tprecision\tquestion_type\
\tanswer_type\tanswer_option\ttask\tskills\tprediction
1\tHow many?\t5\t\t\tfree_form\tinteger\t\tcounting\t['arithmetic']\tI count 5.
2\tWhose?\tZoe\t\t\tfree_form\ttext\t\tvqa\t['arithmetic']\tIt is Zoe's
"""


def _judged(folder: Path, models: tuple[str, ...]) -> None:
    """Answers of each model, and what a judge extracted of them, as VLMEvalKit leaves both."""
    for n, model in enumerate(models):
        path = folder / model / _LABEL / f"{model}_MathVista_MINI.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(_PUZZLES, encoding="utf-8")
        said = {1: {"log": "Succeed", "res": str(n)}, 2: {"log": "Succeed", "res": "Zoe"}}
        path.with_name(f"{path.stem}_gpt-4o-mini.pkl").write_bytes(pickle.dumps(said))


def _judgments(house: Warehouse) -> list[tuple[object, ...]]:
    with house.reading() as con:
        return con.execute(
            "SELECT judgment_id, judge_id, source_id, run_id, subject_hash, attempt, reply, error "
            "FROM main.judgment ORDER BY ALL"
        ).fetchall()


@pytest.mark.parametrize("is_changed", [False, True])
def test_runs_of_judgments_are_found_ahead(
    tmp_path: Path, new_file: Path, monkeypatch: pytest.MonkeyPatch, is_changed: bool
) -> None:
    folder = tmp_path / "outputs"
    _judged(folder, ("Ant", "Bee", "Cat", "Dog", "Eel", "Fox"))
    bound: list[str] = []
    staged: list[str] = []
    bind, stage, store = pipeline.find_ahead, pipeline.stage, pipeline.store

    def noted_bind(con: Any, file: StagedFile, settings: Settings) -> StagedFile:
        found = bind(con, file, settings)
        bound.extend([file.found.probe.path.name] if found.bound is not None else [])
        return found

    def noted_stage(con: Any, found: Recognised, settings: Settings) -> StagedFile:
        staged.append(found.probe.path.name)
        return stage(con, found, settings)

    def changing_store(
        con: Any, file: StagedFile, settings: Settings, memory: Memory, **rest: Any
    ) -> Report:
        memory.n_changes += is_changed
        return store(con, file, settings, memory, **rest)

    monkeypatch.setattr(pipeline, "find_ahead", noted_bind)
    monkeypatch.setattr(pipeline, "stage", noted_stage)
    monkeypatch.setattr(pipeline, "store", changing_store)
    houses = []
    for name in ("ahead", "plain"):
        if name == "plain":
            n_bound, n_staged = len(bound), len(staged)
            _one_after_the_other(monkeypatch)
        path = tmp_path / f"{name}.duckdb"
        path.write_bytes(new_file.read_bytes())
        houses.append(QuickHouse(path, threads=2))
        outcomes = list(houses[-1].ingest_many(folder))
        assert [one.error for one in outcomes] == [None] * 12
    first, second = houses
    assert _facts(first) == _facts(second)
    assert len(_judgments(first)) == 12
    assert _judgments(first) == _judgments(second)
    # At the least those that are staged once the last answers are stored.
    assert n_bound >= 3
    assert len(bound) == n_bound, "one after the other, nothing is found ahead"
    # Something else was stored since: whatever was found ahead is found again.
    assert n_staged >= 12 + (n_bound if is_changed else 0)


def test_what_was_looked_up_holds_until_it_may_have_changed() -> None:
    memory, asked = Memory(), list[str]()

    def look(about: int, key: str) -> None:
        memory.once(about, key, lambda: asked.append(f"{about} {key}"))

    def look_at_all() -> list[str]:
        asked.clear()
        for about, key in ((ALL, "any"), (NAMES, "Birds"), (1, "datasets"), (2, "datasets")):
            look(about, key)
        return [*asked]

    assert look_at_all() == ["0 any", "-1 Birds", "1 datasets", "2 datasets"]
    assert look_at_all() == []
    # Questions of a benchmark came: the names and the other benchmark are what they were.
    memory.changed(1)
    assert look_at_all() == ["0 any", "1 datasets"]
    memory.changed()
    assert look_at_all() == ["0 any", "-1 Birds", "1 datasets", "2 datasets"]
    assert memory.n_changes == 2


def test_a_file_that_cannot_be_read_fails_in_its_turn(
    tmp_path: Path, house: Warehouse, staged: list[str]
) -> None:
    folder = tmp_path / "outputs"
    _answers(folder, "Ant", "Birds")
    wrong = _answers(folder, "Ant", "Fish")
    wrong.write_text(wrong.read_text().replace("\n2\t", "\n1\t"))
    _answers(folder, "Ant", "Trees")
    outcomes = list(house.ingest_many(folder))
    assert [one.file.path.name for one in outcomes] == [
        f"Ant_{x}.tsv" for x in ("Birds", "Fish", "Trees")
    ]
    assert [one.error is None for one in outcomes] == [True, False, True]
    assert "stands in rows 2 and 3" in str(outcomes[1].error)
    assert staged == ["Ant_Birds.tsv", "Ant_Fish.tsv", "Ant_Trees.tsv"]
    assert sorted(house.sql("SELECT name FROM main.benchmark")["name"]) == ["Birds", "Trees"]


def test_a_file_that_cannot_be_stored_leaves_the_next_as_it_is(
    tmp_path: Path, house: Warehouse
) -> None:
    folder = tmp_path / "outputs"
    _answers(folder, "Ant", "Birds")
    list(house.ingest_many(folder))
    # The same run with other content: refused when it is stored, with the next file staged.
    changed = _answers(folder, "Ant", "Birds")
    changed.write_text(changed.read_text().replace("\tYes\n", "\tMaybe\n"))
    _answers(folder, "Ant", "Trees")
    outcomes = {one.file.path.name: one for one in house.ingest_many(folder)}
    assert "other content" in str(outcomes["Ant_Birds.tsv"].error)
    assert outcomes["Ant_Trees.tsv"].error is None
    assert house.sql("SELECT count(*) AS n FROM main.prediction")["n"].to_list() == [2 * _N]


def test_a_file_that_vanishes_fails_alone(tmp_path: Path, house: Warehouse) -> None:
    folder = tmp_path / "outputs"
    for dataset in ("Birds", "Fish", "Trees"):
        _answers(folder, "Ant", dataset)
    last = folder / "Ant" / _LABEL / "Ant_Trees.tsv"

    def step(text: str) -> None:
        if "Fish" in text and "reading" in text:
            last.unlink()

    outcomes = list(house.ingest_many(folder, step=step))
    assert [one.error is None for one in outcomes] == [True, True, False]
    assert outcomes[2].file.path == last
    assert "No such file" in str(outcomes[2].error)


def test_questions_that_changed_are_compared_again(tmp_path: Path, house: Warehouse) -> None:
    folder = tmp_path / "outputs"
    _answers(folder, "Ant", "Birds")
    _answers(folder, "Bee", "Birds")
    _answers(folder, "Cat", "Birds", text="What else is on picture")
    outcomes = {one.file.path.name: one for one in house.ingest_many(folder)}
    said = {
        name: one.report.notes if one.report else str(one.error) for name, one in outcomes.items()
    }
    assert said["Ant_Birds.tsv"] == said["Bee_Birds.tsv"] == []
    assert said["Cat_Birds.tsv"], "the third file has other texts"


def test_with_one_thread_nothing_is_staged_ahead(
    tmp_path: Path, new_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a second connection, though --threads is 1")

    monkeypatch.setattr(ahead, "_prepared", refused)
    folder = tmp_path / "outputs"
    for dataset in ("Birds", "Trees"):
        _answers(folder, "Ant", dataset)
    path = tmp_path / "one.duckdb"
    path.write_bytes(new_file.read_bytes())
    house = Warehouse(path, threads=1)
    assert [one.error for one in house.ingest_many(folder)] == [None, None]
    assert house.sql("SELECT count(*) AS n FROM main.prediction")["n"].to_list() == [2 * _N]

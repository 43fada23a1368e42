"""Tasks and datasets that files call by other names: `--map`, and the error that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from tests.commands import run
from tests.oracle import Ask
from tests.tables import facts, question_rows, write_jsonl

_QUESTIONS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "A"}) for n in range(1, 4)]


@pytest.fixture
def own(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    house.ingest(write_jsonl(tmp_path / "own.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house


def _answers(path: Path, model: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"model,question_key,prediction\n{model},1,A\n{model},2,B\n", "utf-8")
    return path


def _kit(folder: Path, model: str, dataset: str) -> Path:
    path = folder / f"{model}_{dataset}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["index\tquestion\tA\tB\tprediction\thint"]
    lines += [f"{q.key}\tQ {q.key}\tcat {q.key}\tdog {q.key}\tA\t" for q in _QUESTIONS]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_an_unknown_task_is_named(own: Warehouse, tmp_path: Path) -> None:
    path = _kit(tmp_path / "vlm/T20260101-000000", "vlm", "Foo_DEV")
    before = facts(own.path)
    with pytest.raises(InputError) as caught:
        own.ingest(path)
    assert str(caught.value) == (
        f"{path}: no dataset is known by the name 'Foo_DEV'; --map Foo_DEV=DATASET says which one it "
        "is (the warehouse has Own)"
    )
    assert facts(own.path) == before
    # A benchmark of the warehouse's own is known by its name.
    (report,) = own.ingest(_kit(tmp_path / "vlm/T20260101-000000", "vlm", "Own"))
    assert report.datasets == ["Own"]


@pytest.mark.parametrize(
    "told", [{"Foo_DEV": "Own"}, {"Foo_DEV": "own"}, {"Foo": "Own", "Foo_DEV": "Own"}]
)
def test_a_task_by_another_name(own: Warehouse, tmp_path: Path, told: dict[str, str]) -> None:
    path = _kit(tmp_path / "vlm/T20260101-000000", "vlm", "Foo_DEV")
    (report,) = own.ingest(path, map=told)
    assert (report.datasets, report.models) == (["Own"], ["vlm"])
    assert "benchmark Own (--map)" in report.inferred
    assert own.ingest(path, map=told)[0].already
    # Another map for other tasks makes it no other run.
    assert own.ingest(path, map=told | {"Bar": "Own"})[0].already


def test_a_dataset_by_its_whole_name_and_the_first_part(house: Warehouse, tmp_path: Path) -> None:
    questions = write_jsonl(tmp_path / "q.jsonl", question_rows(_QUESTIONS))
    for split in ("dev", "test"):
        house.ingest(questions, benchmark="Own", version="2", split=split)
    path = _kit(tmp_path / "runs", "vlm", "Foo_test")
    with pytest.raises(InputError, match="no dataset is known by the name 'Foo_test'"):
        house.ingest(path, model="vlm")
    # Of two that it may be, the rest of the name tells which.
    (one,) = house.ingest(path, map={"Foo": "Own"}, run="one")
    (two,) = house.ingest(path, map={"Foo_test": "own/2/DEV"}, run="two")
    assert (one.datasets, two.datasets) == (["Own/2/test"], ["Own/2/dev"])
    with pytest.raises(InputError, match="could be of"):
        house.ingest(path, map={"Foo_test": "Own"}, run="three")
    with pytest.raises(InputError, match="there is no dataset Else"):
        house.ingest(_answers(tmp_path / "Foo_test.csv", "m"), map={"Foo_test": "Else"})


def test_questions_by_another_name(house: Warehouse, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "Foo_dev.jsonl", question_rows(_QUESTIONS))
    (report,) = house.ingest(path, map={"Foo": "MyBench"})
    assert report.datasets == ["MyBench/dev"]
    (said,) = house.ingest(_answers(tmp_path / "x/Foo_dev.csv", "m"), map={"Foo": "MyBench"})
    assert said.datasets == ["MyBench/dev"]


def test_map_on_the_command_line(own: Warehouse, tmp_path: Path) -> None:
    _kit(tmp_path / "out/vlm/T20260101-000000", "vlm", "Foo")
    _kit(tmp_path / "out/vlm/T20260101-000000", "vlm", "Bar")
    words = ("ingest", "out", "--db", own.path)
    done = run(*words, "--map", "Foo=Own", cwd=tmp_path)
    assert done.code == 1
    assert "1 loaded" in done.out
    assert "--map Bar=DATASET" in done.err
    for wrong, said in (
        (("--map", "Foo"), "--map is TASK=DATASET, not 'Foo'"),
        (("--map", "=Own"), "--map is TASK=DATASET"),
        (("--map", "Foo=Own", "--map", "Foo=Else"), "--map says both Own and Else for Foo"),
    ):
        refused = run(*words, *wrong, cwd=tmp_path)
        assert (refused.code, refused.out) == (2, "")
        assert said in refused.err

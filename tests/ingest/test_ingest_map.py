"""Tasks and datasets that files call by other names: `--map`, and the error that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from tests.commands import run
from tests.inspect_logs import header, sample, write
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
    # In a work dir of the model's it would be a benchmark of its own.
    path = _kit(tmp_path / "else", "vlm", "Foo_DEV")
    before = facts(own.path)
    with pytest.raises(InputError) as caught:
        own.ingest(path, model="vlm")
    assert str(caught.value) == (
        f"{path}: no dataset is known by the name 'Foo_DEV'; --map Foo_DEV=DATASET says which one it "
        "is, --map Foo_DEV=Foo_DEV makes one of that name (the warehouse has Own)"
    )
    assert facts(own.path) == before
    # A benchmark of the warehouse's own is known by its name.
    (report,) = own.ingest(_kit(tmp_path / "vlm/T20260101-000000", "vlm", "Own"))
    assert report.datasets == ["Own"]


@pytest.mark.parametrize(
    "entries", [{"Foo_DEV": "Own"}, {"Foo_DEV": "own"}, {"Foo": "Own", "Foo_DEV": "Own"}]
)
def test_a_task_by_another_name(own: Warehouse, tmp_path: Path, entries: dict[str, str]) -> None:
    path = _kit(tmp_path / "vlm/T20260101-000000", "vlm", "Foo_DEV")
    (report,) = own.ingest(path, map=entries)
    assert (report.datasets, report.models) == (["Own"], ["vlm"])
    assert "benchmark Own (--map)" in report.inferred
    assert own.ingest(path, map=entries)[0].already
    # Another map for other tasks makes it no other run.
    assert own.ingest(path, map=entries | {"Bar": "Own"})[0].already


def test_a_dataset_by_its_whole_name_and_the_first_part(house: Warehouse, tmp_path: Path) -> None:
    questions = write_jsonl(tmp_path / "q.jsonl", question_rows(_QUESTIONS))
    for split in ("dev", "test"):
        house.ingest(questions, benchmark="Own", version="2", split=split)
    path = _kit(tmp_path / "runs", "vlm", "Foo_test")
    with pytest.raises(InputError, match="no dataset is known by the name 'Foo_test'"):
        house.ingest(path, model="vlm")
    # Of two that it may be, the rest of the name decides.
    (one,) = house.ingest(path, map={"Foo": "Own"}, run="one")
    (two,) = house.ingest(path, map={"Foo_test": "own/2/DEV"}, run="two")
    assert (one.datasets, two.datasets) == (["Own/2/test"], ["Own/2/dev"])
    with pytest.raises(InputError, match="could be of"):
        house.ingest(path, map={"Foo_test": "Own"}, run="three")
    with pytest.raises(InputError, match="there is no dataset 'Else'"):
        house.ingest(_answers(tmp_path / "Foo_test.csv", "m"), map={"Foo_test": "Else"})


def test_questions_by_another_name(house: Warehouse, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "Foo_dev.jsonl", question_rows(_QUESTIONS))
    (report,) = house.ingest(path, map={"Foo": "MyBench"})
    assert report.datasets == ["MyBench/dev"]
    (said,) = house.ingest(_answers(tmp_path / "x/Foo_dev.csv", "m"), map={"Foo": "MyBench"})
    assert said.datasets == ["MyBench/dev"]


@pytest.mark.slow
def test_map_on_the_command_line(own: Warehouse, tmp_path: Path) -> None:
    _kit(tmp_path / "out/vlm/T20260101-000000", "vlm", "Foo")
    _kit(tmp_path / "out/other/T20260101-000000", "other", "Bar")
    words = ("ingest", "out", "--db", own.path)
    done = run(*words, "--map", "Foo=Own", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    # What no map names, and nobody has heard of, is a benchmark of its own.
    names = own.sql("SELECT name FROM main.benchmark ORDER BY name")["name"].to_list()
    assert names == ["Bar", "Own"]
    for wrong, said in (
        (("--map", "Foo"), "--map is TASK=DATASET, not 'Foo'"),
        (("--map", "=Own"), "--map is TASK=DATASET"),
        (("--map", "Foo=Own", "--map", "Foo=Else"), "--map says both Own and Else for Foo"),
    ):
        refused = run(*words, *wrong, cwd=tmp_path)
        assert (refused.code, refused.out) == (2, "")
        assert said in refused.err
    # A misspelt task is noted, and is no error; so for the files that it is not about.
    result = run(*words, "--map", "Foo=Own", "--map", "Bar=Own", "--map", "Baz=Own", cwd=tmp_path)
    assert (result.code, result.err) == (
        0,
        "note: --map Baz=Own: none of the files that were read calls its dataset so\n",
    )
    # What was read with the same map is not looked into again.
    again = run(*words, "--map", "Foo=Own", "--map", "Bar=Own", "--map", "Baz=Own", cwd=tmp_path)
    assert (again.code, again.err) == (0, "")


_SHOWN = ["cat", "dog"]


def _log(path: Path, **changes: object) -> Path:
    """Two questions; the first stands a second time with its choices turned."""
    samples = [
        sample(1, "A", choices=_SHOWN, target="A"),
        sample(1_000_001, "B", choices=_SHOWN[::-1], target="B"),
        sample(2, "A", choices=_SHOWN, target="B"),
    ]
    return write(path, samples, header(**changes))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("words", "words_task"),
        ("words", "words"),
        ("acme/words", "words"),
        ("acme/words", "acme/words"),
    ],
)
def test_an_inspect_log_by_another_name(
    house: Warehouse, tmp_path: Path, name: str, key: str
) -> None:
    path = _log(tmp_path / "log.eval", dataset={"name": name})
    (report,) = house.ingest(path, map={key: "MMBench_DEV_EN"})
    assert report.datasets == ["MMBench/dev/en"]
    assert "benchmark MMBench (--map)" in report.inferred
    # It is known here that MMBench's ids hold the pass.
    assert house.sql(
        "SELECT question_key, pass FROM main.question_pass JOIN main.question USING (question_id) ORDER BY 1, 2"
    ).rows() == [("1", 0), ("1", 1), ("2", 0)]


def test_an_inspect_log_of_a_dataset_that_is_here(own: Warehouse, tmp_path: Path) -> None:
    log = write(
        tmp_path / "log.json",
        [sample(n, "A", input=f"Q {n}", choices=[f"cat {n}", f"dog {n}"], target="A") for n in (1, 2, 3)],
        header(dataset={"name": "acme/words_dev"}),
    )  # fmt: skip
    (report,) = own.ingest(log, map={"words_dev": "own", "else": "Other"})
    assert (report.datasets, report.n_runs) == (["Own"], 1)
    # By the first part of its name, which the rest goes on from.
    (other,) = own.ingest(log, map={"words": "Mine"}, run="other")
    assert other.datasets == ["Mine/dev"]
    # Nothing given: what the log calls it.
    assert own.ingest(log, run="third")[0].datasets == ["words_dev"]

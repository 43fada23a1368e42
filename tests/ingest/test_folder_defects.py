"""What went wrong with real folders once: a table says which test holds each of them, and the rest is here."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.commands import run
from tests.conftest import ROOT
from tests.tables import facts

_DEFECTS = {
    "ordinary prediction files were refused": "test_vlmevalkit_field::test_every_prediction_file_of_a_run_loads",
    "templated questions halved another benchmark's score": "test_templated_questions_leave_a_score_alone",
    "the only benchmark in the warehouse took a folder's answers": (
        "test_vlmevalkit_field::test_answers_in_a_folder_bind_to_no_other_benchmark"
    ),
    "answers extended a dataset whose questions were known": "test_answers_do_not_extend_known_questions",
    "lists in a column were one text": "test_vlmevalkit_field::test_open_questions_and_lists",
    "lists were evaluated": "test_vlmevalkit_field::test_lists_are_read_and_never_evaluated",
    "questions without choices were refused": "test_vlmevalkit_field::test_open_questions_and_lists",
    "the report ended otherwise": "test_the_last_line_counts_what_became_of_each_file",
    "what is no result was a failure": "test_the_last_line_counts_what_became_of_each_file",
    "files of settings were failures": "test_files_of_settings_are_left",
    "a folder did not note what a file does": "test_a_folder_notes_what_a_file_notes",
}  # fmt: skip
_HEAD = "index\tquestion\tA\tB\tanswer\tprediction\n"
_MMBENCH = _HEAD + "1\tWhich animal?\tcat\tdog\tA\tA\n2\tWhich colour?\tred\tblue\tB\tB\n"
# The same numbers, other questions and answers: all of them wrong.
_TEMPLATED = (
    _HEAD + "1\tIs {a} left of {b}?\tyes\tno\tA\tB\n2\tIs {b} left of {a}?\tyes\tno\tB\tA\n"
)


@pytest.mark.parametrize("name", sorted(set(_DEFECTS.values())))
def test_each_defect_has_a_test(name: str) -> None:
    file, _, function = name.rpartition("::")
    (path,) = ROOT.glob(f"tests/*/{file}.py") if file else [Path(__file__)]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert function in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _score(house: Warehouse) -> list[tuple[str, float, int]]:
    return house.sql(
        "SELECT dataset, score, n FROM ability_score WHERE level = 'overall' AND strategy = 'vanilla' "
        "AND judge = 'none' AND average = 'micro' AND dataset LIKE 'MMBench%' ORDER BY 1"
    ).rows()  # type: ignore[return-value]


@pytest.mark.slow
@pytest.mark.parametrize(
    "templated", ["m1/m1_Templated.tsv", "m1/templated.tsv", "templated.jsonl"]
)
def test_templated_questions_leave_a_score_alone(
    house: Warehouse, tmp_path: Path, templated: str
) -> None:
    """MMBench's 100.00 became 50.00, with exit code 0."""
    folder = tmp_path / "out"
    _write(folder / "m1/m1_MMBench_DEV_EN.tsv", _MMBENCH)
    text = _TEMPLATED
    if templated.endswith(".jsonl"):
        text = "".join(
            f'{{"model": "m1", "index": {n}, "prediction": "{said}"}}\n'
            for n, said in ((1, "B"), (2, "A"), (3, "A"), (4, "B"))
        )
    _write(folder / templated, text)
    run("ingest", folder, "--db", house.path, cwd=tmp_path)
    assert _score(house) == [("MMBench/dev/en", 1.0, 2)]
    # Given again, now that it is the only benchmark in the warehouse.
    run("ingest", folder, "--db", house.path, cwd=tmp_path)
    assert _score(house) == [("MMBench/dev/en", 1.0, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("is_folder", [True, False])
def test_answers_do_not_extend_known_questions(
    house: Warehouse, tmp_path: Path, is_folder: bool
) -> None:
    questions = "".join(f"{line.rpartition(chr(9))[0]}\n" for line in _MMBENCH.splitlines())
    house.ingest(_write(tmp_path / "MMBench_DEV_EN.tsv", questions))
    before = facts(house.path)
    path = _write(
        tmp_path / "out/m1/m1_MMBench_DEV_EN.tsv",
        _MMBENCH + "3\tWhich shape?\tround\tsquare\tA\tA\n",
    )
    ended = run("ingest", path.parents[1] if is_folder else path, "--db", house.path, cwd=tmp_path)
    assert ended.code != 0
    assert "3" in ended.out + ended.err
    assert facts(house.path) == before
    # Without the question that it has not, the same file loads.
    _write(path, _MMBENCH)
    ended = run("ingest", path.parents[1] if is_folder else path, "--db", house.path, cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert _score(house) == [("MMBench/dev/en", 1.0, 2)]


def test_the_last_line_counts_what_became_of_each_file(house: Warehouse, tmp_path: Path) -> None:
    """A file of no harness is left, with its reason; one that is recognised and cannot be read failed."""
    folder = tmp_path / "out"
    _write(folder / "m1/m1_MMBench_DEV_EN.tsv", _MMBENCH)
    _write(folder / "m1/notes.txt", "to do: everything\n")
    _write(folder / "m1/config.json", '{"learning_rate": 0.1}\n')
    _write(
        folder / "m1/m1_Broken.tsv", _HEAD + "1\tWhich?\tx\ty\tA\tA\n1\tWhich other?\tx\ty\tB\tA\n"
    )
    ended = run("ingest", folder, "--db", house.path, cwd=tmp_path)
    lines = ended.out.splitlines()
    assert ended.code == 1
    assert lines[-1] == "4 files: 1 loaded (2 rows), 0 there already, 2 left, 1 failed"
    said = ended.out + ended.err
    for name in ("notes.txt", "config.json"):
        (line,) = [one for one in said.splitlines() if one.startswith("left:") and name in one]
        assert line.partition(f"{name}: ")[2]
    assert any("m1_Broken.tsv" in one and not one.startswith("left:") for one in said.splitlines())
    again = run("ingest", folder, "--db", house.path, cwd=tmp_path)
    assert (
        again.out.splitlines()[-1]
        == "4 files: 0 loaded (0 rows), 1 there already, 2 left, 1 failed"
    )


@pytest.mark.slow
def test_a_folder_notes_what_a_file_notes(house: Warehouse, tmp_path: Path) -> None:
    """What was inferred of a new benchmark is printed in both cases."""
    said = []
    for n, name in enumerate(("One", "Two")):
        path = _write(
            tmp_path / f"out{n}/m1/m1_{name}.tsv",
            "index\tcategory\tquestion\tanswer\tprediction\n"
            "1\teasy\tIs it?\tYes\tyes\n2\thard\tIs it not?\tNo\tyes\n",
        )
        given = path if n == 0 else path.parents[1]
        ended = run("ingest", given, "--db", house.path, cwd=tmp_path)
        assert ended.code == 0, ended.err
        said.append(" ".join((ended.out + ended.err).split()))
    for name, text in zip(("One", "Two"), said, strict=True):
        assert (
            f"benchmark {name} is new: open, vanilla; rule yes_no; its abilities from category"
            in text
        )


_SETTINGS = {
    "config": {"model": "vlm", "seed": 1, "args": {"batch": 1}},
    "args": {"model": "vlm", "name": "first", "log": {"level": "debug"}},
    "names": {"model": "vlm", "name": "first"},
    "groups": {"args": {"batch": 1}, "model": {"name": "vlm"}},
    "numbers": {"rate": 0.1, "steps": 100},
}


@pytest.mark.parametrize("indent", [None, 1])
def test_files_of_settings_are_left(house: Warehouse, tmp_path: Path, indent: int | None) -> None:
    for name, settings in _SETTINGS.items():
        for suffix in ("json", "yaml"):
            _write(tmp_path / f"out/{name}.{suffix}", json.dumps(settings, indent=indent))
    outcomes = list(house.ingest_many(tmp_path / "out"))
    assert [(one.error, one.report) for one in outcomes] == [(None, None)] * 10
    assert all(one.left for one in outcomes)


def test_one_answer_of_many_that_is_no_text_is_an_error(house: Warehouse, tmp_path: Path) -> None:
    answers = {f"v1_{n}": f"said {n}" for n in range(20)} | {"v1_20": {"said": 20}}
    path = _write(tmp_path / "out/vlm.json", json.dumps(answers, indent=1))
    (outcome,) = house.ingest_many(path.parent)
    assert "row 21, field v1_20" in str(outcome.error)

"""Verdicts that VLMEvalKit kept of other answers than a run has: they count for none, and are counted."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import Warehouse

_LABEL = "T20260301-120000"
_LONG = ("It is the tall one by the gate.", "Neither is shown, to my mind.", "The latter, I guess.")
_Rows = Sequence[Mapping[str, Any]]


def _write(path: Path, rows: _Rows) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if path.suffix == ".xlsx":
        frame.write_excel(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows)), encoding="utf-8")
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return path


def _answers(texts: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"index": n, "question": f"Which way is {n}?", "A": "left", "B": "right", "answer": "A",
         "category": "math", "prediction": text}
        for n, text in enumerate(texts)
    ]  # fmt: skip


def _work_dir(
    folder: Path, said: Mapping[int, str], now: Sequence[str] = _LONG, judge: str = "gpt-x"
) -> Path:
    """A work dir with answers, and with a judge's pickle of these logs."""
    here = folder / "m1" / _LABEL
    _write(here / "m1_MMStar.tsv", _answers(now))
    logs = {n: {"hit": int(log.endswith(" A. ")), "log": log} for n, log in said.items()}
    (here / f"m1_MMStar_{judge}_result.pkl").write_bytes(pickle.dumps(logs))
    return here


def _table(
    here: Path,
    kind: str,
    said: Mapping[int, str | None],
    then: Sequence[str],
    judge: str = "gpt-x",
) -> Path:
    """The table that VLMEvalKit wrote with the pickle, with the answers of then."""
    rows = [row | {"hit": 1, "log": said[row["index"]]} for row in _answers(then)]
    return _write(here / f"m1_MMStar_{judge}_result{kind}", rows)


def _alerts(house: Warehouse, *paths: Path) -> list[str]:
    found = list(house.ingest_many(*paths))
    assert [one.error for one in found if one.error] == []
    return [text for one in found if one.report for text in one.report.alerts]


def _said(house: Warehouse) -> list[tuple[str, str]]:
    """The replies of judges that are of answers that a run has."""
    return house.sql(
        "SELECT q.question_key, j.reply FROM main.judgment AS j JOIN subject AS s USING (subject_hash) "
        "JOIN main.question AS q ON s.question_id = q.question_id WHERE j.reply IS NOT NULL ORDER BY ALL"
    ).rows()


def _log(text: str) -> str:
    return f"Match Log: {text}. "


_LETTERS = {0: _log("A"), 1: _log("B"), 2: _log("A")}


@pytest.mark.parametrize("kind", [".xlsx", ".tsv", ".csv", ".json"])
def test_rules_read_other_answers(house: Warehouse, tmp_path: Path, kind: str) -> None:
    """The table next to the pickle shows that each log is the answer itself, and not a judge's."""
    here = _work_dir(tmp_path, _LETTERS)
    _table(here, kind, _LETTERS, "ABA")
    pickled = here / "m1_MMStar_gpt-x_result.pkl"
    assert _alerts(house, here / "m1_MMStar.tsv", pickled) == [
        "3 verdicts left out: rules gave them, of other answers than the run has"
    ]
    assert house.sql("SELECT count(*) FROM main.judge").item() == 0


@pytest.mark.parametrize("kind", [".xlsx", ".tsv", ".json"])
def test_a_judge_read_other_answers(house: Warehouse, tmp_path: Path, kind: str) -> None:
    """Its replies stay with the texts that it read; the one answer that is the same has its own."""
    here = _work_dir(tmp_path, _LETTERS)
    _table(here, kind, _LETTERS, ("an older text", "another older text", _LONG[2]))
    alerts = _alerts(house, tmp_path)
    assert [text.split(" are of ")[0] for text in alerts] == ["2 grades", "2 grades"]
    assert _said(house) == [("2", "A")]
    assert house.sql("SELECT count(*) FROM main.judgment").item() == 3


def test_a_table_of_no_judge(house: Warehouse, tmp_path: Path) -> None:
    """Where its log is blank, or that of rules, the pickle's is none of its verdicts."""
    here = _work_dir(tmp_path, _LETTERS)
    _table(here, ".tsv", {0: None, 1: _log(_LONG[1]), 2: _LETTERS[2]}, _LONG)
    pickled = here / "m1_MMStar_gpt-x_result.pkl"
    assert _alerts(house, here / "m1_MMStar.tsv", pickled) == [
        "2 verdicts left out: no judge gave it, as m1_MMStar_gpt-x_result.tsv says"
    ]
    assert _said(house) == [("2", "A")]


def test_a_table_that_agrees(house: Warehouse, tmp_path: Path) -> None:
    """What rules read of the run's own answers is a note and no more; a judge's replies count."""
    now = ("B", *_LONG[1:])
    logs = {0: _log("B"), 1: _log("B"), 2: _log("A")}
    here = _work_dir(tmp_path, logs, now)
    _table(here, ".xlsx", logs, now)
    assert _alerts(house, tmp_path) == []
    assert _said(house) == [("1", "B"), ("2", "A")]


def test_each_judge_has_its_own_table(house: Warehouse, tmp_path: Path) -> None:
    here = _work_dir(tmp_path, _LETTERS, judge="gpt-x")
    _work_dir(tmp_path, _LETTERS, judge="gpt-y")
    _table(here, ".tsv", _LETTERS, "ABA", judge="gpt-x")
    _table(here, ".tsv", _LETTERS, _LONG, judge="gpt-y")
    assert len(_alerts(house, tmp_path)) == 2
    assert house.sql("SELECT name FROM main.judge").rows() == [("gpt-y",)]


def test_a_pickle_alone(house: Warehouse, tmp_path: Path) -> None:
    """It is of the run's answers where one of its logs shows one."""
    here = _work_dir(tmp_path, {0: _log("B"), 1: _log("B"), 2: _log("A")}, ("B", *_LONG[1:]))
    assert _alerts(house, here) == []
    assert _said(house) == [("1", "B"), ("2", "A")]


def test_a_pickle_that_nothing_ties(house: Warehouse, tmp_path: Path) -> None:
    (alert,) = _alerts(house, _work_dir(tmp_path, _LETTERS))
    assert alert.startswith("3 verdicts left out: nothing says of which answers they are")
    assert _said(house) == []


def test_a_pickle_that_contradicts_answers(house: Warehouse, tmp_path: Path) -> None:
    """Rules read a bare letter, and would have logged it."""
    here = _work_dir(tmp_path, {0: _log("A"), 1: _log("B"), 2: _log("A")}, ("B", "A.", "A"))
    (alert,) = _alerts(house, here)
    assert alert.startswith("2 verdicts left out: nothing says of which answers they are")
    assert _said(house) == []


def test_the_user_says_whose_they_are(house: Warehouse, tmp_path: Path) -> None:
    here = _work_dir(tmp_path, _LETTERS)
    house.ingest(here / "m1_MMStar.tsv")
    (report,) = house.ingest(here / "m1_MMStar_gpt-x_result.pkl", run=_LABEL)
    assert report.alerts == []
    assert _said(house) == [("0", "A"), ("1", "B"), ("2", "A")]


def test_a_table_that_cannot_be_read(house: Warehouse, tmp_path: Path) -> None:
    """The pickle is read as if there were none; the table has an error of its own."""
    here = _work_dir(tmp_path, _LETTERS)
    (here / "m1_MMStar_gpt-x_result.xlsx").write_bytes(b"PK\x03\x04 cut off")
    found = {one.file.path.suffix: one for one in house.ingest_many(tmp_path)}
    assert found[".xlsx"].error is not None
    assert found[".pkl"].report is not None
    assert _said(house) == []


def test_grades_of_other_answers(house: Warehouse, tmp_path: Path) -> None:
    """MM-Vet's pickles have no texts at all: those of the table next to them hold."""
    questions = [
        {"index": f"v1_{n}", "question": f"What is {n}?", "answer": "a cat", "category": "rec"}
        for n in range(2)
    ]
    now = [row | {"prediction": f"{n}: a dog"} for n, row in enumerate(questions)]
    here = tmp_path / "m1" / _LABEL
    _write(here / "m1_MMVet.tsv", now)
    grades = {row["index"]: {"score": 1.0, "log": "Succeed"} for row in now}
    (here / "m1_MMVet_gpt-x.pkl").write_bytes(pickle.dumps(grades))
    then = [now[0], now[1] | {"prediction": "1: a cat"}]
    _write(here / "m1_MMVet_gpt-x.tsv", [row | {"score": 1.0, "log": "Succeed"} for row in then])
    (alert,) = _alerts(house, here / "m1_MMVet.tsv", here / "m1_MMVet_gpt-x.pkl")
    assert alert.startswith("1 grades are of answers that the run does not have")
    states = house.sql(
        "SELECT question_key, resolved_by FROM pass_result WHERE judge = 'gpt-x' ORDER BY ALL"
    )
    assert states.rows() == [("v1_0", "graded"), ("v1_1", "pending")]


def test_an_answer_extracted_from_another(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"index": n, "question": f"How many are {n}?", "answer": "5", "answer_type": "integer",
         "question_type": "free_form", "task": "counting", "skills": "['arithmetic']",
         "prediction": f"there are {n} and more"}
        for n in range(2)
    ]  # fmt: skip
    here = tmp_path / "m1" / _LABEL
    _write(here / "m1_MathVista_MINI.tsv", rows)
    said = {n: {"log": "Succeed", "res": "5"} for n in range(2)}
    (here / "m1_MathVista_MINI_gpt-x.pkl").write_bytes(pickle.dumps(said))
    then = [rows[0] | {"prediction": "five"}, rows[1]]
    _write(
        here / "m1_MathVista_MINI_gpt-x.tsv",
        [row | {"res": "5", "log": "Succeed"} for row in then],
    )
    (alert,) = _alerts(house, tmp_path)
    assert alert.startswith("1 grades are of answers that the run does not have")


@pytest.mark.slow
@pytest.mark.parametrize("case", "abcd")
def test_the_field_case(house: Warehouse, shared: Path, case: str) -> None:
    """In each folder the verdicts count for none, and a line says how many there were."""
    alerts = _alerts(house, shared / "field/14-stale" / case)
    assert alerts
    assert all(text.startswith("3 ") for text in alerts)
    scores = house.sql(
        "SELECT judge, n_pending, score_low FROM ability_score WHERE level = 'overall' "
        "AND average = 'micro' AND strategy = 'vanilla' ORDER BY ALL"
    ).rows()
    assert ("none", 0, 0.0) in scores
    assert scores == [("none", 0, 0.0)] + [("openai", 2, 0.0)] * (case == "d")

"""Imported judgments: what the files say is kept, bound to the run that was graded, by content."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import InputError, UsageError, Warehouse
from ingest.vlmevalkit import vlmevalkit_verdicts
from ingest.vlmevalkit.vlmevalkit_verdicts import Row, Said, Unread
from tests.tables import facts, write_jsonl
from warehouse import judges
from warehouse.connection import transaction
from warehouse.judgment import choice_extraction_hash, open_answer_hash

_CHOICES = {"A": "cat", "B": "dog"}
_ENTRY = {"question": "What?", "answer": "yes", "capability": ["ocr"]}


def _write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def _said(house: Warehouse) -> list[tuple[Any, ...]]:
    """Every judgment, but for its hash."""
    return house.sql(
        "SELECT m.name, j.name, g.judge_sample, g.attempt, g.reply, g.error FROM main.judgment AS g "
        "JOIN main.judge AS j USING (judge_id) JOIN main.run AS r USING (run_id) "
        "JOIN main.model AS m USING (model_id) ORDER BY g.judgment_id"
    ).rows()


def _unread(house: Warehouse, path: Path, words: str, **flags: Any) -> InputError:
    """The error of a file, which changes nothing."""
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path, **flags)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)
    assert facts(house.path) == before
    return caught.value


@pytest.fixture
def choice(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Two questions of the benchmark Own, and model m's answers to them."""
    rows = [
        {"question_key": key, "question": f"Q {key}", **_CHOICES, "answer": "A"} for key in "12"
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    said = [{"question_key": key, "prediction": f"hm {key}"} for key in "12"]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", said), benchmark="Own", model="m")
    return house


@pytest.fixture
def vet(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Two questions of MM-Vet, and model vlm's answers to them."""
    house.ingest(_write(tmp_path / "mm-vet.json", {"a": _ENTRY, "b": _ENTRY}))
    house.ingest(_write(tmp_path / "vlm.json", {"a": "so", "b": "no"}))
    return house


def _grades(**change: Any) -> dict[str, Any]:
    entry = {"model": ["gpt-4"] * 2, "content": ["0.5", "1.0"], "score": [0.5, 1.0]}
    return {"a": entry, "b": entry | change}


# MM-Vet's own files.


def test_the_grades_of_mmvet(house: Warehouse, shared: Path) -> None:
    real = shared / "real/mmvet"
    files = [
        real / f"{name}.json"
        for name in ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    ]
    report = house.ingest(*files)[-1]
    assert report.format == "mmvet_grades"
    assert report.loaded == [
        "judge gpt-4 (import, soft_score): 654 judgments, 218 subjects × 3 judge samples"
    ]
    assert report.notes == []
    judge = house.sql("SELECT name, task, kind, model, template, max_attempts FROM main.judge")
    assert judge.rows() == [("gpt-4", "soft_score", "import", "gpt-4", "unknown", 1)]
    totals = house.sql(
        "SELECT round(avg(CAST(reply AS DOUBLE)) * 100, 1) FROM main.judgment "
        "WHERE origin = 'import' AND run_id = 1 GROUP BY judge_sample ORDER BY judge_sample"
    )
    assert totals.to_series().to_list() == [31.2, 30.8, 31.2]
    assert house.sql("SELECT count(*) FROM main.judge_sample").item() == 3
    questions, answers = (json.loads(file.read_text("utf-8")) for file in files[:2])
    hashes = house.sql("SELECT DISTINCT subject_hash FROM main.judgment").to_series()
    assert set(hashes) == {
        open_answer_hash(entry["question"], [entry["answer"]], answers[key])
        for key, entry in questions.items()
    }
    before = facts(house.path)
    assert house.ingest(files[-1])[0].already
    assert facts(house.path) == before


def test_several_judges_in_one_grade_file(vet: Warehouse, tmp_path: Path) -> None:
    grades = _grades(model=["gpt-4o", "gpt-4"])
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", grades)
    assert "holds several judges" in str(_unread(vet, path, "--judge cannot", judge="J"))
    (report,) = vet.ingest(path)
    assert _said(vet) == [
        ("vlm", "gpt-4", 0, 0, "0.5", None),
        ("vlm", "gpt-4", 1, 0, "1.0", None),
        ("vlm", "gpt-4", 0, 0, "1.0", None),
        ("vlm", "gpt-4o", 0, 0, "0.5", None),
    ]
    assert len(report.loaded) == 2


def test_a_reply_that_is_not_what_the_score_says(vet: Warehouse, tmp_path: Path) -> None:
    path = _write(
        tmp_path / "vlm_gpt-4-grade-2runs.json", _grades(content=["I say 0.5", "1.0 or so"])
    )
    (report,) = vet.ingest(path, judge_template="mmvet, five shots")
    assert report.notes == ["1 score is not what the judge's reply begins with; replies hold"]
    assert "I say 0.5" in {row[4] for row in _said(vet)}
    assert vet.sql("SELECT template FROM main.judge").item() == "mmvet, five shots"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"content": ["0.5"]}, "content", "1 entry where model has 2"),
        ({"score": [0.5, 1.0, 0.0]}, "score", "3 entries where model has 2"),
        ({"score": [0.5, 1.5]}, "score", "1.5 is no score from 0 to 1"),
        ({"score": [0.5, float("nan")]}, "score", "nan is no score"),
        ({"score": [0.5, "1.0"]}, "score", "'1.0' is no score"),
        ({"score": [0.5, True]}, "score", "True is no score"),
        ({"score": 0.5}, "score", "is no list"),
        ({"model": ["gpt-4", ""]}, "model", "'' is no text"),
        ({"content": ["0.5", None]}, "content", "None is no text"),
    ],
)
def test_bad_grade_files(
    vet: Warehouse, tmp_path: Path, change: dict[str, Any], field: str, words: str
) -> None:
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades(**change))
    error = _unread(vet, path, words)
    assert (error.row, error.field) == (2, field)


def test_grades_of_what_is_not_there(vet: Warehouse, tmp_path: Path) -> None:
    strange = _grades() | {"c": _grades()["a"]}
    error = _unread(vet, _write(tmp_path / "vlm_gpt-4-grade-2runs.json", strange), "no question c")
    assert (error.row, error.field) == (3, "key")
    other = _write(tmp_path / "other_gpt-4-grade-2runs.json", _grades())
    _unread(vet, other, "there is no run of other on MM-Vet; ingest its predictions first")
    _unread(vet, other, "there is no run first of vlm on MM-Vet", model="vlm", run="first")
    _unread(vet, _write(tmp_path / "grades.json", _grades()), "does not contain the model")
    _unread(vet, other, "a benchmark of multiple choice", benchmark="MMBench")


def test_which_of_several_runs(vet: Warehouse, tmp_path: Path) -> None:
    vet.ingest(_write(tmp_path / "second/vlm.json", {"a": "so", "b": "yes"}), run="second")
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades())
    _unread(vet, path, "vlm has several runs on MM-Vet (vlm, second); say which with --run LABEL")
    vet.ingest(path, run="second")
    vet.ingest(_write(path, _grades(content=["0.5", "0.7"])), run="vlm")
    # Both runs said `so` to a; each keeps what it was given.
    kept = vet.sql(
        "SELECT run_id, count(*), count(DISTINCT subject_hash) FROM main.judgment GROUP BY 1 ORDER BY 1"
    )
    assert kept.rows() == [(1, 4, 2), (2, 4, 2)]
    assert vet.sql("SELECT count(DISTINCT subject_hash) FROM main.judgment").item() == 3


def test_the_same_and_other_grades_again(vet: Warehouse, tmp_path: Path) -> None:
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades())
    vet.ingest(path)
    assert vet.ingest(path)[0].already
    more = _grades() | {
        "a": {"model": ["gpt-4"] * 3, "content": ["0.5", "1.0", "0.2"], "score": [0.5, 1, 0.2]}
    }
    (report,) = vet.ingest(_write(path, more))
    assert report.notes == ["4 grades left out: they are there already, word for word"]
    error = _unread(
        vet, _write(path, _grades(content=["0.5", "0.9"])), "with '1.0', and says '0.9'"
    )
    assert (error.row, error.field) == (2, "content")
    vet.ingest(path, judge="gpt-4, again")
    assert vet.sql("SELECT name FROM main.judge ORDER BY judge_id")["name"].to_list() == [
        "gpt-4",
        "gpt-4, again",
    ]


def test_a_run_that_took_anothers_place(vet: Warehouse, tmp_path: Path) -> None:
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades())
    vet.ingest(path)
    vet.ingest(_write(tmp_path / "vlm.json", {"a": "so", "b": "maybe"}), replace=True)
    (report,) = vet.ingest(path)
    assert not report.already
    assert vet.sql("SELECT run_id, count(*) FROM main.judgment GROUP BY 1 ORDER BY 1").rows() == [
        (1, 4),
        (2, 4),
    ]
    assert vet.ingest(path)[0].already
    # The file does not hold the texts, so they are those that it graded first: `no`, not `maybe`.
    assert "2 grades are of answers that the run does not have" in str(report.notes)
    subjects = vet.sql("SELECT DISTINCT run_id, subject_hash FROM main.judgment ORDER BY 1, 2")
    first, second = ({h for r, h in subjects.rows() if r == run} for run in (1, 2))
    assert first == second
    assert open_answer_hash("What?", ["yes"], "maybe") not in first
    pending = vet.sql("SELECT question_key FROM question_result WHERE score IS NULL")
    assert pending["question_key"].to_list() == ["b"]


def test_a_judge_of_our_own_has_the_name(vet: Warehouse, tmp_path: Path) -> None:
    with vet.writing() as con, transaction(con):
        judges.register(con, judges.Judge("gpt-4", "soft_score", "llm", model="gpt-4"), source_id=1)
    path = _write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades())
    (report,) = vet.ingest(path)
    assert report.notes == ["the judge is named gpt-4 (imported) here: gpt-4 is another one"]
    more = _write(tmp_path / "again/vlm_gpt-4-grade-2runs.json", {"a": _grades()["a"]})
    assert "2 grades left out" in str(vet.ingest(more)[0].notes)
    assert vet.sql("SELECT count(*) FROM main.judge").item() == 2
    with vet.writing() as con:
        judges.retract(con, "gpt-4 (imported)")
    (report,) = vet.ingest(path)
    assert not report.already


# People, and caches of any origin.


def test_a_persons_labels(choice: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("question_key,verdict\n1,B\n2, X \n", encoding="utf-8")
    _unread(choice, path, "model")
    (report,) = choice.ingest(path, model="m", judge="annotator-1")
    assert report.format == "judgments"
    judge = choice.sql("SELECT name, task, kind, template, max_attempts FROM main.judge")
    assert judge.rows() == [("annotator-1", "choice_extraction", "human", "unknown", 1)]
    rows = choice.sql(
        "SELECT subject_hash, reply, labels, origin, run_id, log FROM main.judgment ORDER BY 1"
    )
    assert rows.rows() == sorted(
        (choice_extraction_hash(f"Q {key}", _CHOICES, f"hm {key}"), reply, ["A", "B", "X"], "human", 1, None)
        for key, reply in (("1", "B"), ("2", "X"))
    )  # fmt: skip
    assert choice.ingest(path, model="m", judge="annotator-1")[0].already
    assert not choice.ingest(path, model="m", judge="annotator-2")[0].already


def test_a_cache_of_replies(choice: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"question_key": "1", "model": "m", "judge": "x", "judge_sample": 0, "reply": "I think B"},
        {"question_key": "1", "model": "m", "judge": "x", "judge_sample": 1, "reply": ""},
        {"question_key": "2", "model": "m", "judge": "y", "judge_sample": 0, "reply": "A"},
    ]
    choice.ingest(write_jsonl(tmp_path / "cache.jsonl", rows))
    assert _said(choice) == [
        ("m", "x", 0, 0, "I think B", None),
        ("m", "x", 1, 0, "", None),
        ("m", "y", 0, 0, "A", None),
    ]
    assert set(choice.sql("SELECT kind FROM main.judge")["kind"]) == {"import"}
    samples = choice.sql(
        "SELECT j.name, count(*) FROM main.judge_sample JOIN main.judge AS j USING (judge_id) GROUP BY 1 ORDER BY 1"
    )
    assert samples.rows() == [("x", 2), ("y", 1)]


def test_samples_are_those_of_the_file(choice: Warehouse, tmp_path: Path) -> None:
    """A file may count them from 1; none that it does not hold is waited for."""
    rows = [
        {"question_key": key, "model": "m", "judge_sample": number, "verdict": "A"}
        for key in "12"
        for number in (1, 3)
    ]
    (report,) = choice.ingest(write_jsonl(tmp_path / "l.jsonl", rows), judge="p")
    assert report.loaded[0].endswith("4 judgments, 2 subjects × 2 judge samples")
    samples = choice.sql("SELECT judge_sample FROM main.judge_sample ORDER BY 1")
    assert samples["judge_sample"].to_list() == [1, 3]
    scores = choice.sql("SELECT score FROM leaderboard WHERE judge = 'p' AND level = 'overall'")
    assert set(scores["score"]) == {1.0}


def test_labels_of_text_that_changed(choice: Warehouse, tmp_path: Path) -> None:
    """White space and case are a spreadsheet's; anything else is another subject."""
    rows = [
        {"question_key": "1", "verdict": "A", "prediction": "HM  1_x000D_"},
        {"question_key": "2", "verdict": "A", "prediction": "hm two"},
    ]
    (report,) = choice.ingest(write_jsonl(tmp_path / "l.jsonl", rows), model="m", judge="p")
    assert report.notes == [
        "1 grades are of answers that the run does not have (any more); they are kept, and count for "
        "no answer of it"
    ]
    hashes = choice.sql("SELECT subject_hash FROM main.judgment ORDER BY judgment_id").to_series()
    assert hashes.to_list() == [
        choice_extraction_hash("Q 1", _CHOICES, "hm 1"),
        choice_extraction_hash("Q 2", _CHOICES, "hm two"),
    ]


def test_labels_of_answers_that_are_not_there(choice: Warehouse, tmp_path: Path) -> None:
    rows = [{"question_key": "1", "verdict": "A", "sample": 3}]
    (report,) = choice.ingest(write_jsonl(tmp_path / "l.jsonl", rows), model="m", judge="p")
    assert report.notes == ["1 grades left out: the run has no answer there, or a blank one"]
    assert _said(choice) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "field", "words"),
    [
        ({"verdict": "C"}, "verdict", "'C' is no choice of question 1"),
        ({"verdict": "a"}, "verdict", "'a' is no choice"),
        ({"verdict": " "}, "verdict", "is empty"),
        ({"verdict": "A", "pass": 1}, "pass", "pass 1 of question 1 is out of range"),
        ({"verdict": "A", "judge_sample": -1}, "judge_sample", "'-1'"),
        ({"verdict": "A", "question_key": "9"}, "question_key", "no question 9"),
        ({"verdict": "A", "model": "z"}, "model", "no run of z"),
    ],
)
def test_bad_labels(
    choice: Warehouse, tmp_path: Path, row: dict[str, Any], field: str, words: str
) -> None:
    good = {"question_key": "2", "model": "m", "verdict": "B"}
    path = write_jsonl(tmp_path / "l.jsonl", [good, {"question_key": "1", "model": "m"} | row])
    error = _unread(choice, path, words, judge="p")
    assert (error.row, error.field) == (2, field)


def test_labels_that_do_not_say_enough(choice: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("question_key,verdict\n1,A\n", encoding="utf-8")
    error = _unread(choice, path, "give it with --judge NAME", model="m")
    assert (error.row, error.field) == (1, "judge")
    path.write_text("question_key,verdict\n1,A\n1,B\n", encoding="utf-8")
    error = _unread(choice, path, "rows 1 and 2 with different values", model="m", judge="p")
    assert (error.row, error.field) == (2, "question_key")
    path.write_text("question_key,verdict,reply\n1,A,B\n", encoding="utf-8")
    error = _unread(choice, path, "one or the other", model="m", judge="p")
    assert (error.row, error.field) == (0, "reply")
    with pytest.raises(UsageError, match="--judge is for files of judgments"):
        choice.ingest(tmp_path / "m.jsonl", model="m", judge="p")
    with pytest.raises(UsageError, match="--judge cannot be blank"):
        choice.ingest(path, judge=" ")
    with pytest.raises(UsageError, match="--judge cannot be none"):
        choice.ingest(path, model="m", judge="none")


def test_scores_and_marks_of_people(vet: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    flags = {"model": "vlm", "judge": "p"}
    path.write_text("question_key,verdict\na,0.5\nb,1\n", encoding="utf-8")
    vet.ingest(path, **flags)
    path.write_text("question_key,verdict\na,5\nb,4.0\n", encoding="utf-8")
    error = _unread(vet, path, "'5' is no score from 0 to 1", **flags)
    assert (error.row, error.field) == (1, "verdict")
    vet.ingest(path, task="mark", **flags)
    assert vet.sql("SELECT name, task FROM main.judge ORDER BY judge_id").rows() == [
        ("p", "soft_score"),
        ("p mark", "mark"),
    ]
    assert [row[4] for row in _said(vet)] == ["0.5", "1", "5", "4"]
    # What a view would not read as a number is no score, rather than pending for ever.
    for wrong in ("5e-1", "+0.5", "00.5", "1.2", "nan"):
        path.write_text(f"question_key,verdict\na,{wrong}\n", encoding="utf-8")
        error = _unread(vet, path, "is no score from 0 to 1", **flags)
        assert (error.row, error.field) == (1, "verdict")
    for wrong in ("0", "6", "2.5", "good", "nan"):
        path.write_text(f"question_key,verdict\na,{wrong}\n", encoding="utf-8")
        error = _unread(vet, path, "is no mark, a whole number from 1 to 5", task="mark", **flags)
        assert (error.row, error.field) == (1, "verdict")
    with pytest.raises(UsageError, match="--task mark does not fit"):
        vet.ingest(_write(tmp_path / "vlm_gpt-4-grade-2runs.json", _grades()), task="mark")


# lmms-eval.


def test_samples_of_lmms_eval(house: Warehouse, shared: Path) -> None:
    folders = [shared / f"formats/lmms_out/acme__vlm-{name}" for name in "AB"]
    files = [next(folder.glob("*_samples_mmvet.jsonl")) for folder in folders]
    reports = house.ingest(*files)
    assert {report.format for report in reports} == {"lmms_mmvet"}
    runs = house.sql(
        "SELECT m.name, r.label, CAST(r.produced_at AS VARCHAR), r.harness FROM main.run AS r JOIN "
        "main.model AS m USING (model_id) ORDER BY r.run_id"
    )
    assert runs.rows() == [
        ("acme/vlm-A", "20261121_211019", "2026-11-21 21:10:19", "lmms-eval"),
        ("acme/vlm-B", "20261121_211023", "2026-11-21 21:10:23", "lmms-eval"),
    ]
    assert house.sql("SELECT count(*) FROM main.question").item() == 6
    assert house.sql("SELECT count(*) FROM main.reference_answer").item() == 6
    said = [row for row in _said(house) if row[0] == "acme/vlm-A"]
    assert [row[4] for row in said] == ["0.4", "1.0", "1.0", "0.0", "0.5", "0.0"]
    assert {row[1] for row in said} == {"gpt-4o-2024-11-20"}
    before = facts(house.path)
    assert all(report.already for report in house.ingest(*files))
    assert facts(house.path) == before


# VLMEvalKit.


def _example(shared: Path, model: str) -> Path:
    return shared / f"formats/vlmevalkit/examples/outputs/{model}/T20260101-000000"


@pytest.fixture
def kit(house: Warehouse, shared: Path) -> Callable[..., Warehouse]:
    """The examples' questions, and the predictions of one model."""

    def make(model: str, *datasets: str) -> Warehouse:
        for dataset in datasets:
            data = shared / f"formats/vlmevalkit/examples/LMUData/{dataset}.tsv"
            house.ingest(data, _example(shared, model) / f"{model}_{dataset}.xlsx")
        return house

    return make


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["xlsx", "pkl"])
def test_verdicts_of_a_judge(kit: Callable[..., Warehouse], shared: Path, suffix: str) -> None:
    house = kit("judged-vlm", "MMBench_EX", "SEEDBench_EX", "MMVet_EX")
    folder = _example(shared, "judged-vlm")
    names = ["MMBench_EX_gpt-4o-mini_result", "SEEDBench_EX_gpt-4o-mini_result", "MMVet_EX_gpt-4-turbo"]  # fmt: skip
    reports = house.ingest(*(folder / f"judged-vlm_{name}.{suffix}" for name in names))
    wanted = {"xlsx": "vlmevalkit_results", "pkl": "vlmevalkit_pickle"}[suffix]
    assert {report.format for report in reports} == {wanted}
    assert [(row[1], *row[3:]) for row in _said(house)] == [
        ("gpt-4o-mini", 0, "B", None),
        ("gpt-4o-mini", 0, "A", None),
        ("gpt-4o-mini", 0, "C", None),
        ("gpt-4o-mini", 0, "C", None),
        ("gpt-4o-mini", 0, "A", None),
        ("gpt-4-turbo", 0, "0.5", None),
        ("gpt-4-turbo", 0, "0.1", None),
        ("gpt-4-turbo", 0, "1.0", None),
        ("gpt-4-turbo", 0, "1.0", None),
        ("gpt-4-turbo", 0, "1.0", None),
    ]
    assert reports[0].notes == [
        "1 verdict left out: rules gave it, no judge was called",
        "3 letters are right ones from circular logs, which do not say whether they were drawn at random",
    ]
    # Every verdict is of an answer that the run has and the rules of field_v1 leave open, too.
    house.install_release("field_v1")
    open_subjects = set(house.sql("SELECT subject_hash FROM field_v1.subject").to_series())
    stored = house.sql(
        "SELECT subject_hash FROM main.judgment WHERE labels IS NOT NULL"
    ).to_series()
    assert set(stored) == open_subjects
    assert house.sql("SELECT name, max_attempts FROM main.judge ORDER BY 1").rows() == [
        ("gpt-4-turbo", 5),
        ("gpt-4o-mini", 1),
    ]
    # The other file of the pair says the same.
    other = {"xlsx": "pkl", "pkl": "xlsx"}[suffix]
    before = house.sql("SELECT * FROM main.judgment").rows()
    house.ingest(*(folder / f"judged-vlm_{name}.{other}" for name in names))
    assert house.sql("SELECT * FROM main.judgment").rows() == before


@pytest.mark.parametrize("suffix", ["xlsx", "pkl"])
def test_stale_verdicts_stay_with_the_old_text(
    kit: Callable[..., Warehouse], shared: Path, suffix: str
) -> None:
    house = kit("stale-vlm", "MMBench_EX")
    path = _example(shared, "stale-vlm") / f"stale-vlm_MMBench_EX_gpt-4o-mini_result.{suffix}"
    (report,) = house.ingest(path)
    assert report.notes[-1].startswith("3 grades are of answers that the run does not have")
    now = set(house.sql("SELECT subject_hash FROM subject").to_series())
    kept = house.sql("SELECT subject_hash, run_id FROM main.judgment")
    assert kept.height == 3
    assert now.isdisjoint(kept["subject_hash"])
    old = choice_extraction_hash(
        "What style is this image?",
        {"A": "photo", "B": "oil painting", "C": "sketch"},
        "It is a kind of artwork made with brushes",
    )
    assert old in set(kept["subject_hash"])


@pytest.mark.parametrize("model", ["missing-vlm", "rules-vlm"])
def test_no_judge_had_a_part_in_it(kit: Callable[..., Warehouse], shared: Path, model: str) -> None:
    house = kit(model, "MMBench_EX")
    for suffix in ("xlsx", "pkl"):
        path = _example(shared, model) / f"{model}_MMBench_EX_exact_matching_result.{suffix}"
        (report,) = house.ingest(path)
        assert report.notes == [
            "nothing to import: no judge had a part in it, rules matched the answers"
        ]
        assert house.ingest(path)[0].already
    assert house.sql("SELECT count(*) FROM main.judge").item() == 0
    assert house.sql("SELECT count(*) FROM main.judgment").item() == 0


@pytest.mark.parametrize("suffix", ["xlsx", "pkl"])
def test_a_judge_that_was_down(kit: Callable[..., Warehouse], shared: Path, suffix: str) -> None:
    house = kit("judgedown-vlm", "SEEDBench_EX")
    name = f"judgedown-vlm_SEEDBench_EX_gpt-4o-mini_result.{suffix}"
    (report,) = house.ingest(_example(shared, "judgedown-vlm") / name)
    assert report.notes == [
        "4 verdicts left out: rules gave them, no judge was called",
        "2 verdicts left out: the judge was down, or there was none",
    ]
    assert _said(house) == []


@pytest.mark.parametrize("suffix", ["xlsx", "pkl"])
def test_grades_that_failed(kit: Callable[..., Warehouse], shared: Path, suffix: str) -> None:
    house = kit("unparsed-vlm", "MMVet_EX")
    path = _example(shared, "unparsed-vlm") / f"unparsed-vlm_MMVet_EX_gpt-4-turbo.{suffix}"
    (report,) = house.ingest(path)
    assert report.notes == ["5 calls had failed; they are kept as failed, without a grade"]
    down = "Failed to obtain answer via API."
    assert [row[3:] for row in _said(house)] == [
        (0, "0.5", None),
        *((attempt, "Score: 0.5", None) for attempt in range(5)),
        *((attempt, None, down) for attempt in range(5)),
        (0, "1.0", None),
        (0, "1.0", None),
    ]


@pytest.mark.parametrize("suffix", ["xlsx", "pkl"])
def test_a_grade_that_is_nan(kit: Callable[..., Warehouse], shared: Path, suffix: str) -> None:
    house = kit("nan-vlm", "MMVet_EX")
    house.ingest(_example(shared, "nan-vlm") / f"nan-vlm_MMVet_EX_gpt-4-turbo.{suffix}")
    assert [row[4] for row in _said(house)] == ["0.5", "0.1", "1.0", "nan", "1.0"]


def _result(house: Warehouse, path: Path, logs: list[dict[str, Any]], **flags: Any) -> Any:
    frame = pl.DataFrame(logs, infer_schema_length=None)
    frame.write_csv(path, separator="\t")
    return house.ingest(path, **({"benchmark": "Own", "model": "m"} | flags))[0]


def test_random_letters_are_random(choice: Warehouse, tmp_path: Path) -> None:
    drawn = "Match Log: Failed to predict, thus randomly generate one. . "
    logs = [
        {"index": 1, "prediction": "hm 1", "hit": 1, "log": drawn},
        {"index": 2, "prediction": "hm 2", "hit": 0, "log": "Match Log: Z. "},
    ]
    report = _result(choice, tmp_path / "m_Own_gpt_result.tsv", logs)
    assert report.notes == [
        "1 letter was drawn at random; it is kept as a judgment without a reply, with its hit"
    ]
    assert _said(choice) == [("m", "gpt", 0, 0, None, None), ("m", "gpt", 0, 0, "Z", None)]
    assert choice.sql("SELECT log FROM main.judgment ORDER BY 1")["log"].to_list()[0] == drawn
    # Z is what VLMEvalKit's judges are to say for none of the choices.
    verdicts = choice.sql("SELECT verdict, state FROM verdict ORDER BY judgment_id")
    assert verdicts.rows() == [(None, "unparsable"), ("X", "ok")]
    results = choice.sql(
        "SELECT resolved_by, predicted, score FROM pass_result WHERE judge = 'gpt' AND question_key = '2'"
    )
    assert results.rows() == [("judge", "X", 0.0)]


def test_a_label_of_the_work_dir(choice: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "m/T20260101-000000"
    folder.mkdir(parents=True)
    said = [{"question_key": key, "prediction": f"hm {key}"} for key in "12"]
    choice.ingest(write_jsonl(folder / "p.jsonl", said), benchmark="Own", model="m")
    logs = [{"index": 1, "hit": 1, "log": "Match Log: A. "}]
    _result(choice, folder / "m_Own_openai_result.tsv", logs)
    assert choice.sql("SELECT run_id FROM main.judgment").item() == 2
    assert _said(choice)[0][1] == "openai"
    with pytest.raises(InputError, match="several runs"):
        _result(choice, tmp_path / "m_Own_openai_result.tsv", logs)


def test_a_work_dir_whose_run_is_not_there(choice: Warehouse, tmp_path: Path) -> None:
    """Its verdicts are of other answers than those of another work dir."""
    here, there = (tmp_path / f"vlm/T2026010{day}-000000" for day in (1, 2))
    said = [{"question_key": "1", "prediction": "hm 1"}]
    for folder in (here, there):
        folder.mkdir(parents=True)
    choice.ingest(write_jsonl(here / "p.jsonl", said), benchmark="Own", model="vlm")
    path = there / "vlm_Own_gpt_result.pkl"
    path.write_bytes(pickle.dumps({1: {"hit": 1, "log": "Match Log: A. "}}))
    _unread(choice, path, "work dir of run T20260102-000000 of vlm, which is not here")
    choice.ingest(path, run=here.name)
    assert _said(choice) == [("vlm", "gpt", 0, 0, "A", None)]


def test_bad_result_files(choice: Warehouse, vet: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "m_Own_gpt_result.tsv"
    with pytest.raises(InputError, match="'x' is no whole number") as caught:
        _result(choice, path, [{"index": "x", "hit": 1, "log": "Match Log: A. "}])
    assert (caught.value.row, caught.value.field) == (1, "index")
    with pytest.raises(InputError, match="no question 7") as caught:
        _result(choice, path, [{"index": 7, "hit": 1, "log": "Match Log: A. "}])
    assert (caught.value.row, caught.value.field) == (1, "index")
    with pytest.raises(InputError, match=r"'1\.5' is no score") as caught:
        _result(
            vet,
            tmp_path / "vlm_MMVet_gpt.tsv",
            [{"index": "a", "score": 1.5, "log": "Succeed"}],
            benchmark="MMVet",
            model="vlm",
        )
    assert (caught.value.row, caught.value.field) == (1, "score")
    with pytest.raises(InputError, match="a benchmark of multiple choice"):
        _result(choice, path, [{"index": "1", "score": 1, "log": "Succeed"}])
    report = _result(choice, path, [{"index": 1, "hit": 1, "log": "who knows"}])
    assert report.notes[0].startswith("1 verdict left out: its log does not say")
    bad = tmp_path / "m_Own_gpt_result.pkl"
    bad.write_bytes(pickle.dumps({"x": {"hit": 1, "log": "Match Log: A. "}}))
    error = _unread(choice, bad, "'x' is no whole number", model="m", benchmark="Own")
    assert (error.row, error.field) == (1, "key")


def test_a_result_file_asked_for_as_predictions(
    kit: Callable[..., Warehouse], shared: Path, tmp_path: Path
) -> None:
    house = kit("judged-vlm", "MMBench_EX")
    name = "judged-vlm_MMBench_EX_gpt-4o-mini_result.xlsx"
    path = _example(shared, "judged-vlm") / name
    _unread(house, path, "the format vlmevalkit_results", format="vlmevalkit")
    # Alone in another folder the datasets tell where the judge's name begins.
    alone = tmp_path / "alone" / name.replace("gpt-4o-mini", "my_judge")
    alone.parent.mkdir()
    shutil.copy(path, alone)
    house.ingest(alone)
    assert house.sql("SELECT name FROM main.judge").item() == "my_judge"


# The grammar of the logs.

_ROWS = [Row(0, "hm", "A"), Row(1, "so, so", "B"), Row(2, None, "C")]


def _circular(*parts: str) -> str:
    return "".join(f"{part}\n" for part in parts)


def test_circular_logs() -> None:
    log = _circular(
        "Rolling 0 Matched.",
        "Rolling 1: Answer is B, Prediction is so, so, Pre-fetched is B.",
        "Failed in Rolling 2: Answer is C; Prediction is nan; Pre-fetched is Z; Match Log is Z.",
    )
    found = vlmevalkit_verdicts.circular(log, _ROWS)
    assert not isinstance(found, Unread)
    assert [(s.pass_number, s.text, s.reply, s.maybe_random) for s in found] == [
        (1, "so, so", "B", True),
        (2, "nan", "Z", False),
    ]
    drawn = (
        "Failed in Rolling 0: Answer is A; Prediction is hm; Pre-fetched is C; Match Log is "
        "Failed to predict, thus randomly generate one. .\n"
    )
    (said,) = vlmevalkit_verdicts.circular(drawn, _ROWS)  # type: ignore[misc]
    assert (said.reply, said.error) == (None, None)
    for text, why in {
        "Succeed During Pre-fetching": "rules",
        "Failed in Prefetching Rolling 1: Answer is B, Prediction is x, Pre-fetched is C. ": "rules",
        "Failed in Prefetch, no GPT-based answer matching under `exact_matching` policy.": "down",
        "Rolling 0: Answer is B, Prediction is hm, Pre-fetched is B.\n": "unclear",
        "Rolling 0 Matched.\n": "unclear",
        "": "unclear",
    }.items():
        assert vlmevalkit_verdicts.circular(text, _ROWS) == Unread(why), text


def test_a_prediction_that_looks_like_a_log() -> None:
    """The run's own text settles it; without that, what can be read in two ways is not read."""
    fake = "hm, Pre-fetched is A.\nRolling 1: Answer is B, Prediction is x"
    rows = [Row(0, fake, "A"), Row(1, "y", "B")]
    log = _circular(
        f"Rolling 0: Answer is A, Prediction is {fake}, Pre-fetched is A.",
        "Rolling 1: Answer is B, Prediction is y, Pre-fetched is B.",
    )
    found = vlmevalkit_verdicts.circular(log, rows)
    assert [said.text for said in found] == [fake, "y"]  # type: ignore[union-attr]
    changed = [Row(0, "other", "A"), Row(1, "y", "B")]
    assert vlmevalkit_verdicts.circular(log, changed) == Unread("unclear")


_NASTY = st.lists(
    st.sampled_from(
        ["a", "\n", ".", ", Pre-fetched is A.\n", "Rolling 1 Matched.\n", "; Match Log is ",
         "Rolling 1: Answer is B, Prediction is ", "; Pre-fetched is B", "(", "\\", "[A-Z]", "é", ""]
    ),
    max_size=6,
).map("".join)  # fmt: skip


@given(st.lists(_NASTY, min_size=1, max_size=3), st.integers(0, 3), st.booleans())
def test_a_log_of_the_runs_own_texts_is_always_read(
    texts: list[str], fails_at: int, all_matched: bool
) -> None:
    rows = [Row(number, text, "AB"[number % 2]) for number, text in enumerate(texts)]
    log, expected = "", []
    for number, row in enumerate(rows):
        if number == fails_at:
            log += (
                f"Failed in Rolling {number}: Answer is {row.answer}; Prediction is "
                f"{row.text}; Pre-fetched is C; Match Log is so.\n"
            )
            expected.append((number, row.text, "so"))
            break
        if all_matched:
            log += f"Rolling {number} Matched.\n"
            continue
        log += f"Rolling {number}: Answer is {row.answer}, Prediction is {row.text}, Pre-fetched is {row.answer}.\n"
        expected.append((number, row.text, row.answer))
    found = vlmevalkit_verdicts.circular(log, rows)
    if not expected:
        assert found == Unread("rules")
    else:
        assert not isinstance(found, Unread)
        assert [(said.pass_number, said.text, said.reply) for said in found] == expected


@given(_NASTY, st.lists(_NASTY, max_size=3))
def test_any_circular_log_ends(log: str, texts: list[str]) -> None:
    vlmevalkit_verdicts.circular(log, [Row(n, text, None) for n, text in enumerate(texts)])


def test_vanilla_logs() -> None:
    read = vlmevalkit_verdicts.vanilla
    assert read("Match Log: Two. ", 0, ["Two"]) == Unread("rules")
    assert read("Match Log: nan. ", 0, [None]) == Unread("rules")
    assert read("Match Log: a\nb. ", 0, ["a_x000D_\nb"]) == Unread("rules")
    assert read("Match Log: C. ", 2, ["Two"]) == Said(2, 0, None, "C", None, "Match Log: C. ")
    assert read("no log", 0, []) == Unread("unclear")


def test_logs_of_soft_scores() -> None:
    log = (
        "Try 0: output is five, failed to parse.\nTry 1: output is 5, invalid score: 5.0.\nSucceed"
    )
    found = vlmevalkit_verdicts.graded(log, "0.4")
    assert [(s.attempt, s.reply, s.error) for s in found] == [  # type: ignore[union-attr]
        (0, "five", None),
        (1, "5", None),
        (2, "0.4", None),
    ]
    assert vlmevalkit_verdicts.graded("All 5 retries failed.\n", "0") == Unread("unclear")
    assert vlmevalkit_verdicts.graded("", "0.5") == Unread("unclear")
    many = "".join(f"Try {n}: output is x, failed to parse.\n" for n in range(5000))
    assert vlmevalkit_verdicts.graded(many, "0") == Unread("unclear")

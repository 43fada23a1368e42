"""What two warehouses say otherwise: it still counts after a merge, or is noted, or is a conflict."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.tables import facts, question_rows, register_judge, write_jsonl
from tests.warehouse.test_merge import _QUESTIONS, _answers, _conflicts, _merge, _own, _say, _sound
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.judgment import choice_extraction_hash

pytestmark = pytest.mark.long


@pytest.fixture
def pair(make_house: Callable[[str], Warehouse], tmp_path: Path) -> tuple[Warehouse, Warehouse]:
    """Two warehouses that know the same questions."""
    return _own(make_house("here"), tmp_path), _own(make_house("there"), tmp_path)


def _verdicts(house: Warehouse, path: Path, lines: str, judge: str = "Ann") -> bool:
    """Ingest a person's verdicts on alpha; whether they were there already."""
    path.write_text(f"question_key,verdict\n{lines}", "utf-8")
    (report,) = house.ingest(path, benchmark="Own", model="alpha", judge=judge)
    return report.already


def _call(house: Warehouse, judge_id: int, subject_hash: str, reply: str) -> None:
    """What a judge said of a subject, for all runs that have it."""
    one = judges.Judgment(subject_hash, reply, labels=("A", "B", "X"))
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("calls", "-", 0, "test", 1, {}, 1))
        judges.store(con, judge_id, [one], source_id=source_id)


def test_verdicts_on_what_is_spelled_otherwise(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Every verdict that counts there counts here, though a subject's hash is of raw texts."""
    here = _own(make_house("here"), tmp_path, {"A": "4"})
    there = make_house("there")
    rows = question_rows(_QUESTIONS)
    rows[3] |= {"A": "4.0"}
    respelled = [row | {"question": "Q  1"} if row["question_key"] == "1" else row for row in rows]
    there.ingest(write_jsonl(tmp_path / "t.jsonl", respelled), benchmark="Own")
    _say(there, tmp_path, _answers("alpha", "hm"))
    judge = register_judge(there, "J")
    _call(there, judge, choice_extraction_hash("Q 2", {"A": "4.0", "B": "dog 2"}, "hm"), "B")
    _call(there, judge, choice_extraction_hash("Q  1", _QUESTIONS[0].choices[0], "hm"), "A")
    _call(there, judge, choice_extraction_hash("Q 3", _QUESTIONS[2].choices[0], "hm"), "A")
    _verdicts(there, tmp_path / "ann.csv", "1,A\n2,B\n")
    query = (
        "SELECT judge, question_key, pass, predicted FROM pass_result WHERE resolved_by = 'judge' "
        "AND judge <> 'none' ORDER BY ALL"
    )
    before = there.sql(query).rows()
    assert {row[0] for row in before} == {"Ann", "J"}
    notes = _merge(here, there).notes
    assert notes == [
        "spelled otherwise there, and those here hold: 1 question text, 1 choice",
        "3 judgments of what is spelled otherwise there hold for the spelling here",
    ]
    _sound(here)
    assert here.sql(query).rows() == before
    assert _merge(here, there).counts["new_judgments"] == 0


def test_verdicts_where_references_are_spelled_otherwise(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    here, there = make_house("here"), make_house("there")
    for house, text in ((here, "4"), (there, "4.0")):
        rows = [{"question_key": "1", "question": "How many?", "reference": text}]
        house.ingest(write_jsonl(tmp_path / f"{text}.jsonl", rows), benchmark="Words")
    said = [{"question_key": "1", "prediction": "four"}]
    there.ingest(write_jsonl(tmp_path / "m.jsonl", said), model="m", benchmark="Words")
    grade = [{"question_key": "1", "verdict": "0.5", "judge": "Ann"}]
    there.ingest(write_jsonl(tmp_path / "g.jsonl", grade), model="m", benchmark="Words")
    query = "SELECT judge, score FROM leaderboard WHERE level = 'overall'"
    assert there.sql(query).rows() == [("Ann", 0.5)]
    assert _merge(here, there).notes[0].endswith(": 1 reference")
    _sound(here)
    assert here.sql(query).rows() == [("Ann", 0.5)]


def test_a_judge_that_is_retracted_here_alone(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    for house, letter in zip(pair, "AB", strict=True):
        _say(house, tmp_path, _answers("alpha", "hm"))
        _verdicts(house, tmp_path / f"{letter}.csv", f"1,{letter}\n")
    with here.writing() as con:
        judges.retract(con, "Ann")
    assert _conflicts(here, there) == [
        "judge Ann: counts there and is retracted here; `evalhouse judges rename` gives one of them "
        "another name"
    ]
    with here.writing() as con:
        judges.rename(con, "Ann", "Ann, retracted")
    assert _merge(here, there).counts["new_judgments"] == 1
    _sound(here)
    said = here.sql("SELECT DISTINCT judge, predicted FROM pass_result WHERE resolved_by = 'judge'")
    assert said.rows() == [("Ann", "B")]
    assert _merge(here, there).counts["new_judgments"] == 0


def test_verdicts_that_stay_there_can_be_ingested(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    for house in pair:
        _say(house, tmp_path, _answers("alpha", "hm"))
    _verdicts(here, tmp_path / "one.csv", "1,A\n")
    _verdicts(there, tmp_path / "two.csv", "2,A\n3,A\n")
    with there.writing() as con:
        judges.retract(con, "Ann")
    merged = _merge(here, there)
    assert merged.notes == [
        "judge Ann: is retracted there and counts here; 2 judgments are left there"
    ]
    assert merged.counts["new_judgments"] == 0
    assert merged.counts["new_sources"] == 1  # the questions, from another path
    _sound(here)
    assert not _verdicts(here, tmp_path / "two.csv", "2,A\n3,A\n")
    assert here.sql("SELECT count(*) FROM main.judgment").item() == 3


def test_a_run_that_was_taken_out_here_can_be_ingested(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    one, other = (write_jsonl(tmp_path / f"{n}.jsonl", _answers("alpha")) for n in (1, 2))
    here.ingest(one, benchmark="Own", run="r")
    there.ingest(other, benchmark="Own", run="r")
    here.retract_run(1)
    _merge(here, there)
    _sound(here)
    (report,) = here.ingest(other, benchmark="Own", run="r")
    assert not report.already
    assert here.sql("SELECT run_id FROM current_run").rows() == [(2,)]


def test_a_file_with_its_questions_can_be_ingested(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    """VLMEvalKit's predictions carry their questions, which both sides know."""
    here, there = make_house("here"), make_house("there")
    paths = []
    for house in (here, there):
        path = tmp_path / house.path.stem / "synth-vlm-00_MMBench_SYN.xlsx"
        path.parent.mkdir()
        shutil.copy(shared / "formats/vlmevalkit/mixed600" / path.name, path)
        house.ingest(path, run="r")
        paths.append(path)
    for run_id in here.sql("SELECT run_id FROM current_run")["run_id"]:
        here.retract_run(run_id)
    assert _merge(here, there).counts["new_sources"] == 0
    _sound(here)
    (report,) = here.ingest(paths[1], run="r")
    assert not report.already
    assert here.sql("SELECT count(*) FROM current_run").item() > 0


def test_a_run_that_was_renamed_is_the_same_run(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    _say(there, tmp_path, _answers("alpha"))
    _merge(here, there)
    here.rename_run(1, label="better", model="beta")
    for one, other in ((here, there), (there, here)):
        merged = _merge(one, other)
        assert (merged.counts["new_runs"], merged.counts["same_runs"]) == (0, 1)
        assert len(merged.notes) == 1
    assert _merge(here, there).notes == [
        "run r of alpha on Own: is run better of beta here; its name here holds"
    ]
    # Who has the run under both names keeps two.
    _say(there, tmp_path, _answers("beta"), run="better")
    assert _merge(here, there).counts["new_runs"] == 1
    _sound(here)
    assert _merge(here, there).counts["new_runs"] == 0


def test_runs_that_were_taken_out_there(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    for house in pair:
        _say(house, tmp_path, _answers("alpha"))
    there.retract_run(1)
    note = "run r of alpha on Own: is out of the views there, and counts here"
    assert _merge(here, there).notes == [note]
    # One that counts again there, though it was taken out once.
    _say(there, tmp_path, _answers("alpha"))
    assert _merge(here, there).notes == []


def test_what_no_score_rests_on(make_house: Callable[[str], Warehouse], tmp_path: Path) -> None:
    """Attributes, images and facts of models that differ are noted, and those here stay."""
    here, there = make_house("here"), make_house("there")
    for house, word in ((here, "web"), (there, "book")):
        rows = [
            row | {"source": word, "hint": "4" if word == "web" else "4.0"}
            for row in question_rows(_QUESTIONS)
        ]
        house.ingest(write_jsonl(tmp_path / f"{word}.jsonl", rows), benchmark="Own")
        _say(house, tmp_path, _answers("alpha"))
        (tmp_path / "m.csv").write_text(f"name,family\nalpha,{word}\n", "utf-8")
        house.ingest(tmp_path / "m.csv")
        with house.writing() as con:
            con.execute("INSERT INTO main.question_image SELECT 1, 0, sha256(?), 1", [word])
    before = facts(here.path)
    assert _merge(here, there).notes == [
        "4 attributes of questions are others there, as source of question 1 of Own: web here, book "
        "there; those here hold",
        "1 question has other images there, as question 1 of Own; those here hold",
        "the facts of 1 model are others there, as of alpha; those here hold",
    ]
    after = facts(here.path)
    for table in ("question_attribute", "question_image", "model_fact"):
        assert after[table] == before[table]


@pytest.mark.parametrize(
    ("answer", "score", "problem"),
    [
        ("C", "A", "answer C"),
        ("B", "D", "score D"),
        ("B", "A", None),
    ],
)
def test_answers_that_are_no_choice_of_the_other(
    make_house: Callable[[str], Warehouse], tmp_path: Path, answer: str, score: str, problem: str | None
) -> None:  # fmt: skip
    """Known by its id alone, a question has assumed choices; the texts show that it has two."""
    result = {"question_id": "101669", "prediction": "A", "gt_answer": answer}
    results = write_jsonl(tmp_path / "SEED-Bench.m.jsonl", [result])
    full_row = {"question_key": "101669", "question": "Q", "A": "cat", "B": "dog"}
    bare, full = make_house("bare"), make_house("full")
    bare.ingest(results, benchmark="SEED-Bench", model="m")
    with bare.writing() as con:
        con.execute(
            "INSERT INTO main.choice_score SELECT run_id, question_id, 0, 0, 'answer', ?, 1, NULL, NULL "
            "FROM main.run, main.question",
            [score],
        )
    full.ingest(write_jsonl(tmp_path / "q.jsonl", [full_row]), benchmark="SEED-Bench")
    place = "question 101669 of SEED-Bench: pass 0 has the"
    if problem is None:
        _merge(full, bare)
        _sound(full)
        return
    assert _conflicts(full, bare) == [f"{place} {problem} there, and no such choice here"]
    assert _conflicts(bare, full) == [f"{place} {problem} here, and no such choice there"]

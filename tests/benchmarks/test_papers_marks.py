"""Answers in words: exact match, MMBench's Tables 3 and 7, MM-Vet's Table 9, against plain Python."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from tests.conftest import ROOT
from tests.queries.test_graded import OpenAsk, add_judge, add_judgments, add_open
from tests.tables import write_jsonl
from warehouse import judges, sources
from warehouse.connection import transaction

pytestmark = pytest.mark.all_releases


def plain(text: str) -> str:
    """Exact match's normal form, written again in Python: lower case, single spaces, one full stop off the end."""
    words = " ".join(text.lower().split())
    return words[:-1].rstrip() if words.endswith(".") else words


def matches(text: str, references: list[str]) -> bool:
    wanted = [part for reference in references for part in reference.split("<OR>")]
    return plain(text) in [plain(part) for part in wanted]


@pytest.fixture(scope="module")
def macros(empty_file: Path) -> Any:
    import duckdb

    with duckdb.connect(str(empty_file), read_only=True) as con:
        yield con


@settings(max_examples=150, deadline=None)
@given(st.text("aB. \t\n\u3000İΣ<OR>|'\"", max_size=12) | st.text(max_size=8))
def test_the_normal_form(macros: Any, text: str) -> None:
    if "\x00" in text:
        return
    ((found,),) = macros.execute("SELECT field_v2.plain_answer(?)", [text]).fetchall()
    assert found == plain(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "references", "is_match"),
    [
        ("Yes.", ["yes"], True),
        (" A  cat\n", ["dog", "a CAT."], True),
        ("cat", ["a cat"], False),
        ("yes..", ["yes"], False),
        ("STOP .", ["stop"], True),
        ("5/4", ["1.25<OR>>=1.25<OR>5/4"], True),
        ("-1", ["-1<AND>-5"], False),
        ("", ["."], False),
        ("yes", [], None),
    ],
)
def test_exact_match_by_hand(
    house: Warehouse, said: str, references: list[str], is_match: bool | None
) -> None:
    add_open(house, [OpenAsk("1", references)], {"m": {("1", 0): (said, False)}})
    found = house.sql("SELECT score, state, prediction, n_references FROM exact_match").rows()
    score = None if is_match is None else float(is_match)
    assert found == [(score, "open" if said else "blank", said, len(references))]


_SAID = ["yes", "Yes.", "no", "it is a cat", "a cat", "", None, "Failed to obtain answer via API."]


def _answered(answers: dict[tuple[str, int], tuple[str | None, bool]], key: str, n: int) -> bool:
    text, failed = answers.get((key, n), (None, True))
    return not failed and not (text and "Failed to obtain" in text)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_table_3_and_7_against_plain_python(house: Warehouse, seed: int) -> None:
    pick = random.Random(seed)
    asks = {
        name: [OpenAsk(f"{n}", pick.choice(lists), question=f"{name} {n}") for n in range(10)]
        for name, lists in (
            ("One", [["yes"]]),
            ("List", [["yes", "aye"], ["a cat", "cat", "it is a cat"]]),
            ("Mixed", [["yes"], ["cat", "a cat"], ["no<OR>a cat"]]),
        )
    }
    said: dict[str, Any] = {}
    runs: list[tuple[str, str]] = []
    for name, questions in asks.items():
        said[name] = {
            f"{model} of {name}": {
                (q.key, n): (pick.choice(_SAID), pick.random() < 0.05)
                for q in questions
                for n in range(n_samples)
                if q.key == "0" or pick.random() < 0.9
            }
            for model, n_samples in (("a", 1), ("b", 2))
        }
        runs += [(name, model) for model in add_open(house, questions, said[name], benchmark=name)]
    add_open(house, [OpenAsk("1")], {"c": {("1", 0): ("yes", False)}}, benchmark="Unmarked")
    marks: dict[tuple[str, str], list[int]] = {}
    for judge, n_samples in (("J", 1), ("K", 2)):
        judge_id = add_judge(house, judge, "mark")
        judged = []
        for name, questions in asks.items():
            texts = {t for answers in said[name].values() for t, _ in answers.values() if t}
            for q in questions:
                for text in sorted(texts):
                    if pick.random() < 0.8 and not (judge == "K" and name == "One"):
                        given_marks = [pick.randrange(1, 6) for _ in range(n_samples)]
                        marks[judge, q.subject(text)] = given_marks
                        judged += [
                            judges.Judgment(q.subject(text), f"{m}/5", judge_sample=n)
                            for n, m in enumerate(given_marks)
                        ]
        add_judgments(house, judge_id, judged)

    table3, table7 = set(), set()
    for name, model in runs:
        answers = said[name][model]
        n_samples = 1 + max(n for _, n in answers)
        for judge in ("J", "K"):
            if judge == "K" and name == "One":
                continue
            of_kind: dict[str, list[OpenAsk]] = {
                "all": asks[name],
                "one": [q for q in asks[name] if len(q.references) == 1],
                "list": [q for q in asks[name] if len(q.references) > 1],
            }
            figures: list[Any] = []
            n_answered = 0
            for kind, questions in of_kind.items():
                scores, given_means = [], []
                for q in questions:
                    states = [_answered(answers, q.key, n) for n in range(n_samples)]
                    hits = []
                    for n in range(n_samples):
                        text = answers.get((q.key, n), (None, True))[0] or ""
                        is_open = states[n] and bool(text.split())
                        hits.append(is_open and matches(text, list(q.references)))
                        mark = marks.get((judge, q.subject(text))) if is_open else None
                        if mark:
                            given_means.append(fmean(mark))
                            if kind == "all" and fmean(mark) >= 4 and not hits[-1]:
                                listed = " | ".join(sorted(q.references))
                                table7.add((name, judge, model, q.text, listed, text, n, fmean(mark)))  # fmt: skip
                    if all(states):
                        scores.append(fmean(hits))
                        n_answered += kind == "all"
                figures += [
                    round(100 * fmean(scores), 9) if scores else None,
                    round(fmean(given_means), 9) if given_means else None,
                    len(given_means) if questions else None,
                ]
            table3.add((name, judge, model, *figures, 10, 10.0 * n_answered))
    found = house.sql(
        "SELECT dataset, judge, model, round(accuracy, 9), round(mean_mark, 9), n_marked, round(accuracy_one, 9), "
        "round(mean_mark_one, 9), n_marked_one, round(accuracy_list, 9), round(mean_mark_list, 9), n_marked_list, "
        "n, coverage FROM mmbench_t3"
    )
    assert found.height == len(table3) == 10
    assert set(found.iter_rows()) == table3
    cases = house.sql(
        "SELECT dataset, judge, model, question, references_text, prediction, sample, mark FROM mmbench_t7"
    )
    assert cases.height == len(table7) > 0
    assert set(cases.iter_rows()) == table7


def test_from_files_to_table_3(house: Warehouse, tmp_path: Path) -> None:
    """Questions with one reference and with a list, predictions, and a person's marks."""
    questions = [
        {"question_key": "1", "question": "q1", "references": ["cat"]},
        {"question_key": "2", "question": "q2", "references": ["dog", "a dog"]},
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="OK-VQA")
    said = [{"question_key": "1", "prediction": "A cat"}, {"question_key": "2", "prediction": "A dog."}]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="OK-VQA", model="m")
    marks = tmp_path / "marks.csv"
    marks.write_text("question_key,verdict\n1,4\n2,5\n", encoding="utf-8")
    house.ingest(marks, benchmark="OK-VQA", model="m", judge="ann", task="mark")
    rows = house.sql(
        "SELECT judge, accuracy, mean_mark, n_marked, accuracy_one, accuracy_list FROM mmbench_t3"
    )
    assert rows.rows() == [("ann", 50.0, 4.5, 2, 0.0, 100.0)]
    cases = house.sql("SELECT question, references_text, prediction, mark FROM mmbench_t7").rows()
    assert cases == [("q1", "cat", "A cat", 4.0)]
    # A newer run takes its place in the tables.
    house.ingest(write_jsonl(tmp_path / "p2.jsonl", said[1:]), benchmark="OK-VQA", model="m", run="2")  # fmt: skip
    (row,) = house.sql("SELECT accuracy, accuracy_one, n_marked, coverage, run_id FROM mmbench_t3").rows()  # fmt: skip
    assert row[:4] == (100.0, None, 1, 50.0)


def test_mmvets_table_9(house: Warehouse) -> None:
    """Evaluators against two persons, per dataset and model; keyword matching is one of them."""
    pick = random.Random(5)
    asks = {
        name: [OpenAsk(f"{n}", ("a<AND>b", "c")[n % 2 :][:1], question=f"{name} {n}") for n in range(9)]
        for name in ("X", "Y")
    }  # fmt: skip
    texts = ["a", "a and b", "c", "none"]
    subjects: dict[str, dict[str, tuple[OpenAsk, str]]] = {}
    by_model: dict[tuple[str, str], list[str]] = {}
    for name, questions in asks.items():
        said = {
            f"{model} {name}": {(q.key, 0): (pick.choice(texts), False) for q in questions}
            for model in ("m", "n")
        }
        add_open(house, questions, said, benchmark=name)
        by_model |= {
            (name, model): [q.subject(answers[q.key, 0][0]) for q in questions]
            for model, answers in said.items()
        }
        subjects[name] = {
            q.subject(answers[q.key, 0][0]): (q, answers[q.key, 0][0])
            for answers in said.values()
            for q in questions
        }
    scores: dict[str, dict[str, float]] = {}
    for judge, kind, n_samples in (("ann", "human", 1), ("bob", "human", 1), ("gpt", "llm", 3)):
        with house.writing() as con, transaction(con):
            source = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
            judge_id = judges.register(con, judges.Judge(judge, "soft_score", kind), source_id=source)  # fmt: skip
        judged = []
        for name in asks:
            for subject in subjects[name]:
                if pick.random() < 0.8 and not (judge == "bob" and name == "Y"):
                    said = [pick.randrange(11) / 10 for _ in range(n_samples)]
                    scores.setdefault(judge, {})[subject] = fmean(said)
                    judged += [
                        judges.Judgment(subject, str(one), judge_sample=n)
                        for n, one in enumerate(said)
                    ]
        add_judgments(house, judge_id, judged)
    scores["keyword"] = {}
    for of_dataset in subjects.values():
        for subject, (question, text) in of_dataset.items():
            parts = question.references[0].split("<AND>")
            scores["keyword"][subject] = fmean(part in text for part in parts)
    wanted = set()
    for (name, model), answered in by_model.items():
        for person in ("ann", "bob"):
            for evaluator, of_judge in scores.items():
                both = [s for s in answered if s in scores[person] and s in of_judge]
                if evaluator != person and both:
                    delta = fmean(abs(of_judge[s] - scores[person][s]) for s in both)
                    wanted.add((name, person, model, evaluator, len(both), round(delta, 9)))
    found = house.sql(
        "SELECT dataset, reference_judge, model, evaluator, n, round(delta, 9) FROM mmvet_t9"
    )
    assert set(found.iter_rows()) == wanted
    assert found.height == len(wanted) == 16


@pytest.mark.parametrize("file", ["mmbench_marks", "mmvet_evaluators"])
def test_what_is_printed_is_there(house: Warehouse, file: str) -> None:
    """Every column that the descriptions name is one of the view's."""
    entries = tomllib.loads((ROOT / f"queries/papers/{file}.toml").read_text(encoding="utf-8"))
    for view, entry in entries.items():
        columns = set(house.sql(f"SELECT * FROM {view}").columns)
        named = {term.split()[0] for term in entry["order"]} | set(entry.get("digits_of", {}))
        named |= set(entry.get("headings", {})) | set(entry.get("hidden", []))
        named |= {entry["section"]} if "section" in entry else set()
        assert named <= columns, view
        assert ("judge" in columns) == ("task" in entry)
        assert "dataset" in columns

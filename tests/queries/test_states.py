"""Every state of an answer, under several judges, against the definitions retold in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from hashlib import md5
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.oracle import Ask, JudgeReplies, Score, pass_state, question_scores
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_TEXTS = [
    "A", "B.", "(C)", "D", "The answer is B", "hmm", "it is the cat", "A cat", "A or B", "", "  ",
    None, "Failed to obtain answer via API.", "no idea, C or D", "dog", "X",
]  # fmt: skip
_REPLIES = ["A", "B.", "(C)", "D", "X", "none of these", "A or B", ""]


def made_questions(pick: random.Random, n: int) -> list[Ask]:
    questions = []
    for number in range(n):
        labels = "ABCD"[: pick.randrange(2, 5)]
        n_passes = pick.randrange(1, len(labels) + 1)
        hidden = number % 7 == 6
        questions.append(
            Ask(
                str(number),
                {p: {label: f"choice {label} {p}" for label in labels} for p in range(n_passes)},
                {p: None if hidden else pick.choice(labels) for p in range(n_passes)},
            )
        )
    return questions


def drawn(question: Ask, step: int, sample: int, model: str, run: str, dataset: str) -> str:
    """The random fallback's label, as the definitions have it."""

    def code(text: str) -> str:
        return text.encode().hex().upper()

    content = (
        f"draw/1,{code(dataset)},{code(question.key)},{step},{sample},{code(model)},{code(run)},0"
    )
    labels = [*sorted(question.choices[step]), "X"]
    return labels[int(md5(content.encode()).hexdigest()[:7], 16) % len(labels)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_state_against_the_oracle(house: Warehouse, tmp_path: Path, seed: int) -> None:
    pick = random.Random(seed)
    questions = made_questions(pick, 60)
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    rows = []
    said: dict[tuple[str, int], dict[tuple[str, int], tuple[str | None, bool]]] = {}
    for model, n_samples in (("one", 1), ("two", 3)):
        for sample in range(n_samples):
            answered = said.setdefault((model, sample), {})
            for question in questions:
                for step in question.choices:
                    # The first answer exists, so that the sample does.
                    if pick.random() < 0.1 and question.key != "0":
                        continue
                    # Mostly right, so that there is something for a judge to decide.
                    right = question.answers[step] or "A"
                    text = right if pick.random() < 0.6 else pick.choice(_TEXTS)
                    failed = pick.random() < 0.03
                    answered[question.key, step] = (text, failed)
                    rows.append(
                        {
                            "model": model,
                            "question_key": question.key,
                            "pass": step,
                            "sample": sample,
                            "prediction": text,
                            "failed": failed,
                        }
                    )
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="Own", run="r1")

    judges: dict[str, JudgeReplies | None] = {"none": None}
    for name, max_attempts, share in (("eager", 1, 1.0), ("lazy", 2, 0.5), ("silent", 3, 0.0)):
        judge_id = register_judge(house, name, max_attempts=max_attempts)
        known = judges[name] = JudgeReplies(max_attempts=max_attempts)
        subjects = {
            (key, step, text)
            for answered in said.values()
            for (key, step), (text, _) in answered.items()
            if text is not None and text.strip()
        }
        by_key = {question.key: question for question in questions}
        given: list[tuple[Ask, int, str, str | list[str | None] | None]] = []
        for key, step, text in sorted(subjects):
            if pick.random() >= share:
                continue
            n = pick.randrange(1, max_attempts + 1)
            replies: list[str | None] = [pick.choice([*_REPLIES, None]) for _ in range(n)]
            given.append((by_key[key], step, text, replies))
            labels = [*by_key[key].choices[step], "X"]
            # A failed call is no attempt that came back.
            known.replies[key, step, text] = [
                _label(reply, labels) for reply in replies if reply is not None
            ]
        add_replies(house, judge_id, given)

    expected_passes = {}
    sums: dict[tuple[str, str, str, str], list[Score]] = {}
    for (model, sample), answered in said.items():
        for judge, judge_replies in judges.items():
            for question in questions:
                states = {}
                for step in question.choices:
                    resolved_by, predicted = pass_state(question, step, answered, judge_replies)
                    if resolved_by == "random":
                        predicted = drawn(question, step, sample, model, "r1", "Own")
                    states[step] = (resolved_by, predicted)
                    answer = question.answers[step]
                    score = (
                        None
                        if answer is None or resolved_by == "pending"
                        else float(predicted == answer)
                    )
                    key = (model, sample, judge, question.key, step)
                    expected_passes[key] = (resolved_by, predicted, score)
                for strategy, result in question_scores(question, states).items():
                    sums.setdefault((model, judge, question.key, strategy), []).append(result)
    found = house.sql(
        "SELECT model, sample, judge, question_key, pass, resolved_by, predicted, score "
        "FROM pass_result"
    )
    assert {row[:5]: row[5:] for row in found.iter_rows()} == expected_passes
    assert {state for state, _, _ in expected_passes.values()} == {
        "rule", "judge", "random", "unresolved", "pending", "missing",
    }  # fmt: skip

    results = house.sql(
        "SELECT model, judge, question_key, strategy, score_low, score_high, score, n_missing, "
        "n_pending, n_fallback FROM question_result"
    )
    assert results.height == len(sums)
    for row in results.iter_rows():
        scores = sums[row[:4]]
        low, high = _mean([s.low for s in scores]), _mean([s.high for s in scores])
        assert row[4] == pytest.approx(low, abs=1e-12), row
        assert row[5] == pytest.approx(high, abs=1e-12), row
        assert row[6] == (pytest.approx(low, abs=1e-12) if low == high else None), row
        assert row[7] == sum(s.n_missing for s in scores), row
        assert row[8] == sum(s.n_pending for s in scores), row
        assert row[9] == sum(s.n_fallback for s in scores), row


def _label(reply: str, labels: list[str]) -> str | None:
    found = {
        label
        for label in labels
        if label in reply.replace("(", " ").replace(")", " ").replace(".", " ").split()
    }
    return found.pop() if len(found) == 1 else None


def _mean(scores: list[Fraction | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return float(sum(known) / len(known)) if known else None


def test_a_run_uses_the_judgment_of_its_own_first(house: Warehouse, tmp_path: Path) -> None:
    question = Ask("1", {0: {"A": "a", "B": "b"}}, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [{"model": m, "question_key": "1", "prediction": "hmm"} for m in ("one", "two", "three")]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    judge = register_judge(house, "J")
    add_replies(house, judge, [(question, 0, "hmm", "B")], run_id=2)
    add_replies(house, judge, [(question, 0, "hmm", "A")])
    found = house.sql("SELECT run_id, predicted FROM pass_result WHERE judge = 'J' ORDER BY 1")
    assert found.rows() == [(1, "A"), (2, "B"), (3, "A")]


def test_judge_samples_stay_apart_and_are_averaged(house: Warehouse, tmp_path: Path) -> None:
    question = Ask("1", {0: {"A": "a", "B": "b"}}, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [{"model": "m", "question_key": "1", "prediction": "hmm"}]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    judge = register_judge(house, "J")
    for sample, reply in enumerate(["A", "B", "A"], start=1):
        add_replies(house, judge, [(question, 0, "hmm", reply)], judge_sample=sample)
    passes = house.sql(
        "SELECT judge_sample, predicted FROM pass_result WHERE judge = 'J' ORDER BY 1"
    )
    assert passes.rows() == [(1, "A"), (2, "B"), (3, "A")]
    result = house.sql(
        "SELECT score, n_passes, n_expected FROM question_result "
        "WHERE judge = 'J' AND strategy = 'circular'"
    )
    assert result.row(0) == (pytest.approx(2 / 3), 1, 1)


@pytest.mark.slow
def test_hidden_answers_score_nothing(house: Warehouse, tmp_path: Path) -> None:
    question = Ask("1", {0: {"A": "a", "B": "b"}}, {0: None})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [
        {"model": m, "question_key": "1", "prediction": t} for m, t in (("a", "A"), ("b", "hm"))
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    register_judge(house, "J")
    scores = house.sql("SELECT DISTINCT score, score_low, score_high, n_pending FROM ability_score")
    assert scores.rows() == [(None, None, None, 0)]
    assert house.sql("SELECT DISTINCT rank FROM leaderboard").rows() == [(None,)]
    assert house.sql("SELECT * FROM judge_todo").height == 0
    # Answers that arrive later do not orphan the runs.
    known = Ask("1", question.choices, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "known.jsonl", question_rows([known])), benchmark="Own")
    scores = house.sql(
        "SELECT model, score_low, score_high FROM ability_score "
        "WHERE strategy = 'circular' AND judge = 'J' ORDER BY model"
    )
    assert scores.rows() == [("a", 1, 1), ("b", 0, 1)]


def ranked(
    house: Warehouse, tmp_path: Path, scores: dict[str, float], **flags: str
) -> tuple[object, ...]:
    question = Ask("1", {0: {"A": "a", "B": "b", "C": "c"}}, {0: "B"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [
        {"model": "m", "question_key": "1", "label": label, "score": score}
        for label, score in scores.items()
    ]
    house.ingest(write_jsonl(tmp_path / "s.jsonl", rows), benchmark="Own", **flags)
    return house.sql("SELECT predicted, resolved_by, score FROM pass_result").row(0)


_LOGLIK = {"method": "loglik", "reduction": "mean", "scored": "content"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "flags", "expected"),
    [
        ({"A": -3.0, "B": -1.0, "C": -2.0}, _LOGLIK, ("B", "ranked", 1)),
        ({"A": -3.0, "B": -1.0, "C": -2.0}, {"method": "perplexity"}, ("A", "ranked", 0)),
        ({"A": -3.0, "B": -1.0, "C": -1.0}, _LOGLIK, ("B", "ranked", 1)),
        ({"A": -3.0, "B": -1.0}, _LOGLIK, (None, "missing", 0)),
    ],
)
def test_answer_ranking(
    house: Warehouse,
    tmp_path: Path,
    scores: dict[str, float],
    flags: dict[str, str],
    expected: tuple[object, ...],
) -> None:
    assert ranked(house, tmp_path, scores, **flags) == expected


@pytest.mark.slow
def test_the_draw_is_the_same_in_every_copy(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """It depends on content alone, never on the ids that a warehouse happens to give."""
    pick = random.Random(5)
    questions = [q for q in made_questions(pick, 30) if q.answers[0] is not None]
    found = []
    for name, order in (("one", questions), ("two", questions[::-1])):
        house = make_house(name)
        if name == "two":
            house.ingest(
                write_jsonl(tmp_path / "other.jsonl", question_rows(questions[:3])),
                benchmark="Other",
            )
        house.ingest(
            write_jsonl(tmp_path / f"q-{name}.jsonl", question_rows(order)), benchmark="Own"
        )
        rows = [{"model": "m", "question_key": q.key, "prediction": "hmm"} for q in order]
        house.ingest(write_jsonl(tmp_path / f"p-{name}.jsonl", rows), benchmark="Own", run="r")
        judge = register_judge(house, "J")
        add_replies(house, judge, [(question, 0, "hmm", "I cannot say") for question in order])
        draws = house.sql(
            "SELECT question_key, predicted FROM pass_result "
            "WHERE judge = 'J' AND resolved_by = 'random' ORDER BY 1"
        )
        found.append(draws.rows())
    assert found[0] == found[1]
    assert len({predicted for _, predicted in found[0]}) >= 4

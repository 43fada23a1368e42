"""Open questions, answered in words and graded: against the definitions retold in Python, and MM-Vet."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import pytest

from evalhouse import UsageError, Warehouse
from queries import session, show
from tests import each_once
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.judgment import open_answer_hash


@dataclass(frozen=True)
class OpenAsk:
    """An open question; its text is `Q {key}` unless it is given."""

    key: str
    references: Sequence[str] = ("yes",)
    abilities: Sequence[tuple[str, str]] = ()
    question: str | None = None

    @property
    def text(self) -> str:
        return self.question or f"Q {self.key}"

    def subject(self, answer: str) -> str:
        return open_answer_hash(self.text, self.references, answer)


def _insert(con: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    values = [list(row) for row in rows]
    if values:
        con.executemany(f"INSERT INTO main.{table} VALUES ({', '.join('?' * len(values[0]))})", values)  # fmt: skip


def _next(con: duckdb.DuckDBPyConnection, table: str, column: str) -> int:
    found = con.execute(f"SELECT coalesce(max({column}), 0) + 1 FROM main.{table}").fetchone()
    assert found is not None
    return int(found[0])


def add_open(
    house: Warehouse,
    questions: Sequence[OpenAsk],
    said: Mapping[str, Mapping[tuple[str, int], tuple[str | None, bool]]],
    *,
    benchmark: str = "Words",
) -> dict[str, int]:
    """A benchmark of open questions, and one run per model: (key, sample) → (text, failed)."""
    with house.writing() as con, transaction(con):
        source = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
        benchmark_id = _next(con, "benchmark", "benchmark_id")
        dataset_id = _next(con, "dataset", "dataset_id")
        _insert(
            con,
            "benchmark",
            [(benchmark_id, benchmark, "open", "graded", "micro", source, None, None)],
        )
        _insert(con, "dataset", [(dataset_id, benchmark_id, benchmark, None, None, None, source)])
        first = _next(con, "question", "question_id")
        ids = {question.key: first + n for n, question in enumerate(questions)}
        _insert(con, "question", [(ids[q.key], dataset_id, q.key, q.text, source) for q in questions])  # fmt: skip
        _insert(con, "question_pass", [(ids[q.key], 0, source) for q in questions])
        _insert(
            con,
            "reference_answer",
            [(ids[q.key], n, text, source) for q in questions for n, text in enumerate(q.references)],
        )  # fmt: skip
        first = _next(con, "ability", "ability_id")
        named = sorted({ability for q in questions for ability in q.abilities})
        abilities = {ability: first + n for n, ability in enumerate(named)}
        _insert(
            con,
            "ability",
            [
                (number, benchmark_id, level, name, name, number, None, source, None)
                for (level, name), number in abilities.items()
            ],
        )
        _insert(
            con,
            "question_ability",
            [(ids[q.key], abilities[ability], source) for q in questions for ability in q.abilities],
        )  # fmt: skip
        runs = {}
        for model, answers in said.items():
            model_id, run_id = _next(con, "model", "model_id"), _next(con, "run", "run_id")
            runs[model] = run_id
            _insert(con, "model", [(model_id, model, source)])
            con.execute(
                "INSERT INTO main.run (run_id, model_id, dataset_id, label, harness, method, source_id) "
                "VALUES (?, ?, ?, 'r1', 'test', 'generation', ?)",
                [run_id, model_id, dataset_id, source],
            )
            n_samples = 1 + max((sample for _, sample in answers), default=0)
            _insert(con, "run_sample", [(run_id, sample) for sample in range(n_samples)])
            _insert(
                con,
                "prediction",
                [(run_id, ids[key], 0, sample, text, failed) for (key, sample), (text, failed) in answers.items()],
            )  # fmt: skip
    return runs


def add_judge(
    house: Warehouse, name: str, task: str, *, max_attempts: int = 1, n_samples: int = 0
) -> int:
    """A judge that has said nothing yet."""
    with house.writing() as con, transaction(con):
        source = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
        judge = judges.Judge(name, task, "llm", max_attempts=max_attempts)
        judge_id = judges.register(con, judge, source_id=source)
        judges.plan_samples(con, judge_id, n_samples, source_id=source)
    return judge_id


def add_judgments(house: Warehouse, judge_id: int, rows: Sequence[judges.Judgment]) -> None:
    """Judgments as they are."""
    with house.writing() as con, transaction(con):
        source = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
        judges.store(con, judge_id, rows, source_id=source)


# MM-Vet as it was published.


def mmvet(house: Warehouse, folder: Path) -> None:
    """The 218 questions, LLaVA-1.5-7B's answers, and GPT-4's grades of three runs."""
    questions = json.loads((folder / "mm-vet.json").read_text(encoding="utf-8"))
    questions = [
        OpenAsk(
            key,
            (facts["answer"],),
            [
                *(("capability", name) for name in facts["capability"]),
                ("integration", "_".join(sorted(facts["capability"]))),
            ],
            facts["question"],
        )
        for key, facts in questions.items()
    ]
    said = json.loads((folder / "llava-v1.5-7b.json").read_text(encoding="utf-8"))
    runs = add_open(
        house,
        questions,
        {"llava-v1.5-7b": {(key, 0): (text, False) for key, text in said.items()}},
        benchmark="MM-Vet replayed",
    )
    grades = json.loads(
        (folder / "llava-v1.5-7b_gpt-4-grade-3runs.json").read_text(encoding="utf-8")
    )
    add_judgments(
        house,
        add_judge(house, "gpt-4", "soft_score"),
        [
            judges.Judgment(
                subject_hash=question.subject(said[question.key]),
                reply=reply,
                judge_sample=sample,
                run_id=runs["llava-v1.5-7b"],
            )
            for question in questions
            for sample, reply in enumerate(grades[question.key]["content"])
        ],
    )


@pytest.mark.slow
def test_mmvet_to_the_digit(house: Warehouse, shared: Path) -> None:
    folder = shared / "real" / "mmvet"
    mmvet(house, folder)
    totals = house.sql(
        "SELECT level, ability, judge_sample, total, n FROM sample_total ORDER BY judge_sample"
    )
    overall = [row for row in totals.iter_rows() if row[0] == "overall"]
    assert [round(row[3], 1) for row in overall] == [31.2, 30.8, 31.2]
    assert {row[4] for row in overall} == {218}
    found: dict[tuple[str, frozenset[str]], list[float]] = {}
    for level, ability, _, total, _ in totals.iter_rows():
        found.setdefault((level, frozenset(ability.split("_"))), []).append(total)
    n_compared = 0
    for level, name in (("capability", "cap-score"), ("integration", "cap-int-score")):
        with (folder / f"llava-v1.5-7b_gpt-4-{name}-3runs.csv").open(encoding="utf-8") as file:
            (official,) = csv.DictReader(file)
        for ability, figure in official.items():
            if ability and ability not in ("total", "std", "runs"):
                mean = fmean(found[level, frozenset(ability.split("_"))])
                assert f"{round(mean, 1)}" == figure, ability
                n_compared += 1
    assert n_compared == 6 + 16
    score = house.sql(
        "SELECT score, n, strategy FROM ability_score WHERE level = 'overall' AND average = 'micro'"
    ).row(0)
    assert (round(100 * score[0], 1), *score[1:]) == (31.1, 218, "graded")
    (board,) = house.leaderboard("MM-Vet replayed")
    assert board.columns == ("Overall", "gen", "know", "math", "ocr", "rec", "spat")


# Random answers, against plain Python.

_TEXTS = ["yes", "No.", "it is a cat", "", " \t", None, "Failed to obtain answer via API.", "yes "]
_REPLIES = ["0", "1", "0.5", ".25", "1.0", "0.7 since", "1.5", "Score: 1", "", None]
_SCORES = {"0": 0.0, "1": 1.0, "0.5": 0.5, ".25": 0.25, "1.0": 1.0, "0.7 since": 0.7}


@dataclass
class Graded:
    """What a judge said of a subject in one sample: replies (None: the call failed) by graded run."""

    by_run: dict[int | None, list[str | None]]

    def score(self, run: int, max_attempts: int) -> tuple[float | None, int]:
        """(score, unusable attempts) as this run sees it: its own imports, then what is shared."""
        own = self.by_run.get(run)
        if own is not None:
            score, n_unusable = _first(own)
            if score is not None or n_unusable >= max_attempts:
                return score, n_unusable
        imports = [_first(replies) for key, replies in self.by_run.items() if key is not None]
        ours = _first(self.by_run.get(None, []))
        found = [score for score, _ in (ours, *imports) if score is not None]
        return found[0] if found else None, ours[1] + max((n for _, n in imports), default=0)


def _first(replies: Sequence[str | None]) -> tuple[float | None, int]:
    usable = [_SCORES[reply] for reply in replies if reply in _SCORES]
    unusable = [reply for reply in replies if reply is not None and reply not in _SCORES]
    return (usable[0] if usable else None), len(unusable)


def state_of(answers: Mapping[tuple[str, int], tuple[str | None, bool]], key: str, sample: int) -> str:  # fmt: skip
    if (key, sample) not in answers:
        return "missing"
    text, failed = answers[key, sample]
    if failed or (text and "Failed to obtain answer via API" in text):
        return "missing"
    return "open" if text and text.split() else "unresolved"


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_graded_against_plain_python(house: Warehouse, seed: int) -> None:
    pick = random.Random(seed)
    questions = [
        OpenAsk(
            str(number),
            [["yes"], [], ["yes", "it is a cat"]][number % 3],
            [
                *(("capability", name) for name in pick.sample(["x", "y", "z"], pick.randrange(3))),
                ("integration", pick.choice(["u", "v"])),
            ],
        )
        for number in range(12)
    ]
    by_key = {question.key: question for question in questions}
    said: dict[str, dict[tuple[str, int], tuple[str | None, bool]]] = {
        model: {
            (question.key, sample): (pick.choice(_TEXTS), pick.random() < 0.05)
            for question in questions
            for sample in range(n_samples)
            if question.key == "0" or pick.random() < 0.9
        }
        for model, n_samples in (("one", 1), ("two", 2), ("three", 1))
    }
    said["silent"] = {("0", 0): ("", False)}
    runs = add_open(house, questions, said)
    subjects = sorted(
        {
            by_key[key].subject(text)
            for answers in said.values()
            for (key, sample), (text, _) in answers.items()
            if text is not None and state_of(answers, key, sample) == "open"
        }
    )
    # Judges: max_attempts, planned samples, share of subjects judged per sample.
    plans = {"S": (1, 0, [0.9]), "T": (2, 3, [0.7, 0.4, 0.0]), "U": (3, 0, [])}
    marks = add_judge(house, "M", "mark")
    known: dict[tuple[str, int, str], Graded] = {}
    for judge, (max_attempts, n_samples, shares) in plans.items():
        judge_id = add_judge(house, judge, "soft_score", max_attempts=max_attempts, n_samples=n_samples)  # fmt: skip
        rows = []
        for sample, share in enumerate(shares):
            for subject in subjects:
                for run in (None, *runs.values()):
                    if pick.random() < (share if run is None else share / 4):
                        replies = [
                            pick.choice(_REPLIES)
                            for _ in range(pick.randrange(1, max_attempts + 1))
                        ]
                        known.setdefault((judge, sample, subject), Graded({})).by_run[run] = replies
                        rows += [
                            judges.Judgment(
                                subject,
                                reply,
                                judge_sample=sample,
                                attempt=n,
                                run_id=run,
                                error="no" if reply is None else None,
                            )
                            for n, reply in enumerate(replies)
                        ]
        add_judgments(house, judge_id, rows)
    for subject in subjects[::2]:
        add_judgments(house, marks, [judges.Judgment(subject, "4/5")])

    # Every answer.
    passes: dict[tuple[str, str, int, str, int], tuple[str, float | None]] = {}
    todo: dict[tuple[str, int, str], tuple[int, int]] = {}
    samples = {"S": [0], "T": [0, 1, 2], "U": [0]}
    for model, answers in said.items():
        for question in questions:
            for sample in range(1 + max(n for _, n in answers)):
                state = state_of(answers, question.key, sample)
                for judge in plans:
                    for judge_sample in samples[judge]:
                        key = (model, question.key, sample, judge, judge_sample)
                        passes[key] = (state, 0.0)
                        if state != "open":
                            continue
                        subject = question.subject(answers[question.key, sample][0] or "")
                        graded = known.get((judge, judge_sample, subject), Graded({}))
                        score, n_unusable = graded.score(runs[model], plans[judge][0])
                        passes[key] = ("pending" if score is None else "graded", score)
                        if score is None and n_unusable < plans[judge][0]:
                            _, n_answers = todo.get((judge, judge_sample, subject), (0, 0))
                            todo[judge, judge_sample, subject] = (n_unusable, n_answers + 1)
    found = house.sql(
        "SELECT model, question_key, sample, judge, judge_sample, resolved_by, score, predicted, answer "
        "FROM pass_result"
    )
    assert {row[:5]: row[5:7] for row in found.iter_rows()} == passes
    assert found.height == len(passes)
    assert {row[7:] for row in found.iter_rows()} == {(None, None)}
    assert {state for state, _ in passes.values()} == {"graded", "pending", "unresolved", "missing"}

    # What is still to be judged.
    for view in ("judge_todo", "judge_todo_all"):
        listed = house.sql(
            f"SELECT judge, judge_sample, subject_hash, attempt, n_answers FROM {view} WHERE task = 'soft_score'"
        )
        assert {row[:3]: row[3:] for row in listed.iter_rows()} == todo
        assert listed.height == len(todo)
    unmarked = house.sql("SELECT subject_hash FROM judge_todo WHERE judge = 'M'")
    assert sorted(unmarked["subject_hash"]) == sorted(subjects[1::2])
    marked = house.sql("SELECT run_id, subject_hash, mark FROM mark_result").rows()
    assert {(subject, mark) for _, subject, mark in marked} == {
        (subject, None if n % 2 else 4.0) for n, subject in enumerate(subjects)
    }
    totals = house.sql("SELECT run_id, n, n_marked, mean_mark FROM mark_total ORDER BY run_id").rows()  # fmt: skip
    assert totals == [
        (run, len(of_run), len([m for m in of_run if m]), 4.0)
        for run in sorted({run for run, _, _ in marked})
        for of_run in [[mark for other, _, mark in marked if other == run]]
    ]

    # Questions, by the judge samples that count.
    counting = {}
    for model in said:
        for judge in plans:
            with_grades = [
                n for n in samples[judge]
                if any(v[0] == "graded" for k, v in passes.items() if (k[0], *k[3:]) == (model, judge, n))
            ]  # fmt: skip
            counting[model, judge] = with_grades or [0]
    results = house.sql(
        "SELECT model, judge, question_key, score_low, score_high, score, n_passes, n_expected, n_missing, "
        "n_pending, n_fallback, strategy FROM question_result"
    )
    assert results.height == len(said) * len(plans) * len(questions)
    for model, judge, key, *figures in results.iter_rows():
        n_samples = 1 + max(n for _, n in said[model])
        mine = [
            passes[model, key, sample, judge, judge_sample]
            for sample in range(n_samples)
            for judge_sample in counting[model, judge]
        ]
        low = fmean(0.0 if score is None else score for _, score in mine)
        high = fmean(1.0 if score is None else score for _, score in mine)
        n_pending = sum(state == "pending" for state, _ in mine)
        missing = sum(state_of(said[model], key, n) == "missing" for n in range(n_samples))
        assert figures == [
            pytest.approx(low), pytest.approx(high), None if n_pending else pytest.approx(low),
            n_samples - missing, n_samples, missing, n_pending, 0, "graded",
        ]  # fmt: skip

    # Totals.
    totals = house.sql(
        "SELECT model, judge, judge_sample, level, ability, n, score_low, score_high, score, total, "
        "n_pending, n_missing FROM sample_total"
    )
    filed = {("overall", "Overall"): [question.key for question in questions]}
    for question in questions:
        for ability in question.abilities:
            filed.setdefault(ability, []).append(question.key)
    assert totals.height == sum(len(js) for js in counting.values()) * len(filed)
    for model, judge, judge_sample, level, ability, *figures in totals.iter_rows():
        assert judge_sample in counting[model, judge]
        mine = [
            v for k, v in passes.items()
            if (k[0], *k[3:]) == (model, judge, judge_sample) and k[1] in filed[level, ability]
        ]  # fmt: skip
        low = fmean(0.0 if score is None else score for _, score in mine)
        high = fmean(1.0 if score is None else score for _, score in mine)
        known_score = None if any(score is None for _, score in mine) else low
        assert figures == [
            len(filed[level, ability]), pytest.approx(low), pytest.approx(high),
            known_score if known_score is None else pytest.approx(known_score),
            known_score if known_score is None else pytest.approx(100 * known_score),
            sum(state == "pending" for state, _ in mine), sum(state == "missing" for state, _ in mine),
        ]  # fmt: skip

    # Overall by macro is over the first level alone.
    cells = house.sql(
        "SELECT model, judge, level, average, score_low FROM ability_score "
        "WHERE level = 'capability' OR average = 'macro'"
    )
    for model, judge in {row[:2] for row in cells.iter_rows()}:
        mine_cells = [row for row in cells.iter_rows() if row[:2] == (model, judge)]
        (macro,) = [row[4] for row in mine_cells if row[3] == "macro"]
        assert macro == pytest.approx(fmean(row[4] for row in mine_cells if row[3] == "micro"))


# One thing at a time.


def _two(house: Warehouse) -> tuple[list[OpenAsk], dict[str, int]]:
    questions = [OpenAsk("1", ("yes",)), OpenAsk("2", ("no",))]
    said = {
        model: {("1", 0): ("yes", False), ("2", 0): ("maybe", False)} for model in ("one", "two")
    }
    return questions, add_open(house, questions, said)


def test_each_subject_is_asked_once_for_all_runs(house: Warehouse) -> None:
    questions, runs = _two(house)
    add_judge(house, "S", "soft_score", n_samples=2)
    todo = house.sql(
        "SELECT question_key, judge_sample, attempt, pass, run_id, prediction, n_answers, subject_hash "
        "FROM judge_todo ORDER BY ALL"
    )
    assert todo.rows() == [
        (question.key, sample, 0, 0, runs["one"], text, 2, question.subject(text))
        for question, text in zip(questions, ["yes", "maybe"], strict=True)
        for sample in (0, 1)
    ]


def test_what_no_attempt_can_be_read_of_stays_pending_and_is_not_asked_again(house: Warehouse) -> None:  # fmt: skip
    questions, _ = _two(house)
    judge = add_judge(house, "S", "soft_score", max_attempts=2)
    subject = questions[0].subject("yes")
    add_judgments(
        house, judge, [judges.Judgment(subject, "well"), judges.Judgment(subject, "hm", attempt=1)]
    )
    assert house.sql("SELECT question_key FROM judge_todo").rows() == [("2",)]
    states = house.sql("SELECT DISTINCT question_key, resolved_by, score FROM pass_result ORDER BY 1")  # fmt: skip
    assert states.rows() == [("1", "pending", None), ("2", "pending", None)]


def test_own_imports_first_and_conflicts_are_counted(house: Warehouse) -> None:
    questions, runs = _two(house)
    judge = add_judge(house, "S", "soft_score")
    subject = questions[0].subject("yes")
    add_judgments(
        house,
        judge,
        [
            judges.Judgment(subject, "0.5", run_id=runs["one"]),
            judges.Judgment(subject, "1", run_id=runs["two"]),
            judges.Judgment(questions[1].subject("maybe"), "0.50", run_id=runs["one"]),
            judges.Judgment(questions[1].subject("maybe"), ".5", run_id=runs["two"]),
        ],
    )
    found = house.sql("SELECT model, question_key, score FROM pass_result ORDER BY ALL")
    assert found.rows() == [("one", "1", 0.5), ("one", "2", 0.5), ("two", "1", 1.0), ("two", "2", 0.5)]  # fmt: skip
    counted = house.sql("SELECT subject_hash, n_verdicts FROM shared_verdict")
    assert dict(counted.iter_rows()) == {subject: 2, questions[1].subject("maybe"): 1}


def test_a_run_graded_less_often_shows_what_it_has(house: Warehouse) -> None:
    questions, runs = _two(house)
    judge = add_judge(house, "S", "soft_score")
    add_judgments(
        house,
        judge,
        [
            judges.Judgment(question.subject(text), reply, run_id=run, judge_sample=sample)
            for question, text in zip(questions, ["yes", "maybe"], strict=True)
            for run, replies in ((runs["one"], ["1", "0", "1"]),)
            for sample, reply in enumerate(replies)
        ],
    )
    # The other run's answer differs, and was graded once.
    with house.writing() as con:
        con.execute("UPDATE main.prediction SET text = 'other' WHERE run_id = ?", [runs["two"]])
    add_judgments(
        house, judge, [judges.Judgment(q.subject("other"), "0.5", judge_sample=1) for q in questions]
    )  # fmt: skip
    results = house.sql("SELECT DISTINCT model, score, n_pending FROM question_result ORDER BY 1")
    assert results.rows() == [("one", pytest.approx(2 / 3), 0), ("two", 0.5, 0)]
    totals = house.sql("SELECT model, judge_sample, total FROM sample_total ORDER BY ALL")
    assert totals.rows() == [("one", 0, 100), ("one", 1, 0), ("one", 2, 100), ("two", 1, 50)]
    assert house.sql(
        "SELECT DISTINCT model, n_judge_samples FROM graded_sample JOIN current_run USING (run_id) ORDER BY 1"
    ).rows() == [("one", 3), ("two", 1)]


def test_a_retracted_judge_is_out_of_every_view(house: Warehouse) -> None:
    questions, _ = _two(house)
    judge = add_judge(house, "S", "soft_score")
    add_judgments(house, judge, [judges.Judgment(q.subject("yes"), "1") for q in questions])
    with house.writing() as con:
        judges.retract(con, "S")
    for view in (
        "pass_result",
        "question_result",
        "verdict",
        "judge_todo_all",
        "judge_cost",
        "sample_total",
    ):
        assert house.sql(f"SELECT * FROM {view}").height == 0, view
    with pytest.raises(UsageError, match="no judge gives a soft score"):
        house.leaderboard("Words")


def test_the_board_of_open_questions(house: Warehouse) -> None:
    _two(house)
    with pytest.raises(UsageError, match="no judge gives a soft score"):
        house.leaderboard("Words")
    add_judge(house, "S", "soft_score")
    (board,) = house.leaderboard("Words")
    assert (board.strategy, board.judge, len(board.lines)) == ("graded", "S", 2)
    for wrong, words in (
        ({"judge": "none"}, "no judge 'none'"),
        ({"strategy": "circular"}, "no strategy"),
    ):
        with pytest.raises(UsageError, match=words):
            house.leaderboard("Words", **wrong)


@pytest.mark.engines
@pytest.mark.parametrize("what", ["nothing", "unasked", "judged", "blank", "choices"])
def test_every_view_whatever_the_optimizer_does(
    make_house: Callable[[str], Warehouse], tmp_path: Path, what: str
) -> None:
    """As in test_engine, for open questions alone, and for choices that nobody has judged."""
    house = make_house(what)
    if what == "choices":
        question = Ask("1", {0: {"A": "a", "B": "b"}}, {0: "A"})
        house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
        rows = [{"model": m, "question_key": "1", "prediction": t} for m, t in (("a", "A"), ("b", "hm"))]  # fmt: skip
        house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
        add_judge(house, "J", "choice_extraction")
    elif what == "blank":
        add_open(house, [OpenAsk("1")], {"one": {("1", 0): (" ", False)}})
    elif what != "nothing":
        questions, runs = _two(house)
    if what != "nothing":
        soft = add_judge(house, "S", "soft_score", n_samples=2)
        add_judge(house, "M", "mark")
    if what == "judged":
        add_judgments(
            house,
            soft,
            [
                judges.Judgment(q.subject("yes"), reply, judge_sample=n, run_id=run)
                for q in questions
                for n, reply in enumerate(["1", "no"])
                for run in (None, runs["two"])
            ],
        )
    house.refresh()
    with duckdb.connect(str(house.path), read_only=True) as con:
        views = con.execute(
            "SELECT schema_name, view_name FROM duckdb_views() "
            "WHERE schema_name = 'latest' OR (schema_name = 'papers' AND $what = 'judged')",
            {"what": what},
        ).fetchall()
        once = each_once.tables(con, "field_v2")
        for schema, view in views:
            assert each_once.rows(con, f"{schema}.{view}") == each_once.rows(con, once[view]), view


def test_commands_know_open_questions(house: Warehouse) -> None:
    questions, _ = _two(house)
    judge = add_judge(house, "S", "soft_score")
    add_judgments(house, judge, [judges.Judgment(questions[0].subject("yes"), "0.5 good")])
    with house.reading() as con:
        (view,) = show.show(con, "1", model="one")
        text = show.render(view)
        status = session.frame(con, "status_datasets").to_dicts()
        known = session.frame(con, "status_judges").to_dicts()
    assert "judge S: graded, score 0.5" in text
    assert "prediction: “yes”" in text
    assert "judge's reply: “0.5 good”" in text
    assert (status[0]["answers"], status[0]["runs"], status[0]["complete runs"]) == ("in words", 2, 2)  # fmt: skip
    assert [(row["judge"], row["verdicts"], row["state"]) for row in known] == [("S", 1, "")]

"""A warehouse of nasty texts: whatever two engines could read differently, as facts of every kind."""

from __future__ import annotations

import random
import shutil
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from evalhouse import Warehouse
from tests.houses import QuickHouse
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.judgment import choice_extraction_hash, open_answer_hash

SPACES = [chr(n) for n in range(0x110000) if chr(n).isspace()]
PIECES = [
    *SPACES, "A", "B", "C", "D", "E", "I", "X", "Z", "a", "b", "(A)", "(B).", "[C]", "［Ａ］", "{D}", "<E>", "A.", "A:",
    "'B'", "\"C\"", "“A”", "`D`", "*B*", "**C**", "A/B", "A-B", " - ", "answer is", "Answer Is B", "ANſWER İſ C",
    "the anſwer is **D", "answer is: A", "and", "or", "is", "because", "since", "cat", "CAT", "dog", "a cat", "İ", "ı",
    "ſ", "ß", "ẞ", "Σ", "ΑΣ", "ΟΔΥΣΣΕΥΣ", "ΑΣ.", "ΑΣʼΑ", "Ⅷ", "ⓐ", "e\u0301", "\u0301", "\u200d", "\u200b", "\ufeff",
    "👩\u200d🚀", "𝔸", "𐐀", "🄰", "\U0010fffd", "\x00", "\x1f", "\x7f", "\\", "\\Q", "\\E", "\\n", "%", "_", "$1", "''",
    "'", "\"", "--", ";", "/*", "0", "1", "0.5", "1.0", ".5", "1.", "0.", "3", "4/5", "4.", "-1", "1e-3", "٣", "<AND>",
    "<OR>", " <AND> ", "<OR> ", "|", ",", "=", "NULL", "nan", "None", "Failed to obtain answer via API",
    "Sorry, I can't help with images of people yet.", "I can't process this file.", "Cannot determine the answer",
    "I’m sorry, but I cannot see the image.", "猫", "「B」", "Ａ", "א", "ي", "\u202e", "\u00ad", "1F", "-",
]  # fmt: skip


def nasty(pick: random.Random) -> str:
    """A text of such pieces, now and then with any letters, and now and then long."""
    kind = pick.random()
    if kind < 0.02:
        return "".join(pick.choice(PIECES) for _ in range(5000))
    if kind < 0.12:
        known = (chr(pick.randrange(0x20, 0x30000)) for _ in range(pick.randrange(1, 12)))
        # Of what is no letter yet, engines know more or less, depending on their age.
        return "".join(x for x in known if unicodedata.category(x) not in ("Cn", "Cs"))
    if kind < 0.35:
        return pick.choice(PIECES)
    mark = pick.choice(["", " ", " ", "\n", pick.choice(SPACES)])
    return mark.join(pick.choice(PIECES) for _ in range(pick.randrange(0, 8)))


def nasty_house(empty_file: Path, path: Path, seed: int = 1) -> Warehouse:
    """Choice questions and open ones, answered by models and read by judges, all of it at random."""
    shutil.copy(empty_file, path)
    house, pick = QuickHouse(path), random.Random(seed)
    with house.writing() as con, transaction(con):
        source = sources.add(con, sources.Source('it\'s "nasty"', "-", 0, "test", 1, {}, 0))
        choices = _choice_facts(con, pick, source)
        _choice_judgments(con, pick, source, choices)
        open_ones = _open_facts(con, pick, source)
        _open_judgments(con, pick, source, open_ones)
    with house.writing() as con:
        judges.retract(con, "gone")
    return house


Subject = tuple[str, tuple[str, ...], str]
"""A subject's hash, the labels a judge could choose from, and the run that the answer is of."""


def _choice_facts(con: duckdb.DuckDBPyConnection, pick: random.Random, source: int) -> list[str]:
    _insert(con, "benchmark", [(1, "Nas'ty", "choice", "circular", "micro", source, None, None)])
    _insert(
        con,
        "dataset",
        [
            (1, 1, "Nas'ty/ſplit", None, "ſplit", None, source),
            (2, 1, "other", None, None, None, source),
        ],
    )
    tops = [(n, 1, "l1", f"top {n}", f"T{n}", n, None, source, None) for n in (1, 2)]
    leaves = [(n, 1, "l2", f"Σ {n}", f"L{n}", n, 1 + n % 2, source, None) for n in (3, 4, 5)]
    _insert(con, "ability", [*tops, *leaves])
    _insert(con, "dataset_subset", [(1, 1, "half", source, None), (2, 1, "old", source, source)])
    questions, held, texts = [], [], {}
    for question in range(1, 81):
        texts[question] = nasty(pick)
        questions.append((question, 1 if question <= 64 else 2, f"k'{question}", texts[question], source))  # fmt: skip
        labels = "ABCDE"[: pick.randrange(2, 6)]
        contents = [pick.choice([nasty(pick)[:40], "cat", "dog", ""]) for _ in labels]
        for step in range(pick.choice([1, 1, 2, len(labels)])):
            turned = {x: contents[(n + step) % len(labels)] for n, x in enumerate(labels)}
            held.append((question, step, turned, labels[(question + step) % len(labels)]))
    _insert(con, "question", questions)
    _insert(con, "question_pass", [(q, step, source) for q, step, _, _ in held])
    _insert(
        con,
        "choice",
        [
            (q, step, x, n, text, source)
            for q, step, turned, _ in held
            for n, (x, text) in enumerate(turned.items())
        ],
    )
    _insert(con, "answer", [(q, step, answer, source, None) for q, step, _, answer in held if q % 7])  # fmt: skip
    _insert(con, "question_ability", [(q, 3 + q % 3, source) for q in range(1, 81) if q % 11])
    _insert(con, "subset_question", [(1 + q % 2, q, source) for q in range(1, 65)])
    _insert(con, "question_component", [(5, "text", source), (5, "image", source)])
    _insert(con, "model", [(n, f"model {nasty(pick)[:9]!r} {n}", source) for n in range(1, 6)])
    _insert(con, "model_fact", [(1, "f", "v", "l", 7.5, "open", "2024-02-29", "LLM", None, source, None)])  # fmt: skip
    runs = [
        # id, model, dataset, method, reduction, superseded, retracted, samples
        (1, 1, 1, "generation", None, None, None, 1),
        (2, 2, 1, "generation", None, None, None, 3),
        (3, 3, 2, "generation", None, None, None, 1),
        (4, 1, 1, "generation", None, source, None, 1),
        (5, 2, 1, "generation", None, None, "2026-01-02", 1),
        (6, 4, 1, "loglik", "sum", None, None, 1),
        (7, 5, 1, "perplexity", None, None, None, 1),
    ]
    said, scores, subjects = [], [], []
    for run, model, dataset, method, reduction, superseded, retracted, n_samples in runs:
        _insert(
            con,
            "run",
            [
                (
                    run,
                    model,
                    dataset,
                    f"r'{run}",
                    "test",
                    method,
                    reduction,
                    "content" if reduction else None,
                    None,
                    source,
                    superseded,
                    retracted,
                )
            ],
        )
        _insert(con, "run_sample", [(run, sample) for sample in range(n_samples)])
        for question, step, turned, _ in held:
            if (question <= 64) != (dataset == 1) or pick.random() < 0.05:
                continue
            if method != "generation":
                components = ("text", "image") if question == 5 else ("answer",)
                scores += [
                    (
                        run,
                        question,
                        step,
                        0,
                        part,
                        label,
                        pick.choice([-1.5, -0.1, pick.uniform(-9, 0)]),
                        pick.choice([None, 3, 4]),
                        None,
                    )
                    for part in components
                    for label in turned
                    if pick.random() < 0.98 and (method == "loglik" or step == 0)
                ]
                continue
            for sample in range(n_samples):
                text = pick.choice([nasty(pick), nasty(pick), nasty(pick), "hmm", None])
                said.append((run, question, step, sample, text, pick.random() < 0.04))
                if text is not None:
                    subject = choice_extraction_hash(texts[question], turned, text)
                    subjects.append((subject, (*turned, "X"), run))
    _insert(con, "prediction", said)
    _insert(con, "choice_score", scores)
    return subjects


def _choice_judgments(
    con: duckdb.DuckDBPyConnection, pick: random.Random, source: int, subjects: list[Any]
) -> None:
    plans = [("one", 2, 2), ("two", 1, 1), ("gone", 1, 1), ("unheard", 3, 2)]
    for name, max_attempts, n_samples in plans:
        judge = judges.Judge(name, "choice_extraction", "llm", max_attempts=max_attempts)
        number = judges.register(con, judge, source_id=source)
        judges.plan_samples(con, number, n_samples, source_id=source)
        if name == "unheard":
            continue
        rows = []
        for subject, labels, run in subjects:
            for sample in range(n_samples):
                own = run if name == "two" and pick.random() < 0.3 else None
                rows += _attempts(pick, subject, labels, max_attempts, judge_sample=sample, run_id=own)  # fmt: skip
        judges.store(con, number, rows, source_id=source)


def _open_facts(con: duckdb.DuckDBPyConnection, pick: random.Random, source: int) -> list[Any]:
    _insert(con, "benchmark", [(2, "Words", "open", "graded", "micro", source, None, None)])
    _insert(con, "dataset", [(3, 2, "Words", None, None, None, source)])
    _insert(
        con,
        "ability",
        [(n, 2, "capability", f"cap {n}", f"c{n}", n, None, source, None) for n in (6, 7)],
    )
    subjects = []
    texts = {question: nasty(pick) for question in range(101, 121)}
    references = {q: [nasty(pick)[:60] for _ in range(pick.randrange(0, 4))] for q in texts}
    _insert(con, "question", [(q, 3, f"o{q}", text, source) for q, text in texts.items()])
    _insert(con, "question_pass", [(q, 0, source) for q in texts])
    _insert(
        con,
        "reference_answer",
        [(q, n, text, source) for q, of_one in references.items() for n, text in enumerate(of_one)],
    )
    _insert(
        con,
        "question_ability",
        [(q, ability, source) for q in texts for ability in ((6,), (6, 7), ())[q % 3]],
    )
    said = []
    for run in (8, 9):
        _insert(
            con,
            "run",
            [
                (
                    run,
                    run - 7,
                    3,
                    "o",
                    "test",
                    "generation",
                    None,
                    None,
                    "2026-03-04 05:06:07.000008",
                    source,
                    None,
                    None,
                )
            ],
        )
        _insert(con, "run_sample", [(run, sample) for sample in range(run - 7)])
        for question, text in texts.items():
            for sample in range(run - 7):
                answer = pick.choice([nasty(pick), nasty(pick), pick.choice(PIECES), None])
                if pick.random() < 0.9:
                    said.append((run, question, 0, sample, answer, pick.random() < 0.05))
                    if answer is not None:
                        subject = open_answer_hash(text, references[question], answer)
                        subjects.append((subject, None, run))
    _insert(con, "prediction", said)
    return subjects


def _open_judgments(
    con: duckdb.DuckDBPyConnection, pick: random.Random, source: int, subjects: list[Any]
) -> None:
    for name, task, n_samples in (("soft", "soft_score", 3), ("marks", "mark", 1)):
        judge = judges.Judge(name, task, "llm", max_attempts=2)
        number = judges.register(con, judge, source_id=source)
        rows = []
        for subject, labels, _ in subjects:
            for sample in range(n_samples):
                rows += _attempts(pick, subject, labels, 2, judge_sample=sample)
        judges.store(con, number, rows, source_id=source)


def _attempts(
    pick: random.Random, subject: str, labels: Sequence[str] | None, most: int, **more: Any
) -> Iterable[judges.Judgment]:
    """What a judge said of a subject, try after try: usable, nothing to be read, refused, cut, failed."""
    for attempt in range(pick.choice([0, 1, most, most])):
        reply: str | None = pick.choice(
            [nasty(pick), *(labels or ("0", "1", ".5", "0.75", "4", "1.")), "hm"]
        )
        ending = pick.choice([None, None, "stop", "length", "content_filter"])
        error, refusal = None, None
        if pick.random() < 0.1:
            reply, error = None, "timed out"
        elif pick.random() < 0.05:
            reply, refusal = None, "I won't"
        yield judges.Judgment(
            subject, reply, labels=labels, attempt=attempt, error=error, refusal=refusal,
            finish_reason=ending, cost_usd=pick.random(), **more,
        )  # fmt: skip


def _insert(
    con: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[Any] | Mapping[str, Any]]
) -> None:
    values = [list(row) for row in rows]
    if values:
        con.executemany(f"INSERT INTO main.{table} VALUES ({', '.join('?' * len(values[0]))})", values)  # fmt: skip

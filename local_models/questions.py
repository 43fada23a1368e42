"""The questions of a dataset, with what a local model is shown of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import duckdb

from warehouse import models, statements
from warehouse.errors import UsageError

ANSWER, TEXT, IMAGE = "answer", "text", "image"
"""What an answer consists of: one part, or a text and an image."""

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Dataset:
    """A dataset of a multiple-choice benchmark."""

    dataset_id: int
    name: str
    benchmark: str
    version: str | None
    split: str | None
    language: str | None


@dataclass(frozen=True)
class Question:
    """A pass of a question.

    Attributes:
        text: the question's text, after its hint if it has one.
        choices: label and text, in order.
        components: what an answer consists of (ANSWER, or TEXT and IMAGE).
    """

    key: str
    step: int
    text: str
    choices: tuple[tuple[str, str], ...]
    components: frozenset[str]


def find_dataset(
    con: duckdb.DuckDBPyConnection,
    *,
    benchmark: str | None = None,
    version: str | None = None,
    split: str | None = None,
    language: str | None = None,
) -> Dataset:
    """The one dataset that fits; None fits any.

    Raises:
        UsageError: there is none, or several, or its questions have no choices.
    """
    rows = con.execute(_SQL["datasets"]).fetchall()
    given = (version, split, language)
    fitting = [
        row
        for row in rows
        if (benchmark is None or row[2].lower() == benchmark.lower())
        and all(said is None or said == here for said, here in zip(given, row[4:], strict=True))
    ]
    if not fitting:
        there = ", ".join(str(row[1]) for row in rows)
        raise UsageError(f"no such dataset in the warehouse; it has {there or 'none'}")
    if len(fitting) > 1:
        names = ", ".join(str(row[1]) for row in fitting)
        raise UsageError(
            f"could be of {names}; say which with --benchmark, --split, --version or --language"
        )
    dataset_id, name, its_benchmark, task, *identity = fitting[0]
    if task != "choice":
        raise UsageError(f"{name}: its questions are answered in words; there are no choices")
    return Dataset(dataset_id, name, its_benchmark, *identity)


def read_questions(
    con: duckdb.DuckDBPyConnection, dataset: Dataset, *, every_pass: bool
) -> tuple[Question, ...]:
    """The dataset's questions in its own order: pass 0, or every pass."""
    place = {"dataset_id": dataset.dataset_id}
    hints = dict(con.execute(_SQL["hints"], place).fetchall())
    components: dict[int, set[str]] = {}
    for question_id, component in con.execute(_SQL["components"], place).fetchall():
        components.setdefault(question_id, set()).add(component)
    found = []
    rows = con.execute(_SQL["choices"], place).fetchall()
    for (question_id, key, text, step), group in groupby(rows, key=lambda row: row[:4]):
        if step and not every_pass:
            continue
        hint = hints.get(question_id, "").strip()
        found.append(
            Question(
                key=key,
                step=step,
                text=f"{hint}\n{text}".strip() if hint and text.strip() else text.strip(),
                choices=tuple((row[4], row[5]) for row in group),
                components=frozenset(components.get(question_id, {ANSWER})),
            )
        )
    return tuple(found)


def refuse_known_run(
    con: duckdb.DuckDBPyConnection, model: str, dataset: Dataset, label: str
) -> None:
    """Before hours of work: see that the run's place is free.

    Raises:
        UsageError: the model has a run of that label on the dataset.
    """
    model_id = models.find(con, model)
    if model_id is None:
        return
    row = con.execute(
        _SQL["live_run"],
        {"model_id": model_id, "dataset_id": dataset.dataset_id, "label": label},
    ).fetchone()
    if row is not None:
        raise UsageError(
            f"there is a run {label} of {model} on {dataset.name} already (run {row[0]}); --replace "
            "supersedes it, --run LABEL keeps both"
        )

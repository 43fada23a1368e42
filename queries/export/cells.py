"""The cells of a run's file, row by row: index, question, choices, prediction, and what else is
known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from queries import session
from queries.export.chosen import Run
from warehouse.errors import UsageError

PASS_STEP = 1_000_000
"""Between the indexes of a question's passes."""

Row = Mapping[str, int | str | None]


@dataclass(frozen=True)
class Facts:
    """What the columns of a prediction file are made of, by question, or question and pass."""

    passes: tuple[dict[str, Any], ...]
    choices: Mapping[tuple[int, int], Mapping[str, str]]
    attributes: Mapping[int, Mapping[str, str]]
    abilities: Mapping[int, Sequence[tuple[str, str | None]]]
    of_answers: Mapping[tuple[int, int, int], Mapping[str, str]]
    """What stood next to each answer, by run, question and pass."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that a choice has, in the order of the alphabet."""
        return tuple(sorted({label for of_pass in self.choices.values() for label in of_pass}))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of an attribute."""
        return tuple(dict.fromkeys(name for of_one in self.attributes.values() for name in of_one))


def facts(con: duckdb.DuckDBPyConnection, runs: Sequence[Run], sample: int) -> Facts:
    """Read what is known of the runs' questions and what they answered."""
    parameters = {"run_ids": [run.run_id for run in runs]}
    choices: dict[tuple[int, int], dict[str, str]] = {}
    for question, step, label, text in session.frame(con, "export_choices", parameters).iter_rows():
        choices.setdefault((question, step), {})[label] = text
    attributes: dict[int, dict[str, str]] = {}
    for question, name, value in session.frame(con, "export_attributes", parameters).iter_rows():
        attributes.setdefault(question, {})[name] = value
    abilities: dict[int, list[tuple[str, str | None]]] = {}
    for question, _, name, above in session.frame(con, "export_abilities", parameters).iter_rows():
        abilities.setdefault(question, []).append((name, above))
    of_sample = {**parameters, "sample": sample}
    of_answers: dict[tuple[int, int, int], dict[str, str]] = {}
    for *place, name, value in session.frame(con, "export_answer_columns", of_sample).iter_rows():
        run, question, step = place
        of_answers.setdefault((run, question, step), {})[name] = value
    passes = session.frame(con, "export_passes", of_sample).to_dicts()
    return Facts(tuple(passes), choices, attributes, abilities, of_answers)


def rows(known: Facts, passes: Sequence[dict[str, Any]]) -> list[Row]:
    """Each pass as a row by column; what is not known has no column in it.

    Raises:
        UsageError: an index cannot say which question and pass it is.
    """
    made: list[Row] = []
    for one in passes:
        question, step = one["question_id"], one["pass"]
        filed = known.abilities.get(question, ())
        above = [name for _, name in filed if name is not None]
        made.append(
            {
                # Filed together, they stand with commas between, as MM-Vet's do.
                "category": ",".join(name for name, _ in filed) or None,
                "l2-category": above[0] if above else None,
                **known.attributes.get(question, {}),
                **known.of_answers.get((one["run_id"], question, step), {}),
                "index": index(one["question_key"], step),
                "question": one["question"],
                "split": one["split"],
                **({} if one["answer"] is None else {"answer": one["answer"]}),
                **known.choices.get((question, step), {}),
                "prediction": one["prediction"],
            }
        )
    return made


def index(key: str, step: int) -> int | str:
    """The index of a question's pass: the key plus a million for each pass before it.

    Raises:
        UsageError: the key is no number, or too large to number the passes.
    """
    is_number = key.isascii() and key.isdigit() and str(int(key)) == key
    if is_number and (int(key) < PASS_STEP or step == 0):
        return int(key) + step * PASS_STEP
    if step == 0:
        return key
    raise UsageError(
        f"pass {step} of question {key} has no index: that is the key plus {PASS_STEP:,} for each "
        "pass, and so wants keys that are whole numbers below it"
    )

"""Scores of images as rows of a run, together with scores that another method gave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from local_models.manifest import Comparison, Row, Table, read_table
from local_models.questions import ANSWER, IMAGE, TEXT, Dataset, Question
from warehouse.errors import InputError

COMPONENTS = (ANSWER, IMAGE)
"""What a similarity can be of."""

_ENDLESS = {"loglik": -math.inf, "perplexity": math.inf}
"""The infinity that a method knows: the likelihood of what cannot be, and its perplexity."""


def image_components(
    comparisons: Sequence[Comparison],
    questions: Mapping[str, Question],
    dataset: Dataset,
    given: str | None,
) -> tuple[str, ...]:
    """The part of the answer that each comparison is about.

    Args:
        questions: the dataset's, by key.
        given: what the user said; None: the image of an answer in two parts, else the whole answer.

    Raises:
        InputError: the dataset has no such question or choice, or its answer has no such part.
    """
    found = []
    for one in comparisons:
        question = questions.get(one.question_key)
        if question is None:
            raise InputError(
                one.generated.manifest,
                f"{dataset.name} has no question {one.question_key}",
                row=one.generated.row,
                field="question_key",
            )
        if one.label not in dict(question.choices):
            raise InputError(
                one.choice.manifest,
                f"{one.label!r} is no choice of question {one.question_key}",
                row=one.choice.row,
                field="label",
            )
        component = given or (IMAGE if IMAGE in question.components else ANSWER)
        if component not in question.components:
            raise InputError(
                one.generated.manifest,
                f"an answer to question {one.question_key} consists of "
                f"{' and '.join(sorted(question.components))}, not of {component}",
                row=one.generated.row,
                field="question_key",
            )
        found.append(component)
    return tuple(found)


def n_incomplete(comparisons: Sequence[Comparison], questions: Mapping[str, Question]) -> int:
    """How many generated images are not compared with every choice of their question."""
    compared: dict[tuple[str, str], int] = {}
    for one in comparisons:
        place = (one.model, one.question_key)
        compared[place] = compared.get(place, 0) + 1
    return sum(n < len(questions[key].choices) for (_, key), n in compared.items())


def read_scores(
    path: Path,
    questions: Mapping[str, Question],
    dataset: Dataset,
    models: Sequence[str],
    method: str | None = None,
) -> list[dict[str, object]]:
    """Choice scores in our long format, which belong to the same runs as the images.

    Args:
        questions: the dataset's, by key.
        models: those that generated the images. A file without a column model is the only one's.
        method: how the scores came about: a likelihood can be 0 (-inf), a perplexity endless.

    Raises:
        InputError: a score cannot be read as it stands, or is not of these models or this dataset.
    """
    table = read_table(path)
    for column in ("question_key", "label", "score"):
        if column not in table.columns:
            raise InputError(path, "is missing", row=0, field=column)
    if "model" not in table.columns and len(models) > 1:
        raise InputError(
            path, f"does not state which of {', '.join(models)} it is of", field="model"
        )
    found: list[dict[str, object]] = []
    for row in table.rows:
        key = table.required(row, "question_key")
        if key not in questions:
            raise table.error(row, "question_key", f"{dataset.name} has no question {key}")
        model = table.required(row, "model") if "model" in table.columns else models[0]
        if model not in models:
            raise table.error(
                row, "model", f"the images are of {', '.join(models)}, not of {model}"
            )
        split = row.cells.get("split")
        if split not in (None, dataset.split):
            raise table.error(row, "split", f"is not that of {dataset.name}")
        scorer = row.cells.get("scorer")
        step = _whole(table, row, "pass") or 0
        label = table.required(row, "label")
        if step == 0 and label not in dict(questions[key].choices):
            raise table.error(row, "label", f"{label!r} is no choice of question {key}")
        its_own = TEXT if TEXT in questions[key].components else ANSWER
        found.append(
            {
                "model": model,
                "split": dataset.split,
                "question_key": key,
                "pass": step,
                "sample": _whole(table, row, "sample") or 0,
                "component": row.cells.get("component") or its_own,
                "label": label,
                "score": _number(table, row, None if scorer else _ENDLESS.get(method or "")),
                "n_tokens": _whole(table, row, "n_tokens"),
                "scorer": scorer,
            }
        )
    return found


def refuse_overlap(
    path: Path, scores: Sequence[Mapping[str, object]], images: Sequence[Mapping[str, object]]
) -> None:
    """See that no choice has a score in the file and a similarity.

    Raises:
        InputError: one has; the error names its row in the file.
    """
    place = ("model", "question_key", "pass", "sample", "component", "label")
    compared = {tuple(row[name] for name in place) for row in images}
    for number, row in enumerate(scores, start=1):
        if tuple(row[name] for name in place) in compared:
            raise InputError(
                path,
                f"the {row['component']} of question {row['question_key']} is scored here and by its "
                "image",
                row=number,
                field="component",
            )


def _whole(table: Table, row: Row, field: str) -> int | None:
    value = row.cells.get(field)
    if value is None:
        return None
    if not (value.isascii() and value.isdigit()) or int(value) > 2**31 - 1:
        raise table.error(row, field, f"{value!r} is no whole number from 0, or too large")
    return int(value)


def _number(table: Table, row: Row, endless: float | None) -> float:
    """A score: finite, or the one infinity that its method knows."""
    value = table.required(row, "score")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not math.isfinite(number) and number != endless:
        raise table.error(row, "score", f"{value!r} is no finite number")
    return number

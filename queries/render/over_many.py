"""A comparison over several datasets as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from queries.equivalence import COLUMN
from queries.over_many import ComparisonOfMany
from queries.render.pairs import Shown, count_cell, percent_cell, probability_cell
from queries.render.printed import Cell, Column, Printed, Row
from warehouse.benchmark import HALF_UP


def over_many_table(found: ComparisonOfMany, *, digits: int) -> Printed:
    """A comparison over several datasets as it is printed, in percent: the mean, and each dataset."""
    rows = found.frame.to_dicts()
    shown = list(_columns(found, rows, digits))
    one, two = found.names
    board = f"{found.board} · " if found.board else ""
    return Printed(
        name=f"{one} {two}",
        title=f"{board}Mean of {found.counted} · {one} less {two} · release {found.release}",
        columns=tuple(column for column, _ in shown),
        rows=tuple(Row(tuple(cell(row) for _, cell in shown)) for row in rows),
        notes=tuple(_notes(found, rows)),
    )


def _columns(found: ComparisonOfMany, rows: list[dict[str, Any]], digits: int) -> Iterator[Shown]:
    first = "Column" if found.board else "Dataset"
    for heading, name in ((first, "dataset"), ("Strategy", "strategy"), ("Judge", "judge")):
        yield Column(heading, is_text=True), _text(name)
    yield Column("Average", is_text=True), _text("average")
    yield Column("Questions"), count_cell("n")
    if any(row["n_clusters"] < row["n"] for row in rows):
        yield Column(found.cluster or "Images"), count_cell("n_clusters")
    for heading, name in zip(found.names, ("score_a", "score_b"), strict=True):
        yield Column(heading, digits=digits), percent_cell(name, digits, HALF_UP)
    for heading, name in (("Difference", "difference"), ("95 % from", "low"), ("to", "high")):
        yield Column(heading, digits=digits), percent_cell(name, digits, HALF_UP, sign=True)
    yield Column("p"), probability_cell("p_value")
    if found.margin is not None:
        yield Column(f"p (±{100 * found.margin:g})"), probability_cell(COLUMN)
    if any(row["n_pending"] for row in rows):
        yield Column("Pending"), count_cell("n_pending")


def _notes(found: ComparisonOfMany, rows: list[dict[str, Any]]) -> Iterator[str]:
    yield (
        f"Each {'column' if found.board else 'dataset'} counts alike, by its main figure, over the questions that "
        "both answered; p of the mean: "
        + (
            "an exact test of the questions' signs, as five or fewer are apart."
            if rows[0]["test"] == "signs"
            else "a t test with the degrees of Welch and Satterthwaite."
        )
    )
    if len(found.parts) > len(rows) - 1:
        yield (
            "The mean of several figures is taken to vary as if they went together, so that its interval is no "
            "narrower than it should be."
        )
    apart = [part.a.dataset for part in found.parts if part.on_boards is not None]
    if apart:
        yield (
            f"Boards of {found.release} score the questions of {', '.join(apart)} by a rule of its own. What is "
            "compared here are the questions' scores."
        )
    for name, figure in found.others:
        yield f"{name} is compared by its questions' scores; the board's {figure} is no mean of them."
    if found.margin is not None:
        yield (
            f"p (±{100 * found.margin:g}): that the true difference is less than {100 * found.margin:g} percentage "
            "points, by two one-sided t tests; small where that is so."
        )
    without = [row["dataset"] for row in rows[1:] if row["difference"] is None]
    if without:
        yield f"There is no mean, as there is no difference on {', '.join(without)} yet."
    elif rows[0]["stderr"] is None:
        yield "The mean has no interval, as one dataset has too few questions or clusters for one."
    left_out = rows[0]["n_common"] - rows[0]["n"] - rows[0]["n_pending"] - rows[0]["n_hidden"]
    if left_out:
        yield (
            f"{left_out:,} of {rows[0]['n_common']:,} questions are left out, as one of the two has no answer."
        )


def _text(name: str) -> Any:
    def cell(row: dict[str, Any]) -> Cell:
        value = row[name]
        return Cell("" if value is None else str(value), value)

    return cell

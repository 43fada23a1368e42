"""Comparisons of two runs, and over several datasets, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import Any

from queries.board import hidden_note
from queries.choosing import WHOLE
from queries.comparison import Comparison
from queries.decimals import NOTHING, decimals, percent
from queries.equivalence import COLUMN
from queries.over_many import ComparisonOfMany
from queries.render.printed import KEPT, Cell, Column, Printed, Row
from warehouse.benchmark import HALF_UP


def over_many_table(found: ComparisonOfMany, *, digits: int) -> Printed:
    """A comparison over several datasets as it is printed, in percent: the mean, and each dataset."""
    rows = found.frame.to_dicts()
    shown = list(_many_columns(found, rows, digits))
    one, two = found.names
    board = f"{found.board} · " if found.board else ""
    return Printed(
        name=f"{one} {two}",
        title=f"{board}Mean of {found.counted} · {one} less {two} · release {found.release}",
        columns=tuple(column for column, _ in shown),
        rows=tuple(Row(tuple(cell(row) for _, cell in shown)) for row in rows),
        notes=tuple(_many_notes(found, rows)),
    )


def _many_columns(
    found: ComparisonOfMany, rows: list[dict[str, Any]], digits: int
) -> Iterator[Shown]:
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


def _many_notes(found: ComparisonOfMany, rows: list[dict[str, Any]]) -> Iterator[str]:
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


_WEIGHTS = {"Difference": KEPT, "p": 8, "95 % from": 7, "to": 7, "p (Holm)": 6}
"""On a narrow terminal; the scores are kept as well, other columns are counts and notes."""

Shown = tuple[Column, Callable[[dict[str, Any]], Cell]]


def comparison_table(found: Comparison, *, digits: int) -> Printed:
    """A comparison as it is printed, in percent; differences in percentage points.

    Args:
        digits: decimals of the percentages.
    """
    rows = found.frame.to_dicts()
    shown = list(_columns(found, rows, digits))
    subset = "" if found.subset == WHOLE else f" · subset {found.subset}"
    one, two = found.names
    return Printed(
        name=f"{one} {two}",
        title=(
            f"{_datasets(found)}{subset} · {one} less {two} · {found.strategy} · "
            f"judge {found.judge} · {found.average} · release {found.release}"
        ),
        columns=tuple(_weighted(column, found.names) for column, _ in shown),
        rows=tuple(Row(tuple(cell(row) for _, cell in shown)) for row in rows),
        notes=tuple(_notes(found, rows, digits)),
        keys=(("Dataset", _datasets(found)),),
    )


def _weighted(column: Column, names: tuple[str, str]) -> Column:
    weight = KEPT if column.heading in names else _WEIGHTS.get(column.heading, 4)
    return replace(column, weight=weight)


def comparison_json(found: Comparison) -> dict[str, object]:
    """A comparison with every column of the view, unrounded."""
    return {
        "a": asdict(found.a),
        "b": asdict(found.b),
        "level": found.level,
        "strategy": found.strategy,
        "judge": found.judge,
        "subset": found.subset,
        "average": found.average,
        "cluster": found.cluster,
        "release": found.release,
        "alike": None if found.alike is None else asdict(found.alike),
        "on_boards": found.on_boards,
        "rows": found.frame.to_dicts(),
    }


def _datasets(found: Comparison) -> str:
    return " and ".join(dict.fromkeys((found.a.dataset, found.b.dataset)))


def _columns(found: Comparison, rows: list[dict[str, Any]], digits: int) -> Iterator[Shown]:
    one, two = found.names
    tie = found.rounding
    yield (
        Column("Ability", is_text=True),
        lambda row: Cell(row["abbreviation"], row["abbreviation"]),
    )
    yield Column("Questions" if found.group is None else "Groups"), count_cell("n")
    # Said where it makes a difference.
    clustered = any(row["n_clusters"] < row["n"] for row in rows)
    if clustered:
        yield Column(found.cluster or "Images"), count_cell("n_clusters")
    # The score is over them, and questions may have more or fewer.
    if found.strategy == "vanilla_all" and "weight_a" in found.frame.columns:
        yield Column("Passes"), _passes
    for name, column in ((one, "score_a"), (two, "score_b")):
        yield Column(name, digits=digits), percent_cell(column, digits, tie)
    yield Column("Difference", digits=digits), percent_cell("difference", digits, tie, sign=True)
    yield Column("95 % from", digits=digits), percent_cell("low", digits, tie, sign=True)
    yield Column("to", digits=digits), percent_cell("high", digits, tie, sign=True)
    if any(row["n_a_alone"] is not None for row in rows):
        yield Column(f"Only {one}"), count_cell("n_a_alone")
        yield Column(f"Only {two}"), count_cell("n_b_alone")
    yield Column("p"), probability_cell("p_value")
    if len(rows) > 1:
        yield Column("p (Holm)"), probability_cell("p_holm")
    # A note says which, where it is one for all.
    if len({row["test"] for row in rows if row["p_value"] is not None}) > 1:
        yield Column("Test", is_text=True), _test
    if found.margin is not None:
        yield Column(f"p (±{100 * found.margin:g})"), probability_cell(COLUMN)
    # It takes questions on one image for independent.
    if any(row["mcnemar_p_value"] is not None and row["test"] == "t" for row in rows):
        yield Column("p (McNemar)"), probability_cell("mcnemar_p_value")
    if any(row["n_missing_a"] or row["n_missing_b"] for row in rows):
        yield Column("Missing"), _missing
    if any(row["n_pending"] for row in rows):
        yield Column("Pending"), count_cell("n_pending")


def _notes(found: Comparison, rows: list[dict[str, Any]], digits: int) -> Iterator[str]:
    tests = {row["test"] for row in rows if row["p_value"] is not None}
    said = {
        "mcnemar": "McNemar's exact test",
        "signs": "an exact test of the questions' signs",
        "t": "a paired t test",
    }
    if found.group is not None:
        yield f"Over groups ({found.group}), in which a missing answer is wrong."
    if tests:
        clustered = any(row["n_clusters"] < row["n"] for row in rows)
        yield (
            f"p: {' or '.join(said[test] for test in sorted(tests))}"
            + (
                " (exact where five or fewer questions are apart)"
                if len(tests) > 1 and (clustered or "signs" in tests)
                else ""
            )
            + (f"; Holm's correction is over the level {found.level}" if len(rows) > 1 else "")
            + ". The interval is "
            + (
                f"clustered by {found.cluster or 'image'}, and so is t."
                if clustered
                else f"paired by {'question' if found.group is None else 'group'}."
            )
        )
    if found.margin is not None:
        yield (
            f"p (±{100 * found.margin:g}): that the true difference is less than {100 * found.margin:g} percentage "
            "points, by two one-sided t tests; small where that is so."
        )
    if found.average == "macro":
        yield "Macro: scores are means of abilities' scores; abilities without abilities below are over questions."
    elif found.board_average != "micro":
        yield (
            f"Over {'questions' if found.group is None else 'groups'} (micro), where the board of "
            f"{found.a.benchmark} is over abilities "
            f"({found.board_average}): it may put them in another order."
        )
    overall = rows[0]
    if overall["n_missing_a"] or overall["n_missing_b"]:
        yield (
            f"{overall['n_common'] - overall['n'] - overall['n_pending'] - overall['n_hidden']:,} of "
            f"{overall['n_common']:,} questions are left out, as one of the two has no answer: "
            f"{found.names[0]} {overall['n_missing_a']:,}, {found.names[1]} {overall['n_missing_b']:,}."
        )
    if overall["n_pending"]:
        yield f"- where verdicts of {found.judge} are pending."
    if overall["n_hidden"]:
        yield hidden_note(overall["n_hidden"])
    if found.on_boards is not None:
        scores = " and ".join(
            f"{name} {percent(score, digits, found.rounding)}"
            for name, score in zip(found.names, found.on_boards, strict=True)
        )
        yield (
            f"Boards of {found.release} have {scores}: they score the same questions by a rule of its own. "
            "What is compared here are the questions' scores."
        )
    if found.alike is not None:
        if found.alike.n_other_answers:
            yield (
                f"Of {found.alike.n_common:,} questions with the same key, "
                f"{found.alike.n_other_answers:,} have another right answer in pass 0: are they the same?"
            )
        if found.alike.n_other_images:
            yield (
                f"Of {found.alike.n_common:,} questions with the same key, "
                f"{found.alike.n_other_images:,} have other images."
            )


def count_cell(name: str) -> Callable[[dict[str, Any]], Cell]:
    def cell(row: dict[str, Any]) -> Cell:
        value = row[name]
        return Cell(NOTHING, None) if value is None else Cell(f"{value:,}", value)

    return cell


def _missing(row: dict[str, Any]) -> Cell:
    shown = f"{row['n_missing_a']:,}, {row['n_missing_b']:,}"
    return Cell(shown, shown)


def _test(row: dict[str, Any]) -> Cell:
    shown = (
        {"mcnemar": "exact", "signs": "exact", "t": "t"}[row["test"]]
        if row["p_value"] is not None
        else None
    )
    return Cell(shown or NOTHING, shown)


def _passes(row: dict[str, Any]) -> Cell:
    one, two = row["weight_a"], row["weight_b"]
    return Cell(f"{one:,}", one) if one == two else Cell(f"{one:,}, {two:,}", f"{one:,}, {two:,}")


def percent_cell(
    name: str, digits: int, tie: str, *, sign: bool = False
) -> Callable[[dict[str, Any]], Cell]:
    def cell(row: dict[str, Any]) -> Cell:
        value = row[name]
        if value is None:
            return Cell(NOTHING, None)
        shown = percent(value, digits, tie)
        is_positive = sign and any(digit in "123456789" for digit in shown) and value > 0
        return Cell(f"+{shown}" if is_positive else shown, value * 100)

    return cell


def probability_cell(name: str) -> Callable[[dict[str, Any]], Cell]:
    def cell(row: dict[str, Any]) -> Cell:
        value = row[name]
        if value is None:
            return Cell(NOTHING, None)
        return Cell(decimals(value, 3) if value >= 0.001 else f"{value:.1e}", value)

    return cell

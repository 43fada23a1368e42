"""What a comparison over several datasets is the mean of: datasets, or the columns of a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from queries import many_benchmarks
from queries.choosing import GROUP
from queries.comparison import Side
from queries.many_benchmarks import Figure
from queries.paired import runs_of
from queries.release import default_name
from warehouse import statements
from warehouse.errors import UsageError

_SQL = statements.of_module(__file__)
EVERY = "all"
_MEANS = ("micro", "macro", "sum")
"""Figures that a mean of questions' or groups' scores stands for; a sum is one times their number."""


@dataclass(frozen=True)
class Part:
    """Two runs of a dataset, and how they are compared."""

    a: Side
    b: Side
    strategy: str
    average: str


@dataclass(frozen=True)
class Column:
    """A dataset, or a board's column: the mean of its parts.

    Attributes:
        instead_of: the figure of the board that it is not, as no mean of scores stands for it.
    """

    name: str
    parts: tuple[Part, ...]
    instead_of: str | None = None


def columns(
    con: duckdb.DuckDBPyConnection, model_a: str, model_b: str, over: str
) -> tuple[str | None, tuple[Column, ...]]:
    """The title of the board, if it is one, and the columns.

    Args:
        con: with the release in use.
        over: names of datasets or benchmarks with commas between, all, a board's name or its file.

    Raises:
        UsageError: a name means no dataset of both, a model has several runs of that label on one, or one of
            the two has no run for a column of the board.
    """
    of_a, of_b = (_by_dataset(runs_of(con, name, None), name) for name in (model_a, model_b))
    pairs = {name: (side, of_b[name]) for name, side in of_a.items() if name in of_b}
    if over in many_benchmarks.shipped_names() or over.endswith(".toml"):
        board = many_benchmarks.load(over)
        made = []
        for column in board.columns:
            made.append(
                _column(
                    con, column.name, [(_fitting(con, one, pairs), one.figure) for one in column.of]
                )
            )
        missing = [column.name for column in made if not column.parts]
        if missing:
            raise UsageError(
                f"{board.title}: {model_a} and {model_b} have no runs of the same dataset for "
                f"{', '.join(missing)}; its mean is over all columns"
            )
        return board.title, tuple(made)
    chosen = _named(over, pairs, f"{model_a} and {model_b}")
    return None, tuple(_column(con, name, [([pairs[name]], None)]) for name in chosen)


def _named(over: str, pairs: dict[str, tuple[Side, Side]], names: str) -> list[str]:
    chosen: list[str] = []
    for name in (one.strip() for one in over.split(",") if one.strip()):
        found = [
            dataset
            for dataset, (side, _) in pairs.items()
            if name in (dataset, EVERY) or side.benchmark.lower() == name.lower()
        ]
        if not found:
            raise UsageError(
                f"no dataset {name!r} of both {names}; there are {', '.join(pairs) or 'none'}"
            )
        chosen += [one for one in found if one not in chosen]
    if not chosen:
        raise UsageError(
            f"--over is names of datasets with commas between, {EVERY}, or a board: "
            f"{', '.join(many_benchmarks.shipped_names())} or a .toml file"
        )
    return chosen


def _by_dataset(sides: Sequence[Side], name: str) -> dict[str, Side]:
    found = {side.dataset: side for side in sides}
    if len(found) < len(sides):
        raise UsageError(
            f"{name} is the label of several runs, of {', '.join(side.model for side in sides)}: "
            "say which as MODEL/LABEL"
        )
    return found


def _fitting(
    con: duckdb.DuckDBPyConnection, figure: Figure, pairs: dict[str, tuple[Side, Side]]
) -> list[tuple[Side, Side]]:
    """The runs of the dataset that a board's figure means; none where one of the two has none."""
    rows = con.execute(_SQL["datasets"], {"benchmark": figure.benchmark}).fetchall()
    wanted = (figure.version, figure.split, figure.language)
    found = [
        name
        for name, *place in rows
        if name in pairs and all(one in (None, its) for one, its in zip(wanted, place, strict=True))
    ]
    if len(found) > 1:
        raise UsageError(
            f"{figure.benchmark} means {' and '.join(found)} here; its board has to say version, split or "
            "language"
        )
    return [pairs[name] for name in found]


def _column(
    con: duckdb.DuckDBPyConnection,
    name: str,
    of: Sequence[tuple[list[tuple[Side, Side]], str | None]],
) -> Column:
    """The column of these runs, each with the figure that is wanted; without parts where some have no runs."""
    if any(not runs for runs, _ in of):
        return Column(name, ())
    parts: list[Part] = []
    instead_of = None
    for runs, figure in of:
        ((a, b),) = runs
        ways, other = _ways(con, a.benchmark_id, figure)
        instead_of = instead_of or other
        parts += [Part(a, b, strategy, average) for strategy, average in ways]
    return Column(name, tuple(parts), instead_of)


def _ways(
    con: duckdb.DuckDBPyConnection, benchmark_id: int, figure: str | None
) -> tuple[list[tuple[str, str]], str | None]:
    """The strategies and averages that a figure is the mean of, by default of the main one; where it is no such
    mean, those of the benchmark, and the figure's name.

    Raises:
        UsageError: the benchmark has no such figure, or the release no figures.
    """
    try:
        rows = con.execute(_SQL["figures"], {"benchmark_id": benchmark_id}).fetchall()
    except duckdb.CatalogException as error:
        raise UsageError(
            "--over compares the figures that benchmarks declare, of which the release in use has no "
            f"view; {default_name()} has one"
        ) from error
    by_name = {name: rest for name, *rest in rows}
    chosen = figure or ("Overall" if "Overall" in by_name else rows[0][0])
    if chosen not in by_name:
        raise UsageError(f"no figure {chosen!r} of that benchmark; there are {', '.join(by_name)}")
    aggregate, _, level, parts = by_name[chosen]
    names = parts if aggregate == "mean" and level is None and parts else [chosen]
    of = [by_name.get(name) for name in names]
    if all(one is not None and _is_mean(*one) for one in of):
        return [_way(one[0], one[1]) for one in of if one is not None], None
    ((strategy, average),) = con.execute(
        "SELECT strategy, average FROM main.benchmark WHERE benchmark_id = ?", [benchmark_id]
    ).fetchall()
    return [_way(average, strategy)], chosen


def _is_mean(aggregate: str, strategy: str, level: str | None, parts: list[str] | None) -> bool:
    return aggregate in _MEANS and level is None and parts is None and bool(strategy)


def _way(aggregate: str, strategy: str) -> tuple[str, str]:
    """Groups are counted, and not averaged over abilities."""
    is_macro = aggregate == "macro" and not strategy.startswith(GROUP)
    return strategy, "macro" if is_macro else "micro"

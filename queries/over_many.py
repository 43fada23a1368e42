"""Two models compared over several datasets, or the columns of a board: the mean of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any

import duckdb

from queries import many_benchmarks, session, shown
from queries.choosing import GROUP, judges_of_board
from queries.comparison import Comparison, Side, difference
from queries.equivalence import with_equivalence
from queries.many_benchmarks import Figure
from queries.options import CompareOptions, OverOptions
from queries.paired import MOST_APART, compare_sides, runs_of
from queries.release import default_name
from warehouse import statements
from warehouse.benchmark import HALF_UP
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)

_EVERY = "all"
_MEANS = ("micro", "macro", "sum")
"""Figures that a mean of questions' or groups' scores stands for; a sum is one times their number."""


@dataclass(frozen=True)
class _Part:
    """Two runs of a dataset, and how they are compared."""

    a: Side
    b: Side
    strategy: str
    average: str


@dataclass(frozen=True)
class _Column:
    """A dataset, or a board's column: the mean of its parts.

    Attributes:
        instead_of: the figure of the board that it is not, as no mean of scores stands for it.
    """

    name: str
    parts: tuple[_Part, ...]
    instead_of: str | None = None


def _averaged_columns(
    con: duckdb.DuckDBPyConnection, model_a: str, model_b: str, over: str
) -> tuple[str | None, tuple[_Column, ...]]:
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
            if name in (dataset, _EVERY) or side.benchmark.lower() == name.lower()
        ]
        if not found:
            raise UsageError(
                f"no dataset {name!r} of both {names}; there are {', '.join(pairs) or 'none'}"
            )
        chosen += [one for one in found if one not in chosen]
    if not chosen:
        raise UsageError(
            f"--over is names of datasets with commas between, {_EVERY}, or a board: "
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
) -> _Column:
    """The column of these runs, each with the figure that is wanted; without parts where some have no runs."""
    if any(not runs for runs, _ in of):
        return _Column(name, ())
    parts: list[_Part] = []
    instead_of = None
    for runs, figure in of:
        ((a, b),) = runs
        ways, other = _ways(con, a.benchmark_id, figure)
        instead_of = instead_of or other
        parts += [_Part(a, b, strategy, average) for strategy, average in ways]
    return _Column(name, tuple(parts), instead_of)


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


_ALONE = ("n_a_alone", "n_b_alone")
_COUNTS = ("n_common", "n", "n_missing_a", "n_missing_b", "n_pending", "n_hidden", "n_clusters")


@dataclass(frozen=True)
class ComparisonOfMany:
    """Model `a` compared with model `b` over several datasets, of which each counts alike.

    Attributes:
        names: of the two.
        parts: the comparisons that it is made of, in the order of the rows.
        frame: the mean first, then a row per dataset, or column of a board: dataset, strategy, judge, average,
            and the columns of paired_difference that both have.
        board: the board's title; None: datasets are compared.
        others: the columns, and the figures of the board that they are not.
    """

    names: tuple[str, str]
    parts: tuple[Comparison, ...]
    frame: pl.DataFrame
    release: str
    margin: float | None = None
    cluster: str | None = None
    board: str | None = None
    others: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        one, two = self.names
        return (
            f"<ComparisonOfMany {one} less {two} · mean of {self.counted}: "
            f"{difference(self.frame.row(0, named=True), HALF_UP)}>"
        )

    def _repr_html_(self) -> str:
        return shown.html(self)

    @property
    def counted(self) -> str:
        """What the mean is over, with its number."""
        n = self.frame.height - 1
        return f"{n:,} {'column' if self.board else 'dataset'}{'' if n == 1 else 's'}"

    def to_polars(self) -> pl.DataFrame:
        """The mean first, then a row per dataset; unrounded fractions."""
        return self.frame


def compare(con: duckdb.DuckDBPyConnection, options: OverOptions) -> ComparisonOfMany:
    """Compare two models over the mean of several datasets, each by its benchmark's main figure, or of a board's
    columns.

    A figure that is itself a mean, of a column's figures or of shares of questions and of groups, is compared
    by each of them. Nothing is known of how these go together, so that the standard error of their mean is
    taken to be the mean of theirs, above which it cannot be.

    Datasets are independent of each other, so that the variance of the mean is the mean of their variances by
    their number; its degrees of freedom are Welch's and Satterthwaite's.

    Raises:
        UsageError: as in `paired.compare`; or one of the two has no run of a dataset or column, or no dataset
            has that judge.
    """
    release = session.use_release(con, options.release)
    judge, average = options.judge, options.average
    board, columns = _averaged_columns(con, options.model_a, options.model_b, options.over)
    parts = [part for column in columns for part in column.parts]
    judges = [
        judges_of_board(con, part.a.benchmark_id, part.a.task, part.strategy) for part in parts
    ]
    if judge is not None and not any(judge in offered for offered in judges):
        known = sorted({name for offered in judges for name in offered})
        raise UsageError(f"no judge {judge!r} on any of the datasets; there are {', '.join(known)}")
    compared = [
        compare_sides(
            con,
            part.a,
            part.b,
            CompareOptions(
                options.model_a,
                options.model_b,
                strategy=part.strategy,
                judge=judge if judge in offered else None,
                average=part.average
                if average is None or part.strategy.startswith(GROUP)
                else average,
                cluster=options.cluster,
                release=release,
            ),
            may_wait=True,
        )
        for part, offered in zip(parts, judges, strict=True)
    ]
    left = iter(compared)
    rows = [
        _together(con, column.name, [_part_row(next(left)) for _ in column.parts])
        for column in columns
    ]
    left = iter(compared)
    apart = [[next(left).apart for _ in column.parts] for column in columns]
    frame = pl.DataFrame([_mean(con, rows, apart), *rows], infer_schema_length=None)
    if options.margin is not None:
        frame = with_equivalence(con, frame, options.margin)
    names = (parts[0].a.model, parts[0].b.model)
    if names[0] == names[1]:
        names = (options.model_a, options.model_b)
    others = tuple((one.name, one.instead_of) for one in columns if one.instead_of is not None)
    return ComparisonOfMany(
        names, tuple(compared), frame, release, options.margin, options.cluster, board, others
    )


def _part_row(part: Comparison) -> dict[str, Any]:
    overall = part.frame.row(0, named=True)
    kept = (
        "score_a",
        "score_b",
        "difference",
        "stderr",
        "low",
        "high",
        "degrees",
        "test",
        "p_value",
    )
    return {
        "dataset": part.a.dataset,
        "strategy": part.strategy,
        "judge": part.judge,
        "average": part.average,
        **{name: overall[name] for name in (*_COUNTS, *kept)},
        **{name: overall[name] for name in _ALONE},
    }


def _together(
    con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """One column: its only part, or the mean of several."""
    first = rows[0]
    if len(rows) == 1:
        return first | {"dataset": name}
    # Several figures of one dataset are over the same questions.
    of_datasets = {row["dataset"]: row for row in reversed(rows)}.values()
    found = {
        "dataset": name,
        **{
            key: ", ".join(dict.fromkeys(str(row[key]) for row in rows))
            for key in ("strategy", "judge", "average")
        },
        **{key: sum(row[key] for row in of_datasets) for key in _COUNTS},
        **dict.fromkeys(("low", "high", "degrees", "p_value", *_ALONE)),
        "test": "t",
    }
    for key in ("score_a", "score_b", "difference", "stderr"):
        is_known = all(row[key] is not None for row in rows)
        found[key] = sum(row[key] for row in rows) / len(rows) if is_known else None
    if found["difference"] is None or found["stderr"] is None:
        return found
    degrees = [row["degrees"] for row in rows if row["stderr"]]
    return found | _tested(con, found["difference"], found["stderr"], min(degrees, default=None))


def _mean(
    con: duckdb.DuckDBPyConnection,
    rows: Sequence[dict[str, Any]],
    apart: Sequence[Sequence[Sequence[float] | None]],
) -> dict[str, Any]:
    """The mean of the datasets' scores, with its interval and test; None while one of them has none.

    Args:
        apart: of each row's figures what the questions that one of the two alone has right add to it.
    """
    n = len(rows)
    is_known = all(row["difference"] is not None for row in rows)
    has_error = is_known and all(row["stderr"] is not None for row in rows)
    found: dict[str, Any] = {
        "dataset": "Mean",
        "strategy": None,
        "judge": None,
        "average": None,
        **{name: sum(row[name] for row in rows) for name in _COUNTS},
        **dict.fromkeys(("stderr", "low", "high", "degrees", "p_value", *_ALONE)),
        "test": "t",
    }
    for name in ("score_a", "score_b", "difference"):
        found[name] = sum(row[name] for row in rows) / n if is_known else None
    if not has_error:
        return found
    variances = [row["stderr"] ** 2 for row in rows]
    found["stderr"] = sqrt(sum(variances)) / n
    parts = zip(variances, rows, strict=True)
    spread = sum(one**2 / row["degrees"] for one, row in parts if one)
    degrees = sum(variances) ** 2 / spread if spread else None
    found |= _tested(con, found["difference"], found["stderr"], degrees)
    weights = _weights(apart)
    if weights is not None:
        found |= {"test": "signs", "p_value": _exact(weights)}
    return found


def _tested(
    con: duckdb.DuckDBPyConnection, difference: float, error: float, degrees: float | None
) -> dict[str, Any]:
    """The interval and p of t; without any spread there is no interval, and none differs from none."""
    if not error or degrees is None:
        return {"p_value": 1.0 if difference == 0 else None}
    ((_, _, chance, quantile),) = session.rows(
        con,
        "equivalence",
        {"places": [0], "values": [difference / error], "degrees": [degrees]},
    )
    half = quantile * error
    return {
        "degrees": degrees,
        "low": difference - half,
        "high": difference + half,
        "p_value": chance,
    }


def _weights(apart: Sequence[Sequence[Sequence[float] | None]]) -> list[float] | None:
    """What each question that one of the two alone has right adds to the mean; None: they are more than
    five, of which a t can tell, or not counted. Several figures of a row may be over the same questions."""
    found: list[float] = []
    for figures in apart:
        if len(figures) > 1 or figures[0] is None:
            return None
        found += [one / len(apart) for one in figures[0]]
    return found if len(found) <= MOST_APART else None


def _exact(weights: Sequence[float]) -> float:
    """Of all ways in which these could have gone to the one or the other, the share that is as far from 0."""
    ways = [
        abs(sum(sign * one for sign, one in zip(signs, weights, strict=True)))
        for signs in product((1, -1), repeat=len(weights))
    ]
    # What is as large but for rounding counts.
    return sum(one > abs(sum(weights)) - 1e-12 for one in ways) / len(ways)

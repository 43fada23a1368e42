"""Two models compared over several datasets at once: the mean of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any

import duckdb

from queries import over_columns, session, shown
from queries.choosing import GROUP, judges_of_board
from queries.comparison import Comparison, difference
from queries.equivalence import with_equivalence
from queries.options import CompareOptions, OverOptions
from queries.paired import MOST_APART, compare_sides
from warehouse.benchmark import HALF_UP
from warehouse.errors import UsageError
from warehouse.later import pl

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
    board, columns = over_columns.columns(con, options.model_a, options.model_b, options.over)
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
        _together(con, column.name, [_row(next(left)) for _ in column.parts]) for column in columns
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


def _row(part: Comparison) -> dict[str, Any]:
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

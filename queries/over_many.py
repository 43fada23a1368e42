"""Two models compared over several datasets at once: the mean of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import duckdb

from queries import session
from queries.choosing import choose_judge_of_board, judges_of_board
from queries.equivalence import with_equivalence
from queries.install import LATEST
from queries.paired import Comparison, Side, compare_sides, runs_of
from warehouse.benchmark import HALF_UP
from warehouse.errors import UsageError
from warehouse.later import pl

EVERY = "all"
_COUNTS = ("n_common", "n", "n_missing_a", "n_missing_b", "n_pending", "n_hidden", "n_clusters")


@dataclass(frozen=True)
class ComparisonOfMany:
    """Model `a` compared with model `b` over several datasets, of which each counts alike.

    Attributes:
        names: of the two.
        parts: the comparison over each dataset, by the benchmark's own strategy.
        frame: the mean first, then a row per dataset: dataset, strategy, judge, average, and the columns of
            paired_difference that both have.
    """

    names: tuple[str, str]
    parts: tuple[Comparison, ...]
    frame: pl.DataFrame
    release: str
    margin: float | None = None
    cluster: str | None = None

    def __repr__(self) -> str:
        # The renderers import this module.
        from queries.render.notebook import difference

        one, two = self.names
        n = len(self.parts)
        return (
            f"<ComparisonOfMany {one} less {two} · mean of {n:,} {'dataset' if n == 1 else 'datasets'}: "
            f"{difference(self.frame.row(0, named=True), HALF_UP)}>"
        )

    def _repr_html_(self) -> str:
        from queries.render.notebook import table_of

        return table_of(self)

    def to_polars(self) -> pl.DataFrame:
        """The mean first, then a row per dataset; unrounded fractions."""
        return self.frame


def compare(
    con: duckdb.DuckDBPyConnection,
    model_a: str,
    model_b: str,
    over: str,
    *,
    judge: str | None = None,
    average: str | None = None,
    margin: float | None = None,
    cluster: str | None = None,
    release: str = LATEST,
) -> ComparisonOfMany:
    """Compare two models over the mean of several datasets, each by its benchmark's own strategy.

    Datasets are independent of each other, so that the variance of the mean is the mean of their variances by
    their number; its degrees of freedom are Welch's and Satterthwaite's.

    Args:
        over: names of datasets or benchmarks with commas between, or all: those that both have a run of.
        judge: for the datasets that can be under it; the others are under none, or their only one.
        average: micro or macro for all of them; None: each as its benchmark's board has it.
        margin, cluster, release: as in `paired.compare`.

    Raises:
        UsageError: as there; or one of the two has no run of a dataset, or no dataset has that judge.
    """
    release = session.use_release(con, release)
    pairs = _pairs(con, model_a, model_b, over)
    boards = [_board(con, a) for a, _ in pairs]
    if judge is not None and not any(judge in board.judges for board in boards):
        known = sorted({name for board in boards for name in board.judges})
        raise UsageError(f"no judge {judge!r} on any of the datasets; there are {', '.join(known)}")
    parts = [
        compare_sides(
            con,
            a,
            b,
            judge=choose_judge_of_board(
                con,
                judge if judge in board.judges else None,
                a.benchmark_id,
                a.task,
                board.strategy,
            ),
            average=average or board.average,
            cluster=cluster,
            release=release,
        )
        for (a, b), board in zip(pairs, boards, strict=True)
    ]
    rows = [_row(part) for part in parts]
    frame = pl.DataFrame([_mean(con, rows), *rows], infer_schema_length=None)
    if margin is not None:
        frame = with_equivalence(con, frame, margin)
    names = (pairs[0][0].model, pairs[0][1].model)
    if names[0] == names[1]:
        names = (model_a, model_b)
    return ComparisonOfMany(names, tuple(parts), frame, release, margin, cluster)


def _pairs(
    con: duckdb.DuckDBPyConnection, model_a: str, model_b: str, over: str
) -> list[tuple[Side, Side]]:
    """The runs of both on each dataset.

    Raises:
        UsageError: a name means no dataset of both, or a model has several runs of that label on one.
    """
    of_a, of_b = (_by_dataset(runs_of(con, name, None), name) for name in (model_a, model_b))
    shared = [name for name in of_a if name in of_b]
    names = [one.strip() for one in over.split(",") if one.strip()]
    chosen: list[str] = []
    for name in names:
        found = [
            one
            for one in shared
            if name in (one, EVERY) or of_a[one].benchmark.lower() == name.lower()
        ]
        if not found:
            raise UsageError(
                f"no dataset {name!r} of both {model_a} and {model_b}; there are {', '.join(shared) or 'none'}"
            )
        chosen += [one for one in found if one not in chosen]
    if not chosen:
        raise UsageError(f"--over is names of datasets with commas between, or {EVERY}")
    return [(of_a[name], of_b[name]) for name in chosen]


def _by_dataset(sides: Sequence[Side], name: str) -> dict[str, Side]:
    found = {side.dataset: side for side in sides}
    if len(found) < len(sides):
        raise UsageError(
            f"{name} is the label of several runs, of {', '.join(side.model for side in sides)}: "
            "say which as MODEL/LABEL"
        )
    return found


@dataclass(frozen=True)
class _Board:
    """How a benchmark's board is made: its strategy and average, and the judges that it can be under."""

    strategy: str
    average: str
    judges: tuple[str, ...]


def _board(con: duckdb.DuckDBPyConnection, side: Side) -> _Board:
    ((strategy, average),) = con.execute(
        "SELECT strategy, average FROM main.benchmark WHERE benchmark_id = ?", [side.benchmark_id]
    ).fetchall()
    judges, _ = judges_of_board(con, side.benchmark_id, side.task, strategy)
    return _Board(strategy, average, judges)


def _row(part: Comparison) -> dict[str, Any]:
    overall = part.frame.row(0, named=True)
    kept = ("score_a", "score_b", "difference", "stderr", "low", "high", "degrees", "test")
    return {
        "dataset": part.a.dataset,
        "strategy": part.strategy,
        "judge": part.judge,
        "average": part.average,
        **{name: overall[name] for name in (*_COUNTS, *kept)},
        "p_value": overall["p_value"],
    }


def _mean(con: duckdb.DuckDBPyConnection, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean of the datasets' scores, with its interval and test; None while one of them has none."""
    n = len(rows)
    is_known = all(row["difference"] is not None for row in rows)
    has_error = is_known and all(row["stderr"] is not None for row in rows)
    found: dict[str, Any] = {
        "dataset": "Mean",
        "strategy": None,
        "judge": None,
        "average": None,
        **{name: sum(row[name] for row in rows) for name in _COUNTS},
        **dict.fromkeys(("stderr", "low", "high", "degrees", "p_value")),
        "test": "t",
    }
    for name in ("score_a", "score_b", "difference"):
        found[name] = sum(row[name] for row in rows) / n if is_known else None
    if not has_error:
        return found
    variances = [row["stderr"] ** 2 for row in rows]
    found["stderr"] = sqrt(sum(variances)) / n
    if found["stderr"] == 0:
        found["p_value"] = 1.0 if found["difference"] == 0 else None
        return found
    parts = zip(variances, rows, strict=True)
    found["degrees"] = sum(variances) ** 2 / sum(
        one**2 / row["degrees"] for one, row in parts if one
    )
    t = found["difference"] / found["stderr"]
    ((_, _, chance, quantile),) = session.rows(
        con, "equivalence", {"places": [0], "values": [t], "degrees": [found["degrees"]]}
    )
    half = quantile * found["stderr"]
    return found | {
        "low": found["difference"] - half,
        "high": found["difference"] + half,
        "p_value": chance,
    }

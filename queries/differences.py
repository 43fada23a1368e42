"""What harnesses wrote of runs, and ours: their figures, and the answers that they score otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from queries import session
from queries.install import LATEST
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
PEERS = {"vlmevalkit": "vlmevalkit_field_e8e78f0", "lmms-eval": "lmms_eval"}
"""The release that has a harness's own rules."""
_FIGURES, _SAMPLES = "harness_difference", "harness_sample_difference"


@dataclass(frozen=True)
class News:
    """What files brought that can be compared.

    Attributes:
        run_ids: the runs whose answers the harness scored.
        n_scores: how many scores there are of them.
        n_figures: figures in the files.
        n_alone: those of them that are of runs whose answers no harness scored.
    """

    run_ids: tuple[int, ...]
    n_scores: int
    n_figures: int
    n_alone: int


@dataclass(frozen=True)
class Alone:
    """Figures of runs of which a harness wrote no scores of answers.

    Attributes:
        harness: that wrote them.
        n_figures: how many there are.
        n_same: those that are the same here.
        n_without: those that have none of ours: answers wait for a judge, or nothing has that name.
        n_runs: the runs that they are of.
    """

    harness: str | None
    n_figures: int
    n_same: int
    n_without: int
    n_runs: int


def figures(
    con: duckdb.DuckDBPyConnection,
    run_ids: Sequence[int] | None = None,
    *,
    release: str = LATEST,
) -> pl.DataFrame:
    """The figures that harnesses wrote, one row each.

    Args:
        run_ids: the runs to look at; None: every one, and figures without a run.

    Raises:
        UsageError: there is no such run, or the release has no such view.
    """
    _use(con, release, run_ids, _FIGURES)
    given = {"run_ids": None if run_ids is None else list(run_ids)}
    return session.frame(con, "harness_figures", given)


def alone(con: duckdb.DuckDBPyConnection, source_ids: Sequence[int]) -> list[Alone]:
    """What the figures in some files are here, of runs whose answers the harness did not score one by one."""
    session.use_release(con, LATEST)
    given = {"source_ids": list(source_ids)}
    rows = session.frame(con, "harness_alone", given)
    return [Alone(**row) for row in rows.iter_rows(named=True)]


def samples(
    con: duckdb.DuckDBPyConnection,
    run_ids: Sequence[int] | None = None,
    *,
    release: str = LATEST,
    every: bool = False,
) -> pl.DataFrame:
    """The answers of which a harness says something else than we do, one row per metric.

    Args:
        run_ids: the runs to look at; None: every one.
        every: also those that both say the same of.

    Raises:
        UsageError: there is no such run, or the release has no such view.
    """
    _use(con, release, run_ids, _SAMPLES)
    given = {"run_ids": None if run_ids is None else list(run_ids), "all": every}
    return session.frame(con, "harness_samples", given)


def runs_of(con: duckdb.DuckDBPyConnection, run: int | str) -> list[int]:
    """The runs of that number, or of that label.

    Raises:
        UsageError: no run that counts has the label.
    """
    if isinstance(run, int) or run.isdecimal():
        return [int(run)]
    found = con.execute(_SQL["live_runs_of_label"], {"label": run}).fetchall()
    if not found:
        raise UsageError(f"there is no run {run!r}; `evalhouse runs` lists them")
    return [run_id for (run_id,) in found]


def news(con: duckdb.DuckDBPyConnection, source_ids: Sequence[int]) -> News:
    """What the files of some sources brought."""
    given = {"source_ids": list(source_ids)}
    runs = session.frame(con, "harness_runs", given)
    ((n_figures, n_alone),) = session.frame(con, "harness_counts", given).rows()
    return News(tuple(runs["run_id"].to_list()), int(runs["n_scores"].sum()), n_figures, n_alone)


def _use(
    con: duckdb.DuckDBPyConnection, release: str, run_ids: Sequence[int] | None, view: str
) -> None:
    name = session.use_release(con, release)
    session.require_view(con, view, name)
    there = dict(con.execute(_SQL["are_live"], {"run_ids": list(run_ids or ())}).fetchall())
    for run_id in run_ids or ():
        if run_id not in there:
            raise UsageError(f"there is no run {run_id}; `evalhouse runs` lists them")
        if not there[run_id]:
            raise UsageError(f"run {run_id} is superseded or retracted: nothing is computed of it")

"""What a page has to compute before it can be shown, where results are out of date."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from queries import install, session
from queries import release as releases
from queries.install import LATEST
from queries.results import refresh as keeping
from warehouse.wording import counted

MOST_AT_ONCE = 250_000
"""Answers that a page is computed from without a word before; about a second."""
MOST_LINES = 2_500
"""Runs that a page is made of, from results, without a word before; about a second."""


@dataclass(frozen=True)
class Work:
    """What is to be computed.

    Attributes:
        why: as a sentence of the page; None: nothing is, or nobody can do anything about it.
        n_answers: how many answers it is computed from.
        n_lines: how many runs it is made of, from stored results.
    """

    why: str | None = None
    n_answers: int = 0
    n_lines: int = 0

    @property
    def is_long(self) -> bool:
        """Whether a page says so before it is computed."""
        return self.n_answers > MOST_AT_ONCE or self.n_lines > MOST_LINES


def work_of_boards(con: duckdb.DuckDBPyConnection, release: str = LATEST) -> Work:
    """What figures of all runs are computed from, under a release."""
    name = releases.default_name() if release == LATEST else release
    if name not in install.installed(con):
        if release == LATEST:
            return Work()
        n = _answers(con)
        return Work(
            f"The release {name} is not installed in this file: this page is computed from {counted(n, 'answer')}. "
            "`evalhouse releases install` installs it and stores its results, which makes it fast.",
            n,
        )
    if not keeping.is_of_now(con, name):
        # An earlier evalhouse installed it, which stored none.
        return Work()
    state = keeping.state(con, name)
    if state.n_fresh >= state.n_runs:
        return Work()
    n = keeping.n_answers(con, keeping.stale(con, name))
    if name in session.of_before(con):
        return Work(
            f"Results of {state.n_runs - state.n_fresh:,} of {state.n_runs:,} runs are of before their facts "
            "changed. `evalhouse refresh` computes them."
        )
    return Work(
        f"Results of {state.n_runs - state.n_fresh:,} of {state.n_runs:,} runs are out of date: this page is "
        f"computed from their {counted(n, 'answer')}. `evalhouse refresh` stores them, and makes it fast.",
        n,
    )


def work_of_lines(con: duckdb.DuckDBPyConnection, release: str = LATEST) -> Work:
    """The same of a page that ranks every run: also where results are kept, many runs take time."""
    found = work_of_boards(con, release)
    if found.why is not None:
        return found
    ((n,),) = con.execute(
        "SELECT count(*) FROM main.run WHERE superseded_by IS NULL AND retracted_at IS NULL"
    ).fetchall()
    return Work(f"This page is made of {counted(n, 'run')}, from stored results.", n_lines=n)


def work_of_studies(con: duckdb.DuckDBPyConnection) -> Work:
    """What a study is computed from: nothing of it is kept."""
    n = _answers(con)
    return Work(f"Studies are not kept: this page is computed from {counted(n, 'answer')}.", n)


def _answers(con: duckdb.DuckDBPyConnection) -> int:
    ((n,),) = con.execute("SELECT count(*) FROM main.prediction").fetchall()
    return int(n)

"""Building, judging and dropping kept results."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from queries.kept import compose
from warehouse.connection import transaction
from warehouse.statements import beside

_SQL = beside(__file__)
_NO_LIMIT = 2**62
_TABLES = ("kept_run", "kept_subject", "kept_judging", *(f"kept_{view}" for view in compose.KEPT))


@dataclass(frozen=True)
class Kept:
    """How much of a release's results is kept.

    Attributes:
        release: its name.
        n_runs: runs that count.
        n_fresh: those whose kept results hold.
        n_built: those whose results this refresh computed.
        undeclared: views of the release that may look at other runs, for which nothing is kept.
    """

    release: str
    n_runs: int
    n_fresh: int
    n_built: int = 0
    undeclared: tuple[str, ...] = ()


def refresh(con: duckdb.DuckDBPyConnection, release: str) -> Kept:
    """Compute and keep the results of the runs that are not fresh, in one transaction.

    Every answer and judgment is hashed on the way, so what somebody changed in place is found here
    also in a warehouse too large to look at each query.

    Args:
        con: open for writing.
        release: one that is installed.
    """
    schema = f'"{release}"'
    now = state(con, release)
    if now.undeclared:
        return now
    with transaction(con):
        _restore(con, release)
        _look_closely(con, release)
        con.execute(_SQL["stale"].format(schema=schema))
        con.execute(_SQL["add_changed"].format(schema=schema))
        for table in _TABLES:
            if table != "kept_judging":
                con.execute(_SQL["forget"].format(schema=schema, table=table))
        for view in compose.KEPT:
            con.execute(_SQL["keep"].format(schema=schema, view=view))
        ((n_judges,),) = con.execute(f"SELECT count(*) FROM {schema}.judge_asked").fetchall()
        if n_judges:
            con.execute(_SQL["keep_subjects"].format(schema=schema))
        con.execute(_SQL["keep_runs"].format(schema=schema))
        con.execute(f"DELETE FROM {schema}.kept_judging")
        con.execute(_SQL["keep_judging"].format(schema=schema))
        ((n_built,),) = con.execute("SELECT count(*) FROM stale_run").fetchall()
        con.execute("DROP TABLE stale_run; DROP TABLE new_key; DROP TABLE changed_run")
    found = state(con, release)
    return Kept(release, found.n_runs, found.n_fresh, n_built)


def state(con: duckdb.DuckDBPyConnection, release: str) -> Kept:
    """How much of a release's results is kept and fresh."""
    schema = f'"{release}"'
    ((n_runs, n_fresh),) = con.execute(_SQL["state"].format(schema=schema)).fetchall()
    return Kept(release, n_runs, n_fresh, undeclared=_undeclared(con, release))


def _undeclared(con: duckdb.DuckDBPyConnection, release: str) -> tuple[str, ...]:
    """What keeps a release's results from being kept; nothing where an earlier evalhouse installed it."""
    if not con.execute(_SQL["has_computed_live"], {"release": release}).fetchall():
        return ()
    found = con.execute(_SQL["undeclared"].format(schema=f'"{release}"')).fetchall()
    return tuple(name for (name,) in found)


def drop(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Forget a release's kept results; every query then computes from the facts."""
    with transaction(con):
        _restore(con, release)
        for table in _TABLES:
            con.execute(f'DELETE FROM "{release}".{table}')


def changed_in_place(con: duckdb.DuckDBPyConnection, release: str) -> int:
    """How many runs' kept results are read although some fact they rest on was changed in place.

    Only a warehouse too large to be looked at each query can have any; here every fact is looked at.
    """
    _look_closely(con, release)
    ((n,),) = con.execute(
        f'SELECT count(*) FROM changed_run WHERE run_id IN (SELECT run_id FROM "{release}".fresh_run)'
    ).fetchall()
    con.execute("DROP TABLE new_key; DROP TABLE changed_run")
    return int(n)


def _look_closely(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Make `new_key` and `changed_run` from every answer and judgment, however many there are."""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE new_key AS "
        + compose.run_key(release, most_answers=_NO_LIMIT)
    )
    con.execute(
        _SQL["changed"].format(
            schema=f'"{release}"',
            judging_key=compose.judging_key(release, most_judgments=_NO_LIMIT, is_view=False),
        )
    )


def _restore(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Make the tables again that somebody dropped."""
    for name in _TABLES:
        con.execute(
            f'CREATE TABLE IF NOT EXISTS "{release}".{name} AS SELECT * FROM main.{name} WITH NO DATA'
        )

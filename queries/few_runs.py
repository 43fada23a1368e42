"""Queries about a few runs: computed from views over these alone, so that no other run costs anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from queries import install, live, session
from queries import release as releases
from queries.install import LATEST
from queries.kept import alone
from queries.release import Release
from warehouse import connection, statements
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
_MOST_STORED = 100_000
"""Answers of a few runs whose views are stored for a query; of more, they are computed in one piece."""


def use_runs(
    con: duckdb.DuckDBPyConnection,
    name_or_directory: str,
    run_ids: Sequence[int],
    views: Sequence[str],
) -> None:
    """Let names of some views mean those of a release over a few runs alone.

    They are computed in views of this connection, so that no other run costs anything. What stands
    in them of other runs, as ranks, is not to be relied on.

    Raises:
        UsageError: there is no such release, or it has no such view.
    """
    session.require_any(con)
    release = releases.load(
        releases.default_name() if name_or_directory == LATEST else name_or_directory
    )
    for view in views:
        if view not in release.views:
            raise UsageError(f"the release {release.name} has no view {view}")
    session.look_in(con, "main")
    schema = live.make_of_runs(con, release, run_ids, views)
    session.look_in(con, f"{live.CATALOG}.{schema}", "main")


def frame_of_runs(
    con: duckdb.DuckDBPyConnection,
    query: str,
    run_ids: Sequence[int],
    parameters: Mapping[str, object],
) -> pl.DataFrame:
    """The same of a query about a few runs, from views over these alone where that gives the same rows.

    To compute those step by step takes a third of the time of planning the release's views whole.
    """
    sql = statements.of_file(session.COMMANDS / f"{query}.sql")
    release = _shipped_in_use(con) if run_ids else None
    if release is None or _n_answers(con, run_ids) > _MOST_STORED:
        return session.frame(con, query, parameters)
    views = [name for name in alone.after_from(sql) if name in release.views]
    ((path,),) = con.execute("SELECT current_setting('search_path')").fetchall()
    schema = live.make_of_runs(con, release, sorted(run_ids), views, add=True)
    alone.unbind(con, views)
    home = connection.CATALOG
    con.execute(f"SET search_path = '{live.CATALOG}.{schema},{home}.main'")
    try:
        return session.frame_of(con, sql, parameters)
    finally:
        con.execute(f"SET search_path = '{path}'")


def _shipped_in_use(con: duckdb.DuckDBPyConnection) -> Release | None:
    """The release in use, if it is here as it ships, and the connection cannot write."""
    ((schema, database),) = con.execute("SELECT current_schema(), current_database()").fetchall()
    name = releases.default_name() if schema == LATEST else schema
    if name not in releases.shipped_names():
        return None
    ((is_read_only,),) = con.execute(
        "SELECT readonly FROM duckdb_databases() WHERE database_name = ?", [connection.CATALOG]
    ).fetchall()
    if not is_read_only or (database != live.CATALOG and name in install.differing(con)):
        return None
    return releases.load(name)


def _n_answers(con: duckdb.DuckDBPyConnection, run_ids: Sequence[int]) -> int:
    ((n,),) = con.execute(
        _SQL["n_answers"],
        {"runs": list(run_ids), "first": min(run_ids), "last": max(run_ids)},
    ).fetchall()
    return int(n)


def frame_of_later_view(
    con: duckdb.DuckDBPyConnection,
    query: str,
    parameters: Mapping[str, object],
    *,
    view: str,
    run_ids: Sequence[int] = (),
) -> pl.DataFrame:
    """The same of a query that reads a view which older installations of a release have not.

    Args:
        run_ids: the few runs that it is about, as `frame_of_runs` wants them; none: any.

    Raises:
        UsageError: this one has not.
    """
    try:
        return frame_of_runs(con, query, run_ids, parameters)
    except duckdb.CatalogException as error:
        raise UsageError(
            f"the release in this warehouse has no view {view}; `evalhouse releases install` adds it"
        ) from error

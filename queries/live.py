"""Releases that are not installed: their views in this connection alone, so that no file is written.

They lie in a database in memory, attached next to the warehouse under a name that no release can have.
Nothing of them is kept for later, and everything is computed from the facts: by each query, or of the
views in `Release.computed_once` when they are made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import duckdb

from queries import create
from queries.kept import compose
from queries.plan import plan
from queries.release import PAPERS, SHIPPED, STUDIES, Release
from warehouse import connection, statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)
CATALOG = "_live"
_ANSWERS = re.compile(r"\b(FROM|JOIN) main\.prediction\b")
_of_runs: WeakKeyDictionary[
    duckdb.DuckDBPyConnection, tuple[tuple[str, tuple[int, ...]], set[tuple[str, str]]]
] = WeakKeyDictionary()
"""Of connections, the release and runs of `make_of_runs`, and the views and macros that are made."""
_OF_RUNS = "_OF_RUNS"
"""What stands behind a release's name in the name of the schema with its views over a few runs."""


def schemas(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The releases whose views this connection has for itself, and perhaps the papers."""
    return frozenset(
        name
        for (name,) in con.execute(
            "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ?", [CATALOG]
        ).fetchall()
    )


def make(con: duckdb.DuckDBPyConnection, release: Release) -> None:
    """Make a release's views, as an installation has them.

    Raises:
        EvalhouseError: a view does not bind; the message names its file.
    """
    schema = _schema(con, release.name)
    planned = plan(release, schema, files=release.lasting_files)
    try:
        create.stand_in(con, planned)
        create.require_views(release.name, planned)
        views = [replace(item, sql=compose.live(item, planned, schema)) for item in planned]
        create.put_views(con, views, comments=False)
        for item in planned:
            if item.file.name in release.computed_once:
                create.store(con, item)
    except BaseException:
        con.execute(f'DROP SCHEMA "{schema}" CASCADE')
        raise


def make_of_runs(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    run_ids: Sequence[int],
    views: Sequence[str],
    *,
    add: bool = False,
) -> str:
    """Make some views of a release over a few runs, with what they rest on; return their schema.

    What depends on the runs is stored at once, each from what it reads: the rows are few, and to plan
    views upon views takes longer than to compute them.

    Args:
        add: what an earlier call made of the same runs stays, since nothing was written in between.

    Raises:
        EvalhouseError: a view does not bind; the message names its file.
    """
    name = f"{release.name}{_OF_RUNS}"
    schema = _schema(con, name)
    these = (name, tuple(run_ids))
    if not add or con not in _of_runs or _of_runs[con][0] != these:
        con.execute(f'DROP SCHEMA "{schema}" CASCADE')
        _schema(con, name)
        _of_runs[con] = these, set()
    made = _of_runs[con][1]
    among = ", ".join(str(int(run_id)) for run_id in run_ids) or "NULL"
    of_runs: set[str] = set()
    try:
        for item in plan(release, schema, files=[release.views[view] for view in views]):
            view, sql = item.file.name, item.sql
            if view == compose.RUNS:
                sql = f"SELECT * FROM ({sql}) AS run_ WHERE run_.run_id IN ({among})"
            if view == compose.RUNS or of_runs.intersection(item.depends_on):
                of_runs.add(view)
                # Also where it is joined with the runs afterwards alone.
                sql = _ANSWERS.sub(
                    rf"\1 (SELECT * FROM main.prediction WHERE run_id IN ({among}))", sql
                )
            if (item.file.kind, view) in made:
                continue
            kind = "TABLE" if view in of_runs else "VIEW"
            creation = f'CREATE {kind} "{schema}"."{view}" AS {sql}'
            try:
                con.execute(sql if item.file.kind == "macro" else creation)
            except (duckdb.OutOfMemoryException, duckdb.InterruptException):
                raise
            except duckdb.Error as error:
                if item.file.path.is_relative_to(SHIPPED):
                    raise _not_as_shipped(view, error) from error
                raise EvalhouseError(f"{item.file.place}: {error}") from error
            made.add((item.file.kind, view))
    except BaseException:
        _of_runs.pop(con, None)
        con.execute(f'DROP SCHEMA "{schema}" CASCADE')
        raise
    return name


def make_paper(
    con: duckdb.DuckDBPyConnection, release: Release, name: str, there: Mapping[str, str]
) -> str:
    """Make a table or figure of a paper, and what it rests on of such; return its comment.

    Args:
        release: the one on disk that has it.
        name: its view.
        there: the views and macros that are there already: the schema by their names.

    Raises:
        EvalhouseError: it does not bind, as what is there is not as it comes with this evalhouse.
    """
    schema = _schema(con, PAPERS)
    planned = plan(release, schema, files=[release.views[name]], there=there)
    for item in planned:
        made = f'CREATE OR REPLACE VIEW "{schema}"."{item.file.name}" AS {item.sql}'
        try:
            con.execute(item.sql if item.file.kind == "macro" else made)
        except duckdb.Error as error:
            raise _not_as_shipped(name, error) from error
    return next(item.comment for item in planned if item.file.name == name)


def make_studies(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    names: Sequence[str],
    there: Mapping[str, str],
    instead: Mapping[str, str],
) -> dict[str, str]:
    """Make studies, and what they rest on of such as stored rows; return their qualified names.

    Studies rest on studies, and each is planned down to the tables: rows are computed once. Those of an
    earlier call on this connection stay.

    Args:
        release: the one on disk that has them.
        names: their views.
        there: the views and macros that are there already: the schema by their names.
        instead: queries of rows that are kept already, by the study that they are of.

    Raises:
        EvalhouseError: one does not bind, as what is there is not as it comes with this evalhouse.
    """
    schema = _schema(con, STUDIES)
    made = {
        name
        for (name,) in con.execute(
            _SQL["tables_and_views"], {"catalog": CATALOG, "schema": STUDIES}
        ).fetchall()
    }
    planned = plan(release, schema, files=[release.views[name] for name in names], there=there)
    below = {name for item in planned for name in item.depends_on}
    for item in planned:
        if item.file.name in made:
            continue
        kind = "TABLE" if item.file.name in below and item.file.name not in instead else "VIEW"
        query = instead.get(item.file.name, item.sql)
        sql = f'CREATE {kind} "{schema}"."{item.file.name}" AS {query}'
        try:
            con.execute(item.sql if item.file.kind == "macro" else sql)
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            raise _not_as_shipped(item.file.name, error) from error
    return {name: f'"{schema}"."{name}"' for name in names}


def _not_as_shipped(view: str, error: duckdb.Error) -> EvalhouseError:
    return EvalhouseError(
        f"{view} cannot be computed with the release as it is installed in this warehouse "
        f"({connection.first_line(error)}); `evalhouse releases install` installs it anew"
    )


def inside(name: str) -> str:
    """A schema of this connection alone, as it is written between quotation marks."""
    return f'{CATALOG}"."{name}'


def _schema(con: duckdb.DuckDBPyConnection, name: str) -> str:
    con.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {CATALOG}")
    con.execute(f'CREATE SCHEMA IF NOT EXISTS "{inside(name)}"')
    return inside(name)

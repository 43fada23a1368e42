"""Releases next to the file: what a connection that cannot write computes for itself.

A release that is not installed, and the runs of an installed one whose results are out of date, are
computed in a database in memory that is attached next to the warehouse, by the way that `refresh` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from queries import create, install
from queries.plan import PlannedObject, internal_schema, plan
from queries.release import LATEST, PAPERS, STUDIES, Release, SqlFile
from queries.results import compute, tables
from queries.results.tables import SET, shared
from warehouse import connection, statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)
CATALOG = compute.ATTACHED


def schemas(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The releases whose views this connection has for itself, and perhaps the papers."""
    return frozenset(
        name
        for (name,) in con.execute(
            "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ?", [CATALOG]
        ).fetchall()
    )


def make(
    con: duckdb.DuckDBPyConnection,
    release: Release,
    stale: Sequence[int] | None = None,
    files: Iterable[SqlFile] | None = None,
    groups: Sequence[str] = (),
) -> None:
    """Make a release's views upon results that are computed here.

    Args:
        stale: the runs to compute, where the others' results are in the file; None: all runs.
        files: those of its files to make; None: all that last.
        groups: those of GROUPS whose views to make upon it.

    Raises:
        EvalhouseError: a view does not bind; the message names its file.
    """
    schema, internal = _schema(con, release.name), _schema(con, internal_schema(release.name))
    planned = plan(release, schema, files=release.lasting_files if files is None else files)
    try:
        create.stand_in(con, planned)
        create.require_views(release.name, planned)
        columns = create.columns(con, planned)
        definitions = install.definitions_of(release, planned, columns)
        macros = f"{CATALOG}.{release.name}"
        results = [
            (item, [name for name, _ in columns[item.qualified]])
            for item in tables.results(planned)
        ]
        with_judges = [item.file.name for item, its in results if tables.is_shared(item, its)]
        sets_there = f'{connection.CATALOG}."{internal_schema(release.name)}".{SET}'
        with (
            compute.computed(con, release.name, definitions, stale, macros=macros) as steps,
            shared(con, with_judges, None if stale is None else sets_there) as sets,
        ):
            con.execute(f'CREATE TABLE "{internal}".{SET} AS FROM {sets}')
            for item, its in results:
                _take(con, item, its, steps, release.name, stale)
        there = {item.file.name: item.schema for item in planned if item.file.group is None}
        for group in groups:
            of_group = release.files_of(group)
            its_views = plan(release, _schema(con, group), files=of_group, there=there)
            create.stand_in(con, its_views)
            create.put_views(con, its_views, comments=False)
        views = install.views_of(planned, columns)
        if release.is_default:
            views = [*views, *install.views_of_latest(planned, _schema(con, LATEST))]
        create.put_views(con, views, comments=False)
    except BaseException:
        for one in (schema, internal, *map(inside, groups)):
            con.execute(f'DROP SCHEMA IF EXISTS "{one}" CASCADE')
        raise


def _take(
    con: duckdb.DuckDBPyConnection,
    item: PlannedObject,
    columns: Sequence[str],
    steps: str,
    release: str,
    stale: Sequence[int] | None,
) -> None:
    """Keep what was computed of a result, with the rows that the file has of other runs."""
    name, target = item.file.name, tables.table(item)
    stored = ", ".join(f'"{one}"' for one in tables.stored(item, columns))
    if item.is_internal:
        con.execute(f"DROP TABLE {target}")
    if stale is None:
        con.execute(f'CREATE TABLE {target} AS SELECT {stored} FROM {steps}."{name}"')
        return
    rows = f'"{CATALOG}"."{internal_schema(release)}"."{name}_computed"'
    con.execute(f'CREATE TABLE {rows} AS SELECT {stored} FROM {steps}."{name}"')
    among = ", ".join(map(str, stale))
    there = f'{connection.CATALOG}."{internal_schema(release)}"."{name}"'
    con.execute(
        _SQL["both"].format(target=target, columns=stored, rows=rows, there=there, among=among)
    )


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
) -> dict[str, str]:
    """Make studies, and what they rest on of such as stored rows; return their qualified names.

    Studies rest on studies, and each is planned down to the tables: rows are computed once. Those of an
    earlier call on this connection stay.

    Args:
        release: the one on disk that has them.
        names: their views.
        there: the views and macros that are there already: the schema by their names.

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
        kind = "TABLE" if item.file.name in below else "VIEW"
        sql = f'CREATE {kind} "{schema}"."{item.file.name}" AS {item.sql}'
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


def attach(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Let what is computed next to the warehouse lie in a file."""
    con.execute(f"ATTACH {statements.literal(str(file))} AS {CATALOG}")


def inside(name: str) -> str:
    """A schema of this connection alone, as it is written between quotation marks."""
    return f'{CATALOG}"."{name}'


def _schema(con: duckdb.DuckDBPyConnection, name: str) -> str:
    con.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {CATALOG}")
    con.execute(f'CREATE SCHEMA IF NOT EXISTS "{inside(name)}"')
    return inside(name)

"""Kept rows of the study judged_question, which corrected boards are made of.

Only warehouses in which a person judges have them. They are no half of a view: where every run is fresh, they are
read in place of the study, and else the study is computed.
"""

from __future__ import annotations

import duckdb

from queries import release as releases
from queries.plan import PlannedObject, internal_schema, places, plan
from warehouse import statements

VIEW = "judged_question"
TABLE = f"kept_{VIEW}"

_SQL = statements.of_module(__file__)


def planned(con: duckdb.DuckDBPyConnection, release: str) -> tuple[PlannedObject, ...]:
    """A release that ships, with the study; nothing where no person judges, or it has no such study."""
    if release not in releases.shipped_names():
        return ()
    shipped = releases.load(release)
    ((are_people,),) = con.execute(_SQL["are_people"]).fetchall()
    if not are_people or VIEW not in shipped.views:
        return ()
    return plan(shipped, files=[*shipped.lasting_files, shipped.views[VIEW]])


def is_there(con: duckdb.DuckDBPyConnection, release: str) -> bool:
    """Whether a release has the table."""
    ((found,),) = con.execute(
        _SQL["is_there"], {"schema": internal_schema(release), "table": TABLE}
    ).fetchall()
    return bool(found)


def prepare(con: duckdb.DuckDBPyConnection, release: str) -> tuple[PlannedObject, ...]:
    """Make or drop the table, as there is a person or none; return what `planned` does.

    Without the table, every run is added to `stale_run`.
    """
    of_release = planned(con, release)
    if bool(of_release) == is_there(con, release):
        return of_release
    if of_release:
        con.execute(_SQL["create"].format(**places(release)))
        con.execute(_SQL["all_are_stale"].format(**places(release)))
    else:
        drop(con, release)
    return of_release


def drop(con: duckdb.DuckDBPyConnection, release: str) -> None:
    """Forget the rows."""
    con.execute(f'DROP TABLE IF EXISTS "{internal_schema(release)}".{TABLE}')


def keep(con: duckdb.DuckDBPyConnection, release: str, source: str) -> None:
    """Store the rows of the runs in `stale_run`.

    Args:
        source: what has them, as FROM takes it.
    """
    con.execute(_SQL["keep"].format(**places(release), source=source))


def instead(con: duckdb.DuckDBPyConnection, release: str) -> str | None:
    """The query of the kept rows with the study's columns; None: there are none.

    Args:
        release: one of which every run is fresh.
    """
    return _SQL["instead"].format(**places(release)) if is_there(con, release) else None

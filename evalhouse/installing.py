"""Installing releases in a closed warehouse, and computing results after facts have changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from queries import install as installs
from queries import release as releases
from queries import session
from queries.results import refresh as keeping
from warehouse import connection, statements
from warehouse.errors import EvalhouseError

_SQL = statements.of_module(__file__)

STORED = "the facts are stored"
_LATER = "boards compute what is missing; `evalhouse refresh` stores it"


def last_facts(con: duckdb.DuckDBPyConnection) -> tuple[object, ...] | None:
    """What another value has as soon as a file or a judgment more is stored.

    None: the engine stopped with an error that it takes for fatal, and answers no more queries.
    """
    try:
        return con.execute(_SQL["last_facts"]).fetchall()[0]
    except duckdb.Error:
        return None


def refresh_all(
    con: duckdb.DuckDBPyConnection,
    *,
    step: Callable[[str], None] = lambda text: None,
    note: Callable[[str], None],
) -> None:
    """Compute the results of the runs that are out of date, of each installed release.

    The facts are committed. An error here undoes nothing, and is reported.

    Args:
        con: open for writing, no transaction open.
        step: callback, called with what is being done.
        note: callback, called with what could not be stored.
    """
    # A command may have looked at what it computed next to the file.
    session.look_in(con, "main")
    for name in installs.installed(con):
        step(f"computing the results of {name}")
        try:
            keeping.refresh(con, name)
        except (KeyboardInterrupt, duckdb.InterruptException, RuntimeError):
            # DuckDB makes a RuntimeError of a Ctrl-C while a query runs.
            note(f"{STORED}, but not the results of {name}; {_LATER}")
            raise
        except keeping.OlderInstallationError as error:
            note(f"{STORED}, but not the results of {name}: {error}")
        except (duckdb.Error, EvalhouseError) as error:
            why = connection.first_line(error)
            note(f"{STORED}, but not the results of {name}: {why}; {_LATER}")


def found(path: Path, name_or_directory: str, *, wait: float) -> str | None:
    """The name of a release that is installed as it stands on disk; None: it is not."""
    with (
        closing(connection.open_for_reading(path, wait=wait)) as con,
        connection.errors_naming(path),
    ):
        name = installs.found_as(con, name_or_directory)
    return releases.default_name() if name == installs.LATEST else name


def install(path: Path, name_or_directory: str, *, wait: float, compute: bool = True) -> str:
    """Install a release where it is not there as it stands on disk; return its name.

    The file is opened for writing only then.

    Args:
        compute: whether with its results.

    Raises:
        UsageError: no such release or folder.
        EvalhouseError: the folder is not a release, or a view does not bind.
    """
    name = found(path, name_or_directory, wait=wait)
    if name is not None:
        return name
    release = releases.load(name_or_directory)
    there = connection.open_for_writing(path, wait=wait, then=installs.install_where_none_is)
    with closing(there) as con, connection.errors_naming(path):
        installs.install(con, release)
        if compute:
            keeping.refresh(con, release.name)
    return release.name

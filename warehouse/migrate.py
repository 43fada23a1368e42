"""Schema versions: `migrations/NNNN_name.sql`, applied in order, each warehouse once.

The first file makes the whole schema of its version. Files of earlier ones are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse import statements
from warehouse.errors import EvalhouseError, SchemaVersionError
from warehouse.transactions import transaction

_DIRECTORY = Path(__file__).parent / "migrations"

LAST_TO_UPGRADE = "0.2.0"
"""The last evalhouse that upgrades files of before the first version here."""
_SQL = statements.of_module(__file__)
_MARK = _SQL["create_schema_version"]
_TABLE = re.compile(r"\bCREATE TABLE main\.(\w+)")


@dataclass(frozen=True)
class Migration:
    """One step of the schema: its version (1, 2, …) and its SQL."""

    version: int
    name: str
    sql: str


def available(directory: Path | None = None) -> tuple[Migration, ...]:
    """The migrations in a directory (by default the package's own), in order of version."""
    steps = []
    for file in sorted((directory or _DIRECTORY).glob("*.sql")):
        number, name = re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name).groups()  # type: ignore[union-attr]
        steps.append(Migration(int(number), name, statements.read(file)))
    return tuple(steps)


def table_names(directory: Path | None = None) -> frozenset[str]:
    """The tables of the schema, whichever version brought them."""
    sql = "".join((_MARK, *(step.sql for step in available(directory))))
    return frozenset(_TABLE.findall(sql))


def create(con: duckdb.DuckDBPyConnection, version: int) -> None:
    """Make the tables of a schema version, 0 for the mark alone, in an empty file."""
    con.execute(_MARK)
    for step in available():
        if step.version <= version:
            con.execute(step.sql)


def installed_version(con: duckdb.DuckDBPyConnection, path: Path) -> int:
    """The schema version of the file; 0 for an empty one.

    Raises:
        EvalhouseError: the file holds tables, but no warehouse's.
    """
    ((n_tables, n_marks),) = con.execute(_SQL["n_tables"]).fetchall()
    if n_marks:
        ((version,),) = con.execute("SELECT max(version) FROM main.schema_version").fetchall()
        return int(version or 0)
    if n_tables:
        raise EvalhouseError(f"{path}: a DuckDB file, but not a warehouse of evalhouse")
    return 0


def require_current(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse a file whose schema is not exactly this evalhouse's.

    Raises:
        SchemaVersionError: with what to do about it.
    """
    require_version(path, installed_version(con, path))


def require_version(path: Path, have: int, *, or_older: bool = False) -> None:
    """Refuse a schema version that is not this evalhouse's, or that it cannot upgrade.

    Args:
        path: the file's, for messages.
        have: its version.
        or_older: whether one that `evalhouse migrate` upgrades will do.

    Raises:
        SchemaVersionError: with what to do about it.
    """
    steps = available()
    first, need = steps[0].version, steps[-1].version
    if have > need:
        raise SchemaVersionError(
            f"{path}: has schema version {have}, made by a newer evalhouse; this one knows {need}. "
            "Upgrade evalhouse to open it."
        )
    if have < first:
        raise SchemaVersionError(
            f"{path}: has schema version {have}, this evalhouse reads {need} and upgrades {first} "
            f"and later ones. `evalhouse migrate` of evalhouse {LAST_TO_UPGRADE} makes one of it."
        )
    if have < need and not or_older:
        raise SchemaVersionError(
            f"{path}: has schema version {have}, this evalhouse reads {need}. "
            f"`evalhouse migrate --db {path}` upgrades it."
        )


def upgrade(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    *,
    directory: Path | None = None,
    to: int | None = None,
    then: Callable[[duckdb.DuckDBPyConnection], None] = lambda con: None,
) -> tuple[Migration, ...]:
    """Bring a file to the newest schema, or to that of version `to`, in one atomic transaction.

    Args:
        con: the file, open for writing.
        path: its path, for messages.
        directory: where the migrations are; by default the package's own.
        to: the last version to take.
        then: callback, called to add what belongs to an upgrade, in the same transaction; not called
            where there is none.

    Returns:
        the steps that were taken.

    Raises:
        SchemaVersionError: the file is newer than this evalhouse, or older than what it upgrades.
    """
    have = installed_version(con, path)
    if have:
        require_version(path, have, or_older=True)
    steps = available(directory)
    pending = tuple(s for s in steps if s.version > have and (to is None or s.version <= to))
    if not pending:
        return ()
    with transaction(con):
        if have == 0:
            con.execute(_MARK)
        for step in pending:
            con.execute(step.sql)
            con.execute(
                "INSERT INTO main.schema_version VALUES (?, ?, now() AT TIME ZONE 'UTC')",
                [step.version, step.name],
            )
        then(con)
    return pending

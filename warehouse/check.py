"""What the engine does not enforce: keys, references, orphans, and files that changed since.

Each check is a query that returns the rows that are wrong: a file in `checks/`, or made from
`tables.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse import migrate, sources, statements, tables
from warehouse.connection import first_line
from warehouse.statements import quoted

_DIRECTORY = Path(__file__).parent / "checks"
_SQL = statements.of_module(__file__)
_OF_THE_ENGINE = (duckdb.OutOfMemoryException, duckdb.InterruptException)


@dataclass(frozen=True)
class Finding:
    """A check and how many rows fail it (0: none), with the first few as text."""

    check: str
    description: str
    n: int
    examples: tuple[str, ...]


def run_checks(con: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    """Run every check; those that find nothing come with n = 0.

    Where the file is damaged, a check may meet what cannot be read; it says so in place of its
    rows.
    """
    yield damage(con)
    files = (
        (
            file.stem,
            statements.read(file).splitlines()[0].removeprefix("-- "),
            statements.of_file(file),
        )
        for file in _DIRECTORY.glob("*.sql")
    )
    for name, description, sql in sorted((*files, *tables.checks(con))):
        try:
            cursor = con.execute(sql)
            columns = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchall()
        except _OF_THE_ENGINE:
            raise
        except duckdb.Error as error:
            yield Finding(name, description, 1, (f"cannot be checked: {first_line(error)}",))
            continue
        examples = tuple(
            ", ".join(f"{column} {value}" for column, value in zip(columns, row, strict=True))
            for row in rows[:3]
        )
        yield Finding(name, description, len(rows), examples)
    yield _changed_files(con)


def damage(con: duckdb.DuckDBPyConnection) -> Finding:
    """Read every column of every table, those of results and of the owner's own included.

    The engine has a checksum for each block, and looks at it when a block is read.
    """
    broken: list[str] = []
    for schema, table, names in con.execute(_SQL["columns"]).fetchall():
        place = f"{quoted(schema)}.{quoted(table)}"
        if _unreadable(con, place, names) is None:
            continue
        for name in names:
            error = _unreadable(con, place, [name])
            if error is not None:
                broken.append(f"{schema}.{table}, column {name}: {error}")
    return Finding(
        "damage",
        "A column cannot be read: the file is damaged; a copy, or `merge` into a new warehouse, may help",
        len(broken),
        tuple(broken),
    )


def own_objects(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """What lies in the schema main and is none of evalhouse's: views, tables, macros, types."""
    parameters = {"ours": sorted(migrate.table_names())}
    return tuple(name for (name,) in con.execute(_SQL["own_objects"], parameters).fetchall())


def _unreadable(con: duckdb.DuckDBPyConnection, place: str, names: list[str]) -> str | None:
    """Why these columns cannot be read; None: they can."""
    read = ", ".join(f"bit_xor(hash({quoted(name)}))" for name in names)
    try:
        con.execute(f"SELECT {read} FROM {place}").fetchall()
    except _OF_THE_ENGINE:
        raise
    except duckdb.Error as error:
        return first_line(error)
    return None


def _changed_files(con: duckdb.DuckDBPyConnection) -> Finding:
    changed = []
    try:
        read = con.execute(
            "SELECT source_id, path, sha256 FROM main.source WHERE path NOT LIKE 'evalhouse:%'"
        ).fetchall()
    except _OF_THE_ENGINE:
        raise
    except duckdb.Error as error:
        read = []
        changed.append(f"cannot be checked: {first_line(error)}")
    for source_id, path, sha256 in read:
        with suppress(OSError, ValueError):
            file = Path(path)
            if file.is_file() and sources.digest(file) != sha256:
                changed.append(f"source {source_id}, {path}")
    return Finding(
        "source_files",
        "A file on disk differs from what was read (gone ones do not count)",
        len(changed),
        tuple(changed[:3]),
    )

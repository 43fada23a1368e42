"""What the engine does not enforce: keys, references, orphans, and files that changed since.

One query a file in `checks/`, each of which returns the rows that are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse import sources

_DIRECTORY = Path(__file__).parent / "checks"


@dataclass(frozen=True)
class Finding:
    """A check and how many rows fail it (0: none), with the first few as text."""

    check: str
    description: str
    n: int
    examples: tuple[str, ...]


def run_checks(con: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    """Run every check; those that find nothing come with n = 0."""
    for file in sorted(_DIRECTORY.glob("*.sql")):
        sql = file.read_text(encoding="utf-8")
        description = sql.splitlines()[0].removeprefix("-- ")
        cursor = con.execute(sql)
        columns = [column[0] for column in cursor.description or ()]
        rows = cursor.fetchall()
        examples = tuple(
            ", ".join(f"{name} {value}" for name, value in zip(columns, row, strict=True))
            for row in rows[:3]
        )
        yield Finding(file.stem, description, len(rows), examples)
    yield _changed_files(con)


def _changed_files(con: duckdb.DuckDBPyConnection) -> Finding:
    changed = []
    for source_id, path, sha256 in con.execute(
        "SELECT source_id, path, sha256 FROM main.source WHERE path NOT LIKE 'evalhouse:%'"
    ).fetchall():
        file = Path(path)
        if file.is_file() and sources.digest(file) != sha256:
            changed.append(f"source {source_id}, {path}")
    return Finding(
        "source_files",
        "A file on disk differs from what was read (gone ones do not count)",
        len(changed),
        tuple(changed[:3]),
    )

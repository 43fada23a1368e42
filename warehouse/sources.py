"""Where facts come from: the table `source`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

import duckdb

from warehouse import statements
from warehouse.tables import IDS, of_ids

_SQL = statements.of_module(__file__)
SAID = "harness"
"""What a harness says of how a file's answers came about, among the flags of its source."""


@dataclass(frozen=True)
class Source:
    """A file that was read, and how.

    `flags` are the settings, given or inferred, and under the name given only those that were
    given; columns are those of a file of predictions, or of MM-Vet's scores, in its order; harness
    is what a harness says of how the answers came about.
    """

    path: str
    sha256: str
    bytes: int
    format: str
    adapter_version: int
    flags: Mapping[str, object]
    n_rows: int

    @property
    def content(self) -> tuple[str, str, int]:
        """What the file holds, and how it was read."""
        return self.sha256, self.format, self.adapter_version

    @property
    def flags_json(self) -> str:
        """The settings as JSON with sorted keys, so that equal settings are equal texts."""
        return json.dumps(self.flags, sort_keys=True, ensure_ascii=False)


def digest(path: Path) -> str:
    """The sha256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def add(con: duckdb.DuckDBPyConnection, source: Source) -> int:
    """Store a source and return its id."""
    source_id = next_id(con, "source")
    con.execute(
        "INSERT INTO main.source VALUES (?, ?, ?, ?, ?, ?, ?, ?, now() AT TIME ZONE 'UTC')",
        [
            source_id,
            source.path,
            source.sha256,
            source.bytes,
            source.format,
            source.adapter_version,
            source.flags_json,
            source.n_rows,
        ],
    )
    return source_id


def add_new(con: duckdb.DuckDBPyConnection, source: Source) -> int | None:
    """Store a source and return its id; None: one of the same content and settings is there whole."""
    stored = con.execute(_SQL["of_content"], list(source.content)).fetchall()
    same = _settings(source.flags)
    for its_id, flags in stored:
        if _settings(json.loads(flags)) == same and _is_whole(con, its_id):
            return None
    return add(con, source)


def contents(con: duckdb.DuckDBPyConnection) -> set[tuple[str, str, int]]:
    """The `content` of everything that was read."""
    sql = "SELECT DISTINCT sha256, format, adapter_version FROM main.source"
    return set(con.execute(sql).fetchall())


def is_repeated(con: duckdb.DuckDBPyConnection, source_id: int) -> bool:
    """Whether another source has the same content and settings, be it whole or not."""
    rows = con.execute(_SQL["flags_of_same_content"], {"source_id": source_id}).fetchall()
    return any(_settings(json.loads(one)) == _settings(json.loads(other)) for one, other in rows)


def paths(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The paths of everything that was read."""
    rows = con.execute("SELECT DISTINCT path FROM main.source").fetchall()
    return frozenset(str(path) for (path,) in rows)


def find_given(
    con: duckdb.DuckDBPyConnection, path: Path, given: Mapping[str, object]
) -> tuple[str, int, int] | None:
    """A source of the same path and content that was read with the same settings as are given now.

    Returns:
        its format, adapter version and number of rows; None if there is none, if something of it
        was taken out, or if it holds judgments, which depend on the runs that are there.
    """
    stored = con.execute(_SQL["of_path"], [str(path), path.stat().st_size]).fetchall()
    sha256 = digest(path) if stored else None
    for source_id, written, format_name, version, n_rows, its_sha256 in stored:
        flags = json.loads(written)
        if its_sha256 != sha256:
            continue
        if flags.get("given") == given and "judge" not in flags and _is_whole(con, source_id):
            return format_name, version, n_rows
    return None


def _settings(flags: Mapping[str, object]) -> dict[str, object]:
    """The settings that a content was read with, except those that follow from it."""
    return {name: value for name, value in flags.items() if name not in ("given", "columns", SAID)}


def _is_whole(con: duckdb.DuckDBPyConnection, source_id: int) -> bool:
    ((n,),) = con.execute(_SQL["n_no_longer_valid"], {"source_id": source_id}).fetchall()
    return not n


def next_id(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """The first free id of a table."""
    rows = con.execute(f"SELECT coalesce(max({IDS[table]}), 0) + 1 FROM {of_ids(table)}").fetchall()
    return int(rows[0][0])

"""Where facts come from: the table `source`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

import duckdb


@dataclass(frozen=True)
class Source:
    """A file that was read, and how. `flags` are the settings, given or inferred."""

    path: str
    sha256: str
    bytes: int
    format: str
    adapter_version: int
    flags: Mapping[str, object]
    n_rows: int

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


def next_id(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """The first free key of a table whose key is named {table}_id."""
    key = "subset_id" if table == "dataset_subset" else f"{table}_id"
    rows = con.execute(f"SELECT coalesce(max({key}), 0) + 1 FROM main.{table}").fetchall()
    return int(rows[0][0])

"""The samples of an Inspect log as rows of temporary tables, and what kind of log a file is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ingest.inspect_ai import inspect_archive, inspect_json, inspect_sample
from warehouse.errors import InputError

KINDS = ("inspect_eval", "inspect_json")
_BATCH = 500
_SCHEMA = {
    "id": pl.String,
    "epoch": pl.Int64,
    "question": pl.String,
    "image_sha256": pl.String,
    "choices": pl.String,
    "target": pl.String,
    "prediction": pl.String,
    "error": pl.String,
    "answered_by": pl.String,
    "split": pl.String,
    "metadata": pl.String,
}
"""Choices and target are JSON, and so are metadata, as a list of names and values."""
_SAID = {
    "row": pl.Int64,
    "scorer": pl.String,
    "judge": pl.String,
    "prompt": pl.String,
    "reply": pl.String,
    "value": pl.String,
}
COLUMNS = tuple(_SCHEMA)


def kind_of_zip(path: Path) -> str | None:
    """`inspect_eval` if a zip is a log; None if it is another zip.

    Raises:
        InputError: it is no whole zip, and its name is a log's.
    """
    try:
        return KINDS[0] if inspect_archive.is_log(path) else None
    except InputError:
        if path.suffix == ".eval":
            raise
        return None


def kind_of_text(path: Path) -> str | None:
    """`inspect_json` if a text file begins as a log; None if it does not."""
    return KINDS[1] if inspect_json.is_log(path) else None


def header(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What the log that was read says about itself."""
    ((written,),) = con.execute("SELECT header FROM stage_header").fetchall()
    return dict(json.loads(written))


def read(con: duckdb.DuckDBPyConnection, path: Path, kind: str) -> None:
    """Fill `raw_table`, a row a sample, and `stage_said`, a row for whatever a grader said.

    No more than some hundred samples are held at a time.

    Raises:
        InputError: the log is broken, a sample is not as samples are, or there is none.
    """
    # Dropped staging tables go back to the system, which saves 20 MB on a log of 5,000 samples.
    con.execute("SET allocator_bulk_deallocation_flush_threshold = '1MB'")
    con.execute("CREATE OR REPLACE TEMP TABLE stage_header (header VARCHAR)")
    rows: list[tuple[Any, ...]] = []
    said: list[tuple[Any, ...]] = []
    n = 0
    _append(con, path, rows, said)
    for name, content in (inspect_archive if kind == KINDS[0] else inspect_json).parts(path):
        if not name:
            con.execute("INSERT INTO stage_header VALUES (?)", [json.dumps(content)])
            continue
        n += 1
        row, of_row = inspect_sample.values(path, n, name, content)
        rows.append(row)
        said.extend((n, *one) for one in of_row)
        if len(rows) == _BATCH:
            _append(con, path, rows, said, n)
            rows.clear()
            said.clear()
    _append(con, path, rows, said, n)
    if not n:
        raise InputError(path, "is a log without samples")


def _append(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    rows: list[tuple[Any, ...]],
    said: list[tuple[Any, ...]],
    n: int = 0,
) -> None:
    """Append samples, the last of which is the n-th; of none, make the tables."""
    for table, schema, values in (("raw_table", _SCHEMA, rows), ("stage_said", _SAID, said)):
        if n and not values:
            continue
        columns = zip(*values, strict=True) if values else ((),) * len(schema)
        try:
            frame = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
        except UnicodeEncodeError as error:
            raise _no_unicode(path, rows, n, error) from error
        con.register("sample_frame", frame.to_arrow())
        if not n:
            con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS FROM sample_frame")
        else:
            con.execute(f"INSERT INTO {table} FROM sample_frame")
        con.unregister("sample_frame")


def _no_unicode(
    path: Path, rows: list[tuple[Any, ...]], n: int, error: UnicodeEncodeError
) -> InputError:
    """Name the sample that has half a character in it; one in a grader's reply is not found."""
    for row, values in enumerate(rows, start=n - len(rows) + 1):
        try:
            json.dumps(values, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return InputError(path, f"cannot be read: {error}", row=row)
    return InputError(path, f"cannot be read: {error}", field="scores")

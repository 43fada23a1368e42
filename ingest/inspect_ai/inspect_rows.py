"""The samples of an Inspect log as rows of temporary tables, and what kind of log a file is."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ingest.inspect_ai import inspect_archive, inspect_json, inspect_sample, inspect_scores
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
    "place": pl.Int64,
    "judge": pl.String,
    "prompt": pl.String,
    "reply": pl.String,
    "value": pl.String,
    "vote": pl.String,
}
_SCORED = {
    "row": pl.Int64,
    "scorer": pl.String,
    "place": pl.Int64,
    "part": pl.String,
    "value": pl.String,
    "answer": pl.String,
    "author": pl.String,
    "says": pl.String,
}
_EXPLAINED = {"row": pl.Int64, "scorer": pl.String, "explanation": pl.String}
_COST = {"row": pl.Int64, "fact": pl.String}
_TABLES = {
    "raw_table": _SCHEMA,
    "stage_said": _SAID,
    "stage_scored": _SCORED,
    "stage_explained": _EXPLAINED,
    "stage_sample_fact": _COST,
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
    """Fill `raw_table`, a row a sample, and what belongs to samples.

    That is `stage_said`, a row for whatever a grader said, `stage_scored`, a row for what a scorer
    said or a person changed, `stage_explained`, what a scorer said for it, and `stage_sample_fact`,
    what a sample cost. No more than some hundred samples are held at a time.

    Raises:
        InputError: the log is broken, a sample is not as samples are, or there is none.
    """
    # Dropped staging tables go back to the system, which saves 20 MB on a log of 5,000 samples.
    con.execute("SET allocator_bulk_deallocation_flush_threshold = '1MB'")
    con.execute("CREATE OR REPLACE TEMP TABLE stage_header (header VARCHAR)")
    rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _TABLES}
    n = 0
    _append(con, path, rows)
    for name, content in (inspect_archive if kind == KINDS[0] else inspect_json).parts(path):
        if not name:
            con.execute("INSERT INTO stage_header VALUES (?)", [json.dumps(content)])
            continue
        n += 1
        sample = inspect_sample.read(path, n, name, content)
        rows["raw_table"].append(sample.values)
        rows["stage_said"] += ((n, *astuple(one)) for one in sample.said)
        rows["stage_scored"] += ((n, *astuple(one)) for one in sample.scored)
        rows["stage_explained"] += ((n, *one) for one in sample.explained)
        rows["stage_sample_fact"] += [(n, sample.cost)] if sample.cost else []
        if len(rows["raw_table"]) == _BATCH:
            _append(con, path, rows, n)
    _append(con, path, rows, n)
    for table in ("stage_said", "stage_scored", "stage_explained"):
        name = inspect_scores.only_scorer(header(con))
        con.execute(f"UPDATE {table} SET scorer = ? WHERE scorer = ?", [name, inspect_scores.ONLY])
    if not n:
        raise InputError(path, "is a log without samples")


def _append(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    rows: dict[str, list[tuple[Any, ...]]],
    n: int = 0,
) -> None:
    """Append what was read, the last sample of which is the n-th; of none, make the tables."""
    for table, schema in _TABLES.items():
        values = rows[table]
        if n and not values:
            continue
        columns = zip(*values, strict=True) if values else ((),) * len(schema)
        try:
            frame = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
        except UnicodeEncodeError as error:
            raise _no_unicode(path, rows["raw_table"], n, error) from error
        con.register("sample_frame", frame.to_arrow())
        if not n:
            con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS FROM sample_frame")
        else:
            con.execute(f"INSERT INTO {table} FROM sample_frame")
        con.unregister("sample_frame")
    for values in rows.values():
        values.clear()


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

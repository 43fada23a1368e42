"""Raising an InputError for the first row that a query finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from warehouse.errors import InputError


def refuse_first(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    query: str,
    field: str | None,
    problem: Callable[[tuple[Any, ...]], str],
    parameters: Sequence[object] | Mapping[str, object] = (),
) -> None:
    """Raise for the first row of a query, whose first column is the record's number.

    Args:
        field: what the file calls the field that is wrong; None: the row's second column names it.
        problem: makes the message from the row.
    """
    for row in con.execute(query, parameters).fetchall()[:1]:
        raise InputError(
            path, problem(row), row=int(row[0]), field=field if field is not None else str(row[1])
        )


def refuse_rows(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    where: str,
    field: str,
    problem: Callable[[tuple[Any, ...]], str],
    *,
    value: str = "NULL",
    source: str = "raw",
) -> None:
    """Raise for the first row of a source that fits a condition.

    Args:
        where: SQL that is true for wrong rows.
        problem: makes the message from the row's number and value.
        value: SQL for what the message shows.
        source: what stands after FROM.
    """
    query = f"SELECT __row, {value} FROM {source} WHERE {where} ORDER BY __row LIMIT 1"
    refuse_first(con, path, query, field, problem)


def refuse_empty(
    con: duckdb.DuckDBPyConnection, path: Path, cell: str, field: str, *, source: str = "raw"
) -> None:
    """Raise for the first row whose cell, as SQL for a text, is NULL or empty."""
    where = f"nullif({cell}, '') IS NULL"
    refuse_rows(con, path, where, field, lambda row: "is empty", source=source)


def no_whole_number(row: tuple[Any, ...]) -> str:
    """The message for a value that should be a whole number."""
    return f"{row[1]!r} is no whole number from 0, or too large"

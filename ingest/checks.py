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

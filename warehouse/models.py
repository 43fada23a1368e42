"""Models by name or alias."""

from __future__ import annotations

import duckdb

from warehouse import sources, statements

_SQL = statements.of_module(__file__)


def find(con: duckdb.DuckDBPyConnection, name: str) -> int | None:
    """The id of the model of that name or alias; None if there is none."""
    rows = con.execute(_SQL["of_name"], {"name": name}).fetchall()
    return int(rows[0][0]) if rows else None


def ensure(con: duckdb.DuckDBPyConnection, name: str, *, source_id: int) -> int:
    """The id of the model of that name or alias, stored first where it is new."""
    found = find(con, name)
    if found is not None:
        return found
    model_id = sources.next_id(con, "model")
    con.execute("INSERT INTO main.model VALUES (?, ?, ?)", [model_id, name, source_id])
    return model_id

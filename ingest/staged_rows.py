"""Rows into the staging tables, for formats that are read record by record in Python."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import polars as pl

_TYPES: dict[str, type[pl.DataType]] = {
    "BIGINT": pl.Int64,
    "INTEGER": pl.Int64,
    "VARCHAR": pl.String,
    "DOUBLE": pl.Float64,
    "BOOLEAN": pl.Boolean,
}


def add(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Append rows to a staging table, values in the order of its columns."""
    if not rows:
        return
    columns = con.execute(f"DESCRIBE {table}").fetchall()
    schema = {str(name): _TYPES[str(its_type)] for name, its_type, *_ in columns}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    con.register("staged_rows", frame.to_arrow())
    con.execute(f"INSERT INTO {table} SELECT * FROM staged_rows")
    con.unregister("staged_rows")

"""Rows into the staging tables: from records that are read in Python, or by SQL for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    by_column = dict(zip(schema, zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame(by_column, schema=schema)
    con.register("staged_rows", frame.to_arrow())
    con.execute(f"INSERT INTO {table} SELECT * FROM staged_rows")
    con.unregister("staged_rows")


def add_each(
    con: duckdb.DuckDBPyConnection, rows: Mapping[str, Sequence[tuple[object, ...]]]
) -> None:
    """Append rows to several staging tables."""
    for table, of_table in rows.items():
        add(con, table, of_table)


def select(
    con: duckdb.DuckDBPyConnection,
    table: str,
    source: str = "raw",
    *,
    row: str = "__row",
    **columns: str,
) -> None:
    """Append a row to a staging table for each row of a source.

    Columns that are not given get the table's default, NULL or 0.

    Args:
        source: what stands after FROM.
        row: SQL for the record's number.
        columns: SQL for each column, by its name (`pass_` for pass).
    """
    cells = {"row": row} | {name.rstrip("_"): cell for name, cell in columns.items()}
    listed = ", ".join(f'{cell} AS "{name}"' for name, cell in cells.items())
    con.execute(f"INSERT INTO {table} BY NAME SELECT {listed} FROM {source}")

"""Rows into the staging tables: records that are read in Python, or SQL for each column.

Rows of open questions have a text, and one reference as it stands. Formats that go through Python row by
row stage a judgment as a `Grade`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import duckdb

from warehouse import statements
from warehouse.later import pl

_SQL = statements.of_module(__file__)

_GRADE_TYPES = {"int": int, "float": float}


@dataclass(frozen=True)
class Grade:
    """One row of `stage_judgment`; `reply` and `error` of None: no usable reply came.

    `stated` says what the harness kept of a verdict in place of a reply: drawn, word or hit.
    """

    row: int
    model: str
    split: str | None
    question_key: str
    pass_number: int
    judge: str | None
    judge_sample: int = 0
    attempt: int = 0
    sample: int = 0
    prediction: str | None = None
    reply: str | None = None
    error: str | None = None
    log: str | None = None
    stated: str | None = None
    score: float | None = None
    word: str | None = None


def stage_grades(con: duckdb.DuckDBPyConnection, grades: Sequence[Grade]) -> None:
    """Append to `stage_judgment`."""
    if not grades:
        return
    schema = {
        field.name: _GRADE_TYPES.get(str(field.type).removesuffix(" | None"), str)
        for field in fields(Grade)
    }
    by_column = {name: [getattr(grade, name) for grade in grades] for name in schema}
    frame = pl.DataFrame(by_column, schema=schema)
    con.register("new_grades", frame.to_arrow())
    con.execute(_SQL["stage_grades"])
    con.unregister("new_grades")


def stage_open(
    con: duckdb.DuckDBPyConnection,
    key: str,
    text: str,
    reference: str,
    *,
    image: str = "NULL",
    source: str = "raw",
    row: str = "__row",
    joined: str = "",
) -> None:
    """Stage questions, and their references where they are not empty.

    Args:
        key, text, reference, image: SQL for each column as text.
        source: what stands after FROM.
        row: SQL for the record's number.
        joined: what is joined to the source for the image.
    """
    select(
        con,
        "stage_question",
        source + joined,
        row=row,
        question_key=key,
        text=f"nullif({text}, '')",
        image=image,
    )
    references = f"{source} WHERE nullif({reference}, '') IS NOT NULL"
    select(con, "stage_reference", references, row=row, question_key=key, text=reference)


_TYPES: dict[str, type] = {
    "BIGINT": int,
    "INTEGER": int,
    "VARCHAR": str,
    "DOUBLE": float,
    "BOOLEAN": bool,
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

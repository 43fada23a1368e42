"""The cells of many columns into a staging table: a row for each cell that is not blank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from ingest.reading.raw import literal, quoted
from warehouse import statements

_SQL = statements.of_module(__file__)
_AT_A_TIME = 100
"""Columns a statement. Each statement looks at all columns of the file, so that one for every column
would take time by the square of their number."""


def stage(
    con: duckdb.DuckDBPyConnection,
    table: str,
    place: str,
    source: str,
    columns: Sequence[tuple[tuple[str, ...], str]],
    *,
    blank: str = "cell",
) -> None:
    """Stage the cells of some columns that are not blank.

    Args:
        table: a staging table: the place, what the column means, and the cell.
        place: SQL for where a row belongs, over `source`.
        source: SQL that stands after FROM.
        columns: for each column SQL constants that say what it means, and SQL for its cell as text.
        blank: SQL over `cell` that is NULL or empty where the cell is blank.
    """
    for first in range(0, len(columns), _AT_A_TIME):
        some = columns[first : first + _AT_A_TIME]
        means = zip(*(said for said, _ in some), strict=True)
        lists = ", ".join(f"unnest([{', '.join(said)}])" for said in means)
        cells = ", ".join(cell for _, cell in some)
        con.execute(
            _SQL["stage"].format(
                table=table, place=place, lists=lists, cells=cells, source=source, blank=blank
            )
        )


def attributes(
    con: duckdb.DuckDBPyConnection, place: str, source: str, columns: Mapping[str, str]
) -> None:
    """Stage columns as attributes of their questions: SQL for each one's cell by its name."""
    named = [((literal(name),), cell) for name, cell in columns.items()]
    stage(con, "stage_attribute", place, source, named)


def text(column: str, *, of: str = "") -> str:
    """SQL for a column's cell as text; `of` stands before its name."""
    return f"CAST({of}{quoted(column)} AS VARCHAR)"

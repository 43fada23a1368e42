"""Cells of our long format: numbers that may be text, lists that may be JSON."""

from __future__ import annotations

import duckdb

from ingest.checks import no_whole_number, refuse_empty, refuse_rows
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


def text(probe: Probe, column: str) -> str:
    """SQL for a column as text; NULL where the file has no such column."""
    name = quoted(column) if probe.has(column) else "NULL"
    return f"CAST({name} AS VARCHAR)"


def whole_number(
    con: duckdb.DuckDBPyConnection, probe: Probe, column: str, default: str, sql_type: str
) -> str:
    """SQL for a column of whole numbers from 0; the default where it is empty or absent.

    Raises:
        InputError: a cell is something else.
    """
    if not probe.has(column):
        return default
    written = trimmed(column)
    wrong = f"{written} IS NOT NULL AND {whole(written, sql_type)} IS NULL"
    refuse_rows(con, probe.path, wrong, column, no_whole_number, value=written)
    return f"coalesce({whole(written, sql_type)}, {default})"


def trimmed(column: str) -> str:
    """SQL for a column as text without white space around it; NULL where nothing is left."""
    return f"nullif(trim(CAST({column} AS VARCHAR)), '')"


def whole(written: str, sql_type: str) -> str:
    """SQL for a text as a whole number from 0, also one written 4.0; NULL for anything else."""
    digits = f"regexp_extract({written}, '^\\s*(\\d+)(\\.0+)?\\s*$', 1)"
    return f"TRY_CAST(nullif({digits}, '') AS {sql_type})"


def number(
    con: duckdb.DuckDBPyConnection, probe: Probe, column: str, *, infinity: str = "NULL"
) -> str:
    """SQL for a column of finite numbers.

    Args:
        infinity: SQL for the infinite number that a row may have all the same; NULL: none.

    Raises:
        InputError: a cell is empty, no number, NaN, or infinite where it may not be.
    """
    found = f"TRY_CAST({column} AS DOUBLE)"
    refuse_rows(
        con,
        probe.path,
        f"NOT coalesce(isfinite({found}) OR {found} = {infinity}, false)",
        column,
        lambda row: f"{row[1]!r} is no finite number",
        value=f"CAST({column} AS VARCHAR)",
    )
    return found


def key(con: duckdb.DuckDBPyConnection, probe: Probe) -> str:
    """SQL for `question_key` as text.

    Raises:
        InputError: a cell is empty.
    """
    refuse_empty(con, probe.path, "CAST(question_key AS VARCHAR)", "question_key")
    return KEY


KEY = _SQL["key"]
"""SQL for `question_key` as text."""


def _list_of_parquet(con: duckdb.DuckDBPyConnection, probe: Probe, column: str) -> str:
    ((_, its_type, *_),) = con.execute(f"DESCRIBE SELECT {quoted(column)} FROM raw").fetchall()
    if not str(its_type).endswith("]") and its_type not in ("VARCHAR", '"NULL"'):
        raise InputError(
            probe.path, f"is of the type {its_type}, and no list of texts", row=0, field=column
        )
    return f"CAST({quoted(column)} AS VARCHAR[])"


def text_list(con: duckdb.DuckDBPyConnection, probe: Probe, column: str) -> str:
    """SQL for a column of lists of text: a list in Parquet, a JSON array elsewhere.

    Raises:
        InputError: a cell is no JSON array of texts, or a column of Parquet no list.
    """
    if probe.kind == "parquet":
        return _list_of_parquet(con, probe, column)
    written = quoted(column)
    is_array = f"coalesce(json_type(try({written}::JSON)), '') = 'ARRAY'"
    refuse_rows(
        con,
        probe.path,
        f"nullif({written}, '') IS NOT NULL AND NOT {is_array}",
        column,
        lambda row: f"{str(row[1])[:60]!r} is no JSON array",
        value=written,
    )
    return f"from_json(nullif({written}, ''), '[\"VARCHAR\"]')"

"""Lists and tables as Python prints them, which harnesses write into one cell: `['hello', 'helo']`.

They are parsed and never evaluated. Texts lose their quotes; numbers stay as they are written.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

import duckdb

from warehouse import statements
from warehouse.later import pl

_SQL = statements.of_module(__file__)
_LONGEST = 200_000
"""Longer cells are texts: nobody writes such a list, and the parser would take long over it."""


def items(text: str) -> list[str] | None:
    """The members of a flat list or tuple of texts and numbers; None: the text is none."""
    parsed = _parsed(text, "[(")
    if not isinstance(parsed, ast.List | ast.Tuple):
        return None
    found = [_written(text.strip(), one) for one in parsed.elts]
    members = [one for one in found if one is not None]
    return members if len(members) == len(found) else None


def entries(text: str) -> dict[str, str] | None:
    """The entries of a flat table of texts and numbers; None: the text is none."""
    parsed = _parsed(text, "{")
    if not isinstance(parsed, ast.Dict):
        return None
    found = {}
    for key, value in zip(parsed.keys, parsed.values, strict=True):
        name = _written(text.strip(), key) if key is not None else None
        written = _written(text.strip(), value)
        if name is None or written is None:
            return None
        found[name] = written
    return found


def stage(con: duckdb.DuckDBPyConnection, table: str, cells: str) -> None:
    """Make a temporary table `cell, ordinal, item` of the lists among the cells that a query gives.

    A cell that is an empty list has one row, without an item.
    """
    rows: list[tuple[str, int, str | None]] = []
    for (cell,) in con.execute(_SQL["lists"].format(cells=cells)).fetchall():
        found = items(cell)
        if found is not None:
            rows += [(cell, n, one) for n, one in enumerate(found)] or [(cell, 0, None)]
    _fill(con, table, ("cell", "ordinal", "item"), rows)


def stage_entries(con: duckdb.DuckDBPyConnection, table: str, cells: str) -> None:
    """Make a temporary table `cell, key, value` of the tables among the cells that a query gives."""
    rows: list[tuple[str, str, str]] = []
    for (cell,) in con.execute(_SQL["tables"].format(cells=cells)).fetchall():
        rows += [(cell, key, value) for key, value in (entries(cell) or {}).items()]
    _fill(con, table, ("cell", "key", "value"), rows)


def _fill(
    con: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[tuple[object, ...]],
) -> None:
    types = {name: pl.Int64 if name == "ordinal" else pl.String for name in columns}
    con.register("listed_rows", pl.DataFrame(rows, schema=types, orient="row").to_arrow())
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT * FROM listed_rows")
    con.unregister("listed_rows")


def _parsed(text: str, begins: str) -> ast.expr | None:
    stripped = text.strip()
    if not stripped or stripped[0] not in begins or len(stripped) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            # LaTeX in a list has escapes that Python does not know.
            warnings.simplefilter("ignore")
            return ast.parse(stripped, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _written(text: str, node: ast.expr) -> str | None:
    """A member as text; None: it is neither a text nor a number."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        # Half a character is no text that any table could hold.
        return None if any(0xD800 <= ord(one) < 0xE000 for one in node.value) else node.value
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    is_sign = not isinstance(node, ast.UnaryOp) or isinstance(node.op, ast.USub | ast.UAdd)
    if is_sign and isinstance(number, ast.Constant) and isinstance(number.value, int | float):
        return ast.get_source_segment(text, node)
    return None

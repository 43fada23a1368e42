"""Tables as a workbook, one sheet each."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from math import isfinite
from typing import Any

import xlsxwriter

from queries.render.printed import Cell, Column, Printed, sections
from warehouse.errors import UsageError

_MOST_TEXT = 32_767
_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
_EXACT = 2**53
_NAME_LENGTH = 31
_LOOKS: dict[int, dict[str, Any]] = {
    0: {},
    1: {"bold": True},
    2: {"underline": 1},
    3: {"italic": True},
}


def workbook(tables: Sequence[Printed]) -> bytes:
    """The workbook. Equal tables make equal bytes.

    Numbers are numbers, shown with the digits of their column; where a spreadsheet would show
    another digit than is printed elsewhere, as of a tie that goes to even, it is the rounded
    number. Texts are texts, also those that look like a formula, a link or a number; so are numbers
    that a spreadsheet does not hold.

    Raises:
        UsageError: a text is longer than a cell, or a table larger than a sheet.
    """
    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})
        looks: dict[tuple[tuple[str, Any], ...], Any] = {}

        def look(**properties: Any) -> Any:
            key = tuple(sorted(properties.items()))
            if key not in looks:
                looks[key] = book.add_format(properties)
            return looks[key]

        for name, table in zip(sheet_names([t.name for t in tables]), tables, strict=True):
            _fill(book.add_worksheet(name), table, look)
    return out.getvalue()


def sheet_names(names: Sequence[str]) -> list[str]:
    """Names that a workbook takes, each once: at most 31 characters, none of []:*?/\\."""
    taken: set[str] = set()
    legal = []
    for name in names:
        plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", name).strip("' ")[:_NAME_LENGTH].strip("' ")
        # Excel keeps this name to itself.
        plain = "Sheet" if plain.lower() in ("", "history") else plain
        one, count = plain, 1
        while one.lower() in taken:
            count += 1
            mark = f" ({count})"
            one = plain[: _NAME_LENGTH - len(mark)].rstrip() + mark
        taken.add(one.lower())
        legal.append(one)
    return legal


def _fill(sheet: Any, table: Printed, look: Any) -> None:
    n_dividers = sum(divider is not None for divider, _ in sections(table))
    n_rows = len(table.rows) + n_dividers + len(table.notes) + 4
    if n_rows > _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise UsageError(
            f"{len(table.rows):,} rows and {len(table.columns):,} columns do not fit into a sheet of "
            "a workbook: parquet or csv take them"
        )
    line = 0
    if table.title:
        _text(sheet, line, 0, table.title, look(bold=True))
        if table.settings:
            line += 1
            _text(sheet, line, 0, table.settings, look(italic=True))
        line += 2
    for place, column in enumerate(table.columns):
        aligned = look(bold=True, bottom=1, align="left" if column.is_text else "right")
        _text(sheet, line, place, column.heading, aligned)
        sheet.set_column(place, place, _width(table, place))
    sheet.freeze_panes(line + 1, 0)
    line += 1
    for divider, row in sections(table):
        if divider is not None:
            _text(sheet, line, 0, divider, look(italic=True))
            line += 1
        for place, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True)):
            _cell(sheet, line, place, cell, column, look)
        line += 1
    for note in table.notes:
        _text(sheet, line, 0, note, look(italic=True))
        line += 1


def _cell(sheet: Any, line: int, place: int, cell: Cell, column: Column, look: Any) -> None:
    properties = dict(_LOOKS[cell.place])
    value = cell.value
    if value is None:
        # What prints as - is empty, so that formulas skip it.
        sheet.write_blank(line, place, None, look(**properties))
    elif isinstance(value, bool):
        sheet.write_boolean(line, place, value, look(**properties))
    elif isinstance(value, (int, float)) and isfinite(value) and abs(value) <= _EXACT:
        number = _number_format(value, column, cell.star)
        if number:
            properties["num_format"] = number
            value = _as_printed(value, cell, column)
        sheet.write_number(line, place, value, look(**properties))
    else:
        if not column.is_text:
            properties["align"] = "right"
        shown = value if isinstance(value, str) else str(value)
        _text(sheet, line, place, shown + ("*" if cell.star else ""), look(**properties))


def _as_printed(value: float, cell: Cell, column: Column) -> float:
    """The number, or the printed one where a spreadsheet's own rounding would show another.

    A spreadsheet rounds the first 15 digits of a number, and a tie away from zero.
    """
    if not isinstance(value, float) or column.digits is None:
        return value
    try:
        printed = Decimal(cell.text)
    except InvalidOperation:
        return value
    seen = Decimal(f"{value:.15g}").quantize(Decimal(1).scaleb(-column.digits), ROUND_HALF_UP)
    return value if seen == printed else float(printed)


def _number_format(value: float, column: Column, star: bool) -> str:
    if isinstance(value, float) and column.digits is not None:
        digits = "0." + "0" * column.digits if column.digits else "0"
    else:
        digits = "General" if star else ""
    return digits + ('"*"' if star else "")


def _text(sheet: Any, line: int, place: int, text: str, style: Any) -> None:
    if len(text.encode("utf-16-le")) // 2 > _MOST_TEXT:
        raise UsageError(
            f"a text of {len(text):,} characters in row {line + 1} does not fit into a cell of a "
            f"workbook (at most {_MOST_TEXT:,}): parquet, csv or json take it"
        )
    sheet.write_string(line, place, text, style)


def _width(table: Printed, place: int) -> int:
    longest = max(
        (len(row.cells[place].text) for row in table.rows),
        default=0,
    )
    return min(max(longest, len(table.columns[place].heading)) + 2, 60)

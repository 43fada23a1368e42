"""A table as a workbook, or an error that names the text which a workbook would lose."""

from __future__ import annotations

import io
import re
from datetime import datetime

import xlsxwriter

from queries.export.table import Table
from warehouse.errors import UsageError
from warehouse.wording import counted

_MOST_TEXT = 32_767
_MOST_ROWS = 1_048_576
# A workbook has them as _x000D_ and the like, and pandas, through which harnesses read, leaves it
# so.
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_EXACT = 2**53


def workbook(table: Table) -> bytes:
    """One sheet with the header above, as pandas writes one. Equal tables make equal bytes.

    Texts are texts, also those that look like a formula, a link or a number: written as links they
    would be cut or dropped.
    """
    if len(table.rows) >= _MOST_ROWS:
        raise UsageError(
            f"{counted(len(table.rows), 'row does', 'rows do')} not fit into a workbook; --as tsv takes them"
        )
    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})
        sheet = book.add_worksheet("Sheet1")
        for place, column in enumerate(table.columns):
            sheet.write_string(0, place, _held(column, table, 0, column))
        for number, row in enumerate(table.rows, start=1):
            for place, cell in enumerate(row):
                if isinstance(cell, int) and abs(cell) <= _EXACT:
                    sheet.write_number(number, place, cell)
                elif cell is not None:
                    text = _held(str(cell), table, number, table.columns[place])
                    sheet.write_string(number, place, text)
    return out.getvalue()


def _held(text: str, table: Table, number: int, column: str) -> str:
    """A text that a workbook gives back as it is."""
    length = len(text.encode("utf-16-le")) // 2
    if length > _MOST_TEXT:
        problem = f"has {length:,} characters, and a cell of a workbook takes {_MOST_TEXT:,}"
    elif found := _UNREADABLE.search(text):
        problem = f"has the control character U+{ord(found[0]):04X}, which a workbook loses"
    else:
        return text
    row = table.rows[number - 1] if number else ()
    place = f"row {number} (index {row[0]})" if number else "header"
    raise UsageError(f"{table.stem}.xlsx, {place}, field {column}: {problem}; --as tsv keeps it")

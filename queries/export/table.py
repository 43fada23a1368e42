"""A file of rows and columns, and how it is written: as a workbook, as TSV, or as JSON.

A text that a workbook would lose is an error that names it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from warehouse.errors import UsageError
from warehouse.wording import counted


def write(table: Table, form: str) -> bytes:
    """The file's content in one of FORMS.

    Raises:
        UsageError: a workbook cannot hold a text; the message names its row and field.
    """
    return FORMS[form](table)


def _tsv(table: Table) -> bytes:
    """Tab-separated as VLMEvalKit writes it: everything quoted, nothing is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return out.getvalue().encode()


def _json(table: Table) -> bytes:
    """An array of records; nothing is null."""
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return (json.dumps(records, ensure_ascii=False, indent=4) + "\n").encode()


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
    # It takes time, which what writes no workbook need not wait for.
    import xlsxwriter

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


# What pandas takes for nothing when it reads a table.
_NOTHING = frozenset(
    [
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "None",
        "n/a",
        "nan",
        "null",
    ]
)


@dataclass(frozen=True)
class Table:
    """A file to be written.

    Attributes:
        stem: its name without what is behind the dot.
        summary: what it holds, in one line.
        notes: what it does not hold, or holds otherwise.
    """

    stem: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | str | None, ...], ...]
    summary: str
    notes: tuple[str, ...] = field(default=())

    @property
    def n_taken_for_nothing(self) -> int:
        """Cells with a word that pandas, and so the harness, takes for an empty cell."""
        return sum(cell in _NOTHING for row in self.rows for cell in row if isinstance(cell, str))


FORMS: Mapping[str, Callable[[Table], bytes]] = {"xlsx": workbook, "tsv": _tsv, "json": _json}

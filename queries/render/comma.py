"""Tables as CSV, safe to open in a spreadsheet program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from queries.render.printed import Printed

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def guarded(value: object) -> object:
    """A text that a spreadsheet program would take for a formula, with a ' before it.

    That is one which begins with = + - @, a tab or a carriage return; a lone sign and a number are
    left alone, and so is whatever is no text. Who needs texts untouched takes JSON or Parquet.
    """
    if not isinstance(value, str) or not value.startswith(_STARTS):
        return value
    return value if value in _STARTS or _is_number(value) else f"'{value}"


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV without the last line's end; every text is guarded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([guarded(value) for value in row] for row in rows)
    return out.getvalue().removesuffix("\n")


def comma(tables: Sequence[Printed]) -> str:
    """Tables one below the other, each with its headings; numbers as printed, nothing is empty."""
    rows: list[list[object]] = []
    for table in tables:
        rows.append([*(heading for heading, _ in table.keys), *table.headings])
        constant = [text for _, text in table.keys]
        rows += [
            [*constant, *("" if cell.value is None else cell.text for cell in row.cells)]
            for row in table.rows
        ]
    return csv_text(rows)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    # float() also takes 1_000 and white space around it.
    return text.isascii() and not any(mark in text for mark in "_ \t\r\n\f\v")

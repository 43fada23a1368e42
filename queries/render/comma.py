"""Tables as CSV, safe to open in a spreadsheet program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from queries.render.printed import Printed

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(value: object) -> object:
    """A text that a spreadsheet program would take for a formula, with a ' before it.

    That is one which begins with = + - @, also in full width, a tab or an end of line; a lone sign
    and a number are left alone, and so is what is no text. JSON and Parquet have every text
    untouched.
    """
    if not isinstance(value, str) or not value.startswith(_STARTS):
        return value
    return value if value in ("+", "-") or _is_number(value) else f"'{value}"


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV without the last line's end; every text is guarded."""
    out = io.StringIO()
    # The library quotes what is part of its line ends and \n, so a bare \r would end a row.
    writer = csv.writer(out, lineterminator="\r\n")
    lines = []
    for row in rows:
        writer.writerow([guarded(value) for value in row])
        lines.append(out.getvalue().removesuffix("\r\n"))
        out.seek(0)
        out.truncate()
    return "\n".join(lines)


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

"""A file of rows and columns, and how it is written: as a workbook, as TSV, or as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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


def write(table: Table, form: str) -> bytes:
    """The file's content in one of FORMS.

    Raises:
        UsageError: a workbook cannot hold a text; the message names its row and field.
    """
    return FORMS[form](table)


def _xlsx(table: Table) -> bytes:
    # Takes time to import, which what writes no workbook need not wait for.
    from queries.export.workbook import workbook

    return workbook(table)


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


FORMS: Mapping[str, Callable[[Table], bytes]] = {"xlsx": _xlsx, "tsv": _tsv, "json": _json}

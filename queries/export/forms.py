"""How a table is written: as a workbook, as TSV, or as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping

from queries.export.table import Table


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

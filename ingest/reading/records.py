"""Records of JSON lines, of a JSON array, or of CSV."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.reading import json_map
from ingest.reading.limits import MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES
from ingest.reading.lines import text_lines, whole_text
from warehouse.errors import InputError


def json_records(path: Path, kind: str) -> Iterator[object]:
    """The records of a JSON-lines file or of a JSON array, one by one."""
    if kind == "json":
        if path.stat().st_size > MAX_DOCUMENT_BYTES:
            raise InputError(
                path,
                f"a record is broken, cut off or longer than {MAX_RECORD_BYTES:,} bytes; in a file of "
                f"more than {MAX_DOCUMENT_BYTES:,} it is not looked for",
            )
        try:
            data = json.loads(whole_text(path), object_pairs_hook=json_map.pairs)
        except (ValueError, RecursionError) as error:
            raise InputError(path, f"not valid JSON, or cut off: {_why(error)}") from error
        if not isinstance(data, list):
            raise InputError(path, "is JSON, but not an array of records")
        yield from data
        return
    row = 0
    for line in text_lines(path):
        if not line.strip():
            continue
        row += 1
        try:
            yield json.loads(line, object_pairs_hook=json_map.pairs)
        except json.JSONDecodeError as error:
            raise InputError(path, f"not valid JSON, or cut off: {error.msg}", row=row) from error
        except (ValueError, RecursionError) as error:
            raise InputError(path, f"not valid JSON, or cut off: {error}", row=row) from error


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}"
    return str(error)


def csv_records(
    path: Path, columns: Sequence[str], delimiter: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of a table with a header, by number.

    Raises:
        InputError: one is broken, or has more or fewer fields than the header, or that has a
            column twice.
    """
    if (name := next((one for one in columns if columns.count(one) > 1), None)) is not None:
        raise InputError(path, "the column stands twice in the header", row=0, field=name)
    csv.field_size_limit(sys.maxsize)
    row = 0
    try:
        for record in csv.reader(text_lines(path), delimiter=delimiter, strict=True):
            if row and record and len(record) != len(columns):
                raise InputError(
                    path,
                    f"has {len(record)} fields where the header names {len(columns)}",
                    row=row,
                    field=next(iter(columns[len(record) :]), None),
                )
            if row and record:
                yield row, dict(zip(columns, record, strict=True))
            row += 1
    except csv.Error as error:
        raise InputError(path, f"broken quoting, or cut off: {error}", row=row) from error

"""Records of JSON lines, or of a JSON array."""

from __future__ import annotations

import json
from collections.abc import Iterator
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

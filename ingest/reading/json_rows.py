"""Files in JSON of a form that the engine's reader does not know, record by record.

json_list     one object that holds the records in a list named `questions`, and other values
jsonl_commas  JSON lines with a comma at the end of each
json_values   an array of ids, a column `question_key`
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from ingest.reading.lines import text_lines, whole_text
from warehouse.errors import InputError

KINDS = ("json_list", "jsonl_commas", "json_values")
_LIST = "questions"


def holds_list(found: dict[str, Any]) -> bool:
    """Whether an object is of the kind json_list."""
    return isinstance(found.get(_LIST), list)


def is_list_in_a_line(line: str) -> bool:
    """Whether a line that is a whole object is of the kind json_list."""
    found = json.loads(line)
    return holds_list(found) and any(isinstance(record, dict) for record in found[_LIST])


def has_comma(line: str) -> bool:
    """Whether a line is an object with a comma behind it."""
    text = line.rstrip()
    return text.endswith("},") and json_map.is_record(text[:-1])


def begins_with_value(start: str) -> bool:
    """Whether the array that begins so has a text or a number as its first element."""
    return start.removeprefix("[").lstrip()[:1] in tuple('"-0123456789')


def read(path: Path, kind: str) -> list[dict[str, Any]]:
    """The records of a file of one of these kinds.

    Raises:
        InputError: it is broken (the record is named), or holds something else.
    """
    records: list[Any]
    if kind == "json_list":
        found = json_map.read_object(path)
        records = found[_LIST]
    elif kind == "json_values":
        records = _read_values(path)
    else:
        records = _read_lines(path)
    if not records:
        raise InputError(path, "holds no records")
    for row, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is not a JSON object", row=row)
        if isinstance(record, json_map.Repeated):
            raise InputError(path, "the key stands twice", row=row, field=record.key)
    return records


def other_values(path: Path) -> dict[str, Any]:
    """What a file of the kind json_list holds in addition to its records."""
    found = json_map.read_object(path)
    return {key: value for key, value in found.items() if key != _LIST}


def columns(records: list[dict[str, Any]]) -> tuple[str, ...]:
    """Every key of the records, in the order in which they turn up."""
    return tuple(dict.fromkeys(name for record in records for name in record))


def cells(
    path: Path, records: list[dict[str, Any]], names: tuple[str, ...]
) -> dict[str, list[str | None]]:
    """The records as columns of text; lists and objects within stay JSON.

    Raises:
        InputError: a text that is no Unicode, or values nested too deeply to write down.
    """
    table: dict[str, list[str | None]] = {name: [] for name in names}
    for row, record in enumerate(records, start=1):
        for name in names:
            try:
                cell = json_map.text(record.get(name))
                if cell is not None:
                    cell.encode()
            except (ValueError, RecursionError) as error:
                raise InputError(path, f"cannot be read: {error}", row=row, field=name) from error
            table[name].append(cell)
    return table


def _read_lines(path: Path) -> list[Any]:
    records = []
    for line in text_lines(path):
        if not line.strip():
            continue
        try:
            records.append(
                json.loads(line.strip().removesuffix(","), object_pairs_hook=json_map.pairs)
            )
        except (ValueError, RecursionError) as error:
            raise InputError(
                path, f"not valid JSON, or cut off: {error}", row=len(records) + 1
            ) from error
    return records


def _read_values(path: Path) -> list[Any]:
    try:
        values = json.loads(whole_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}") from error
    for row, value in enumerate(values, start=1):
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise InputError(path, "is no id, where the others are", row=row)
    return [{"question_key": str(value).strip()} for value in values]

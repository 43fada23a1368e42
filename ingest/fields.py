"""The fields of a record, declared: where each stands, its type, and where it goes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from ingest.reading.records import json_records
from warehouse.errors import InputError

_LARGEST = 2**31 - 1
_LONG = 20_000
"""Characters of a setting; longer ones are kept by their hash."""
_WORDS = {
    str: "text",
    int: "whole number up to 2147483647",
    float: "number",
    dict: "object",
    list: "list",
}


@dataclass(frozen=True)
class Field:
    """A field of a record.

    Attributes:
        path: the names that lead to it, with dots between.
        type: str, int, float, dict or list, or several of them.
        to: what it is called where it goes.
        required: null, or no such field, is an error.
    """

    path: str
    type: type | tuple[type, ...]
    to: str
    required: bool = True


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file of JSON lines, by number.

    Raises:
        InputError: one is broken, or no object, or has a key twice.
    """
    for row, record in enumerate(json_records(path, "jsonl"), start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is not a JSON object", row=row)
        if isinstance(record, json_map.Repeated):
            raise InputError(path, "the key stands twice", row=row, field=record.key)
        yield row, record


def read(
    path: Path, row: int | None, record: object, fields: Sequence[Field], under: str = ""
) -> dict[str, Any]:
    """The values of a record's fields, by where they go; None: it has none.

    Args:
        under: the place of the record in the file's, for messages.

    Raises:
        InputError: the record is no object, a required field is missing, or one has another type.
    """
    if not isinstance(record, Mapping):
        raise InputError(path, "is no object", row=row, field=under.rstrip(".") or None)
    found: dict[str, Any] = {}
    for field in fields:
        value: object = record
        for name in field.path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is None and field.required:
            raise InputError(path, "is missing", row=row, field=under + field.path)
        if value is not None and not _is_of(value, field.type):
            types = field.type if isinstance(field.type, tuple) else (field.type,)
            words = " or ".join(_WORDS[each] for each in types)
            raise InputError(path, f"is no {words}", row=row, field=under + field.path)
        found[field.to] = value
    return found


def read_each(
    path: Path, records: Sequence[object] | None, fields: Sequence[Field], under: str
) -> list[dict[str, Any]]:
    """The values of each record of a list within a document, as `read` gives them."""
    return [read(path, None, one, fields, f"{under}{n}.") for n, one in enumerate(records or [])]


def as_texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The values that are there, by name: a text as it is, all else as JSON."""
    return {
        name: value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
        for name, value in values.items()
        if value not in (None, "", [], {})
    }


def plain(value: object) -> Any:
    """The same as JSON that every reader knows: no NaN, and no half characters."""
    written = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return json.loads(written, parse_constant=str)


def shortened(value: object) -> object:
    """A setting whose parts, or else all of it, are kept by their hash where they are long."""
    written = json.dumps(value, ensure_ascii=False)
    if len(written) <= _LONG:
        return value
    if isinstance(value, dict):
        parts = {name: shortened(one) for name, one in value.items()}
        if len(json.dumps(parts, ensure_ascii=False)) <= _LONG:
            return parts
    return {"characters": len(written), "sha256": sha256(written.encode()).hexdigest()}


def _is_of(value: object, types: type | tuple[type, ...]) -> bool:
    wanted = types if isinstance(types, tuple) else (types,)
    if isinstance(value, bool):
        return bool in wanted
    if isinstance(value, int) and int in wanted:
        return abs(value) <= _LARGEST
    return isinstance(value, wanted) or (isinstance(value, int) and float in wanted)

"""Files that are one map by id: a JSON object whose values are all objects, or all texts; a pickle.

As columns: `key`, and the keys of the values, or `key` and `value`. Lists and objects within stay
JSON, for the adapter to read.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.reading import safe_pickle
from ingest.reading.contents import UnknownFormatError
from ingest.reading.lines import whole_text
from warehouse.errors import InputError

_RECORD_KEYS = {
    "question_key", "question_id", "qid", "uid", "id", "index", "name", "level", "question", "prediction",
    "response", "output", "target", "gold", "label",
}  # fmt: skip
_MANY = 10
"""A map may have one value of another kind in so many, and is damaged then; else it is no map."""
NOT_RECORDS = "is one JSON object, not an array of records and not JSON lines (a record a line)"


class Repeated(dict[str, Any]):
    """A JSON object in which a key stands twice."""

    key: str


def is_record(line: str) -> bool:
    """Whether a line is by itself a whole JSON object, as in JSON lines."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def is_map(found: dict[str, Any], *, in_a_line: bool) -> bool:
    """Whether an object is a map by id.

    Args:
        in_a_line: the file has no other line, so that it may be the only record of JSON lines.
    """
    if not found or all(isinstance(value, dict) for value in found.values()):
        return bool(found)
    are_texts = all(isinstance(value, str) for value in found.values())
    return are_texts and not (in_a_line and _RECORD_KEYS & found.keys())


def read(path: Path, kind: str) -> dict[str, Any]:
    """The map of a file of the kind json_map or pickle, keys as text.

    Raises:
        UnknownFormatError: its values are of several kinds, as those of a file of settings.
        InputError: it is no such map, one value in many is of another kind, or a key stands twice.
    """
    found = _read_pickle(path) if kind == "pickle" else read_object(path)
    for words, wanted in {"objects": dict, "texts": str}.items():
        if all(isinstance(value, wanted) for value in found.values()):
            break
        first = next(iter(found.values()))
        if isinstance(first, wanted):
            row, key = next(
                (row, key)
                for row, (key, value) in enumerate(found.items(), start=1)
                if not isinstance(value, wanted)
            )
            n_others = sum(not isinstance(value, wanted) for value in found.values())
            error = InputError if n_others * _MANY <= len(found) else UnknownFormatError
            raise error(
                path,
                f"{NOT_RECORDS}; as a map by id it would have to hold {words} alone",
                row=row,
                field=key,
            )
    else:
        raise UnknownFormatError(path, NOT_RECORDS)
    for row, (key, value) in enumerate(found.items(), start=1):
        if isinstance(value, Repeated):
            raise InputError(path, "the key stands twice", row=row, field=value.key)
        if not key.strip():
            raise InputError(path, "is empty", row=row, field="key")
    return found


def columns(found: dict[str, Any]) -> tuple[str, ...]:
    """`key` and the columns of the values, in the order in which they turn up."""
    if all(isinstance(value, str) for value in found.values()):
        return ("key", "value")
    return ("key", *dict.fromkeys(str(name) for value in found.values() for name in value))


def cells(path: Path, found: dict[str, Any], names: tuple[str, ...]) -> dict[str, list[str | None]]:
    """The map as columns of text.

    Raises:
        InputError: a text that is no Unicode, or values nested too deeply to write down.
    """
    table: dict[str, list[str | None]] = {name: [] for name in names}
    for row, (key, value) in enumerate(found.items(), start=1):
        entry = {"value": value} if isinstance(value, str) else value
        try:
            for name, cell in _entry_cells(key, entry, names):
                table[name].append(cell)
        except (ValueError, RecursionError) as error:
            raise InputError(path, f"cannot be read: {error}", row=row, field="key") from error
    return table


def _entry_cells(
    key: str, entry: dict[Any, Any], names: tuple[str, ...]
) -> Iterator[tuple[str, str | None]]:
    for name in names:
        cell = key if name == "key" else text(entry.get(name))
        if cell is not None:
            cell.encode()
        yield name, cell


def text(value: object) -> str | None:
    """A value as a cell: texts as they are, anything else as JSON; None: nothing, or NaN."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    return json.dumps(value, ensure_ascii=False)


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object of a file.

    Raises:
        InputError: it is broken, no object, an empty one, or a key stands twice.
    """
    try:
        found = json.loads(whole_text(path), object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}") from error
    if not isinstance(found, dict) or not found:
        raise InputError(path, NOT_RECORDS)
    if isinstance(found, Repeated):
        row = list(found).index(found.key) + 1
        raise InputError(path, f"the key {found.key} stands twice", row=row, field="key")
    return found


def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its pairs; a `Repeated` if a key stands twice."""
    found = dict(items)
    if len(found) == len(items):
        return found
    counts = Counter(key for key, _ in items)
    repeated = Repeated(found)
    repeated.key = next(key for key, n in counts.items() if n > 1)
    return repeated


def _read_pickle(path: Path) -> dict[str, Any]:
    found = safe_pickle.load(path)
    if not isinstance(found, dict) or not found:
        raise InputError(path, "is a pickle, but not of a map by id")
    texts = {str(key): value for key, value in found.items()}
    if len(texts) < len(found):
        raise InputError(path, "two keys of the pickle are the same as text", field="key")
    return texts

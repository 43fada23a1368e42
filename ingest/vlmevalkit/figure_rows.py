"""The figures in VLMEvalKit's score files, flattened as its own `status.json` has them.

A table, CSV or a JSON array of records, has columns of numbers, whose cells are the figures, and
others, which say what a row is about: `split=val|Overall`. Elsewhere in JSON the keys are the path
to a figure, and so are places in lists: `short|domain|Knowledge`, `overall|0`. A path that comes
again ends in `#` and the row's number from 0 in a table, and elsewhere in `#dup`.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ingest.reading.json_map import Repeated, pairs
from ingest.reading.lines import text_lines, whole_text
from ingest.vlmevalkit import figure_names
from warehouse.errors import InputError

KIND = "vlmevalkit_figures"
COLUMNS = ("metric", "value")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_MISSING = frozenset(("", "nan", "NaN", "None", "NA", "N/A", "n/a", "null", "NULL", "<NA>"))
"""What pandas takes for no value at all."""
_HEAD = 4096
_ROWS = frozenset(("index", "question_id", "question_key", "question", "prediction", "log"))
"""Columns of which a file of a row per question has one."""
_ABOUT = frozenset(("overall", "category", "split", "task"))
"""Columns by which a table of figures is known, whatever its name."""


def kind_of_text(path: Path) -> str | None:
    """`vlmevalkit_figures` if a file is named as a score file and holds no row per question.

    Any map by id is JSON like that of figures, so there the name has to say of which run they are.
    """
    if figure_names.ending(path) not in figure_names.READ or not holds_figures(path):
        return None
    return KIND if path.suffix != ".json" or figure_names.read(path) is not None else None


def holds_figures(path: Path) -> bool:
    """Whether a file whose name ends as a score file's holds figures, by its beginning."""
    begin = head(path).lstrip()
    if not begin:
        return False
    if path.suffix == ".json":
        return not any(f'"{name}"' in begin for name in _ROWS)
    line = begin.splitlines()[0]
    header = {
        cell.strip().lower() for cell in next(csv.reader([line], delimiter=_delimiter(path)), [])
    }
    return not header & _ROWS and (bool(header & _ABOUT) or figure_names.read(path) is not None)


def cells(path: Path) -> dict[str, list[str | None]]:
    """The figures as columns of text; a value of None is a cell without a number.

    Raises:
        InputError: the file is broken, or no cell of it is a number.
    """
    found = _of_json(path) if path.suffix == ".json" else _of_table(path, *_csv(path))
    if all(value is None for value in found.values()):
        raise InputError(path, "holds no figure: nothing in it is a number")
    for row, metric in enumerate(found, start=1):
        try:
            metric.encode()
        except UnicodeEncodeError as error:
            raise InputError(path, f"cannot be read: {error}", row=row, field="metric") from error
    return {"metric": list(found), "value": list(found.values())}


def head(path: Path) -> str:
    """The beginning of a text file; '' if it cannot be opened."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except OSError:
        return ""


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix == ".tsv" else ","


def _csv(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a table."""
    csv.field_size_limit(sys.maxsize)
    rows: list[list[str]] = []
    try:
        for cells_of_row in csv.reader(text_lines(path), delimiter=_delimiter(path), strict=True):
            if cells_of_row:
                rows.append(cells_of_row)
    except csv.Error as error:
        raise InputError(path, f"broken quoting, or cut off: {error}", row=len(rows)) from error
    if len(rows) < 2:
        raise InputError(path, "has a header, but no rows")
    header = [name.strip() for name in rows.pop(0)]
    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(path, "the column stands twice in the header", row=0, field=name)
    for row, cells_of_row in enumerate(rows, start=1):
        if len(cells_of_row) != len(header):
            missing = header[len(cells_of_row) :]
            raise InputError(
                path,
                f"has {len(cells_of_row)} fields where the header names {len(header)}",
                row=row,
                field=missing[0] if missing else None,
            )
    return header, rows


def _of_table(
    path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]
) -> dict[str, str | None]:
    columns = list(zip(*rows, strict=True))
    numeric = [any(_number(cell) is not None for cell in column) for column in columns]
    found: dict[str, str | None] = {}
    for number, row in enumerate(rows):
        about = [
            f"{_key(name)}={str(cell).strip()}"
            for name, is_numeric, cell in zip(header, numeric, row, strict=True)
            if not is_numeric and not _is_missing(cell) and str(cell).strip()
        ]
        for name, is_numeric, cell in zip(header, numeric, row, strict=True):
            # A column of numbers without a name is pandas' own count of the rows.
            if is_numeric and name:
                metric = "|".join((*about, _key(name)))
                found[f"{metric}#{number}" if metric in found else metric] = _number(cell)
    return found


def _of_json(path: Path) -> dict[str, str | None]:
    try:
        content = json.loads(
            whole_text(path),
            object_pairs_hook=pairs,
            parse_int=_Written,
            parse_float=_Written,
            parse_constant=lambda _: None,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}") from error
    _refuse_repeated(path, content, 1)
    if _is_table(content):
        names = list(dict.fromkeys(name for record in content for name in record))
        return _of_table(path, names, [[one.get(name) for name in names] for one in content])
    if not isinstance(content, dict | list):
        raise InputError(path, "is JSON, but neither an object nor an array")
    found: dict[str, str | None] = {}
    for metric, value in _leaves(content, ""):
        found[f"{metric}#dup" if metric in found else metric] = value
    return found


class _Written(str):
    """A number of a JSON file as it is written there."""

    __slots__ = ()


def _is_table(content: object) -> bool:
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(record, dict) for record in content)
        and not any(isinstance(v, dict | list) for record in content for v in record.values())
    )


def _refuse_repeated(path: Path, content: object, row: int) -> None:
    """Refuse an object in which a key stands twice; `row` is the place in the outermost one."""
    if isinstance(content, Repeated):
        raise InputError(path, "the key stands twice", row=row, field=content.key)
    parts: Sequence[object] = ()
    if isinstance(content, Mapping):
        parts = list(content.values())
    elif isinstance(content, list):
        parts = content
    for part in parts:
        _refuse_repeated(path, part, row)


def _leaves(content: object, prefix: str) -> Iterator[tuple[str, str | None]]:
    if isinstance(content, Mapping):
        for name, value in content.items():
            yield from _leaves(value, _joined(prefix, _key(name)))
    elif isinstance(content, list):
        only = len(content) == 1 and _number(content[0]) is not None
        for place, value in enumerate(content):
            yield from _leaves(value, prefix if only else _joined(prefix, str(place)))
    else:
        yield prefix or "value", _number(content)


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}|{name}" if prefix else name


def _key(name: str) -> str:
    return name.strip() or "value"


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and cell in _MISSING)


def _number(cell: object) -> str | None:
    """A cell as it is written, if it is a number."""
    text = cell.strip() if isinstance(cell, str) else ""
    return text if _NUMBER.fullmatch(text) else None

"""The manifest of an exported warehouse: its files, their rows, sizes and hashes.

A folder of Parquet files is an export if it has a `manifest.json`; that is written last. What it
says is checked before anything is believed: it can come from anywhere.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from warehouse.errors import InputError
from warehouse.files import reading, writing

NAME = "manifest.json"
FORMAT = 1
"""Of the manifest itself and of how files lie in the folder."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class DataFile:
    """A Parquet file: its path inside the folder with / between, and the sha256 of its bytes."""

    path: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class TableFiles:
    """A table: its columns' types by name in order, its rows, and a hash of them in any order."""

    columns: Mapping[str, str]
    rows: int
    content: str
    files: tuple[DataFile, ...]


@dataclass(frozen=True)
class Manifest:
    """What an export holds. `schema_version` is the warehouse's."""

    schema_version: int
    evalhouse: str
    duckdb: str
    tables: Mapping[str, TableFiles]


def write(folder: Path, manifest: Manifest) -> None:
    """Put the manifest next to its files, in a folder of `warehouse.files.writing.folder`."""
    text = json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, ensure_ascii=False)
    writing.fill(folder / NAME, text + "\n")


def read(folder: Path) -> Manifest:
    """The manifest of a folder.

    Raises:
        InputError: there is none, it is not whole, or it names a file outside of the folder.
    """
    path = folder / NAME
    if not folder.is_dir():
        raise InputError(
            folder, "is no folder" if folder.exists() else "no export: it is not there"
        )
    if not os.path.lexists(path):
        raise InputError(
            folder, f"no export: it has no {NAME} (an export that was broken off has none either)"
        )
    fields = reading.json_value(path, inside=folder)
    if isinstance(fields, dict) and fields.get("format") not in (None, FORMAT):
        raise InputError(
            path,
            f"is of format {fields['format']!r}, this evalhouse reads {FORMAT}",
            field="format",
        )
    return Manifest(
        schema_version=_get(path, fields, "schema_version", int),
        evalhouse=_get(path, fields, "evalhouse", str),
        duckdb=_get(path, fields, "duckdb", str),
        tables={
            name: _table(path, folder, name, table)
            for name, table in _get(path, fields, "tables", dict).items()
        },
    )


def check_files(folder: Path, manifest: Manifest) -> None:
    """See that the files there are the manifest's, by name and size; their content is not read.

    Raises:
        InputError: a file is not there, is shorter or longer, or is one too many.
    """
    known = set()
    inside = folder.resolve()
    for table in manifest.tables.values():
        for file in table.files:
            path = folder / file.path
            known.add(path)
            try:
                found = path.stat()
                is_inside = path.resolve().is_relative_to(inside)
            except (OSError, RuntimeError) as error:
                raise InputError(path, f"the manifest names it, and it is not there: {error}") from error  # fmt: skip
            if not stat.S_ISREG(found.st_mode) or not is_inside:
                raise InputError(path, "is no regular file in the folder of this export")
            size = found.st_size
            if size != file.bytes:
                raise InputError(path, f"has {size:,} bytes, the manifest says {file.bytes:,}")
            if not _begins_and_ends_as_parquet(path):
                raise InputError(path, "is no Parquet file, or is cut off")
    for above, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".parquet") and Path(above, name) not in known:
                raise InputError(
                    Path(above, name), "is no file of this export: the manifest does not name it"
                )


def require_each_once(folder: Path, manifest: Manifest) -> None:
    """Refuse a manifest that names a file twice: its rows would be there twice.

    Raises:
        InputError: it does.
    """
    names = [file.path for table in manifest.tables.values() for file in table.files]
    twice = next((name for name, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise InputError(folder / NAME, f"names {twice!r} twice", field="tables")


def _begins_and_ends_as_parquet(path: Path) -> bool:
    """Before gigabytes are hashed: whether a file is what it is called."""
    with path.open("rb") as file:
        begin = file.read(4)
        file.seek(-min(4, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return begin == file.read(4) == b"PAR1"


def _table(path: Path, folder: Path, name: str, fields: object) -> TableFiles:
    columns = _get(path, fields, "columns", dict, name)
    for column, its_type in columns.items():
        if not isinstance(its_type, str):
            raise InputError(path, "a column's type is a text", field=f"{name}.columns.{column}")
    files = _get(path, fields, "files", list, name)
    return TableFiles(
        columns=columns,
        rows=_get(path, fields, "rows", int, name),
        content=_get(path, fields, "content", str, name),
        files=tuple(_file(path, folder, f"{name}.files", file) for file in files),
    )


def _file(path: Path, folder: Path, place: str, fields: object) -> DataFile:
    name = _get(path, fields, "path", str, place)
    parts = PurePosixPath(name)
    # Wherever the folder came from, only files inside of it are opened.
    if (
        parts.is_absolute()
        or ".." in parts.parts
        or parts.suffix != ".parquet"
        or str(parts) != name
        or "\0" in name
        or not Path(os.path.realpath(folder / name)).is_relative_to(os.path.realpath(folder))
    ):
        raise InputError(path, f"{name!r} is no Parquet file in this folder", field=place)
    return DataFile(
        path=name,
        rows=_get(path, fields, "rows", int, place),
        bytes=_get(path, fields, "bytes", int, place),
        sha256=_get(path, fields, "sha256", str, place),
    )


def _get(path: Path, fields: Any, key: str, kind: type[_T], place: str = "") -> _T:
    value = fields.get(key) if isinstance(fields, dict) else None
    # True is an int to Python.
    is_bad = isinstance(value, int) and (isinstance(value, bool) or abs(value) >= 2**63)
    if not isinstance(value, kind) or is_bad:
        field = f"{place}.{key}" if place else key
        raise InputError(path, f"the manifest has no {kind.__name__} there", field=field)
    return value

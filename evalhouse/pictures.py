"""Pictures from files into the folder next to the warehouse: those that its questions have the hash of."""

from __future__ import annotations

import base64
import binascii
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import duckdb

from evalhouse.api import Warehouse
from ingest.reading import spreadsheet
from warehouse import connection
from warehouse.errors import InputError, UsageError
from warehouse.files import writing
from warehouse.images import Images, at, kind_of, listed

_TABLES = {".tsv": "\t", ".csv": ","}
_FIELDS = ("image", "image_path")
"""Where records have a picture, or the path of one next to their file."""
_LOOKED_AT = f"{' or '.join(_FIELDS)} (base64, or the path of a file next to it)"
_AT_ONCE = 64
"""Rows of a Parquet file that are in memory at a time."""


@dataclass(frozen=True)
class Added:
    """What came of pictures: kept now, there already, and such that no question has the hash of.

    Attributes:
        unread: the errors of files in which none could be looked for, where that is no error.
    """

    n_new: int
    n_there: int
    n_unknown: int
    unread: tuple[InputError, ...] = ()


def add(
    house: Warehouse,
    words: Iterable[Path],
    *,
    may_hold_none: bool = False,
    step: Callable[[str], None] = lambda text: None,
) -> Added:
    """Keep the pictures of files and folders that questions have the hash of.

    Args:
        may_hold_none: a named file may hold no picture, or be none that is looked into.
        words: pictures, or tables with pictures in them: TSV, CSV, XLSX, JSON and JSON lines with
            base64 or a path in image or image_path, Parquet with {bytes, path}, bytes or these.
            Or folders of these. A path leads to a file in the table's own folder or below it.
        step: callback, called with the file that is read.

    Raises:
        UsageError: a file is not there.
        InputError: a file cannot be read as it stands, or was named and holds no picture; what was
            kept before stays.
    """
    images = Images.of(house.path)
    wanted = hashes(house)
    n_new = n_there = n_unknown = 0
    unread: list[InputError] = []
    named = list(words)
    for path in files_of(named):
        step(path.name)
        n = 0
        try:
            for n, content in enumerate(found_in(path), 1):  # noqa: B007
                name = sha256(content).hexdigest()
                if name not in wanted:
                    n_unknown += 1
                elif images.put(content)[1]:
                    n_new += 1
                else:
                    n_there += 1
        except InputError as error:
            if not may_hold_none:
                raise
            unread.append(error)
        if not n and path in named and not may_hold_none:
            raise InputError(path, "holds no picture: none of its own, and none in " + _LOOKED_AT)
    return Added(n_new, n_there, n_unknown, tuple(unread))


def hashes(house: Warehouse) -> frozenset[str]:
    """Those of all questions' pictures."""
    with house.reading() as con:
        rows = con.execute("SELECT DISTINCT sha256 FROM main.question_image").fetchall()
    return frozenset(str(name) for (name,) in rows)


def export(house: Warehouse, folder: Path) -> tuple[int, int]:
    """Copy the pictures that are kept into a folder, each as HASH.KIND.

    Returns:
        how many, and how many were left out, as their bytes are not those of their name.

    Raises:
        UsageError: the folder cannot be written.
    """
    images = Images.of(house.path)
    n = n_damaged = 0
    with writing.folder(folder) as new:
        for name, _ in images.all():
            content = images.read(name)
            if content is None:
                n_damaged += 1
                continue
            writing.fill(new / f"{name}.{kind_of(content) or 'bin'}", content)
            n += 1
    return n, n_damaged


def damaged(house: Warehouse) -> tuple[int, list[Path]]:
    """How many pictures are kept, and those whose bytes are not those of their name."""
    images = Images.of(house.path)
    there = list(images.all())
    return len(there), [path for name, path in there if images.read(name) is None]


def files_of(words: Iterable[Path]) -> Iterator[Path]:
    """The files that words name, and those of folders in the order of their names.

    Raises:
        UsageError: one is not there.
    """
    for word in words:
        if word.is_dir():
            yield from (path for path in sorted(word.rglob("*")) if path.is_file())
        elif word.is_file():
            yield word
        else:
            raise UsageError(f"{word}: is not there")


def found_in(path: Path) -> Iterator[bytes]:
    """The pictures of a file, one after the other.

    Raises:
        InputError: it cannot be read as it stands.
    """
    ending = path.suffix.lower()
    try:
        if ending in _TABLES:
            yield from _of_table(path, _TABLES[ending])
        elif ending == ".jsonl":
            yield from _of_lines(path)
        elif ending == ".json":
            yield from _of_array(path)
        elif ending == ".xlsx":
            yield from _of_workbook(path)
        elif ending == ".parquet":
            yield from _of_parquet(path)
        else:
            with path.open("rb") as file:
                begins = file.read(16)
            if kind_of(begins) is not None:
                yield path.read_bytes()
    except OSError as error:
        raise InputError(path, writing.reason(error)) from error
    except (
        csv.Error,
        ValueError,
        duckdb.Error,
        RuntimeError,
    ) as error:
        # ValueError: no UTF-8, no JSON, a number of too many digits. RuntimeError: JSON that nests too
        # deep, a path that leads round in a circle.
        raise InputError(path, f"cannot be read: {connection.first_line(error)}") from error


def _of_table(path: Path, delimiter: str) -> Iterator[bytes]:
    # A cell can be as long as a picture.
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        for row in csv.DictReader(lines, delimiter=delimiter):
            yield from _of_record(row, path.parent)


def _of_lines(path: Path) -> Iterator[bytes]:
    with path.open(encoding="utf-8-sig") as lines:
        for line in lines:
            if line.strip():
                yield from _of_record(json.loads(line), path.parent)


def _of_array(path: Path) -> Iterator[bytes]:
    content = json.loads(path.read_text(encoding="utf-8-sig"))
    for record in content if isinstance(content, list) else [content]:
        yield from _of_record(record, path.parent)


def _of_workbook(path: Path) -> Iterator[bytes]:
    for row in spreadsheet.read(path).frame.iter_rows(named=True):
        yield from _of_record(row, path.parent)


def _of_parquet(path: Path) -> Iterator[bytes]:
    con = connection.in_memory([path])
    try:
        name = connection.allowed(path)[1]
        columns = con.execute("DESCRIBE FROM read_parquet(?)", [name]).fetchall()
        wanted = [c for c, kind, *_ in columns if "BLOB" in kind or c in _FIELDS]
        if not wanted:
            return
        listed = ", ".join('"' + one.replace('"', '""') + '"' for one in wanted)
        rows = con.execute(f"SELECT {listed} FROM read_parquet(?)", [name])
        while piece := rows.fetchmany(_AT_ONCE):
            for row in piece:
                for value in row:
                    yield from _decoded(value, path.parent)
    finally:
        con.close()


def _of_record(record: object, folder: Path) -> Iterator[bytes]:
    if isinstance(record, dict):
        for field in _FIELDS:
            yield from _decoded(record.get(field), folder)


def _decoded(value: object, folder: Path) -> Iterator[bytes]:
    """The pictures in a cell: bytes, base64, a path, {bytes, path}, or a list of these."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, str):
        try:
            content = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            content = b""
        if kind_of(content) is not None:
            yield content
        elif found := listed(value):
            yield from _decoded(found, folder)
        elif (picture := at(value, folder)) is not None:
            yield picture
    elif isinstance(value, dict):
        yield from _decoded(value.get("bytes") or value.get("path"), folder)
    elif isinstance(value, list):
        for one in value:
            yield from _decoded(one, folder)

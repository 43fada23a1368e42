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
from warehouse import connection
from warehouse.errors import InputError, UsageError
from warehouse.files import writing
from warehouse.images import Images, kind_of

_TABLES = {".tsv": "\t", ".csv": ","}
_AT_ONCE = 64
"""Rows of a Parquet file that are in memory at a time."""


@dataclass(frozen=True)
class Added:
    """What came of pictures: kept now, there already, and such that no question has the hash of."""

    n_new: int
    n_there: int
    n_unknown: int


def add(
    house: Warehouse, words: Iterable[Path], *, step: Callable[[str], None] = lambda text: None
) -> Added:
    """Keep the pictures of files and folders that questions have the hash of.

    Args:
        words: pictures, or tables with pictures in them: TSV and CSV with a column image in base64,
            JSON lines with a field image, Parquet with {bytes, path} or bytes. Or folders of these.
        step: callback, called with the file that is read.

    Raises:
        UsageError: a file is not there.
        InputError: a file cannot be read as it stands; what was kept before stays.
    """
    images = Images.of(house.path)
    wanted = hashes(house)
    n_new = n_there = n_unknown = 0
    for path in files_of(words):
        step(path.name)
        for content in found_in(path):
            name = sha256(content).hexdigest()
            if name not in wanted:
                n_unknown += 1
            elif images.put(content)[1]:
                n_new += 1
            else:
                n_there += 1
    return Added(n_new, n_there, n_unknown)


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
        elif ending == ".parquet":
            yield from _of_parquet(path)
        else:
            with path.open("rb") as file:
                begins = file.read(16)
            if kind_of(begins) is not None:
                yield path.read_bytes()
    except OSError as error:
        raise InputError(path, writing.reason(error)) from error
    except (csv.Error, UnicodeDecodeError, json.JSONDecodeError, duckdb.Error) as error:
        raise InputError(path, f"cannot be read: {connection.first_line(error)}") from error


def _of_table(path: Path, delimiter: str) -> Iterator[bytes]:
    # A cell can be as long as a picture.
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        for row in csv.DictReader(lines, delimiter=delimiter):
            yield from _decoded(row.get("image"))


def _of_lines(path: Path) -> Iterator[bytes]:
    with path.open(encoding="utf-8-sig") as lines:
        for line in lines:
            if line.strip():
                record = json.loads(line)
                if isinstance(record, dict):
                    yield from _decoded(record.get("image"))


def _of_parquet(path: Path) -> Iterator[bytes]:
    con = connection.in_memory([path])
    try:
        name = connection.allowed(path)[1]
        columns = con.execute("DESCRIBE FROM read_parquet(?)", [name]).fetchall()
        wanted = [c for c, kind, *_ in columns if "BLOB" in kind or c == "image"]
        if not wanted:
            return
        listed = ", ".join('"' + one.replace('"', '""') + '"' for one in wanted)
        rows = con.execute(f"SELECT {listed} FROM read_parquet(?)", [name])
        while piece := rows.fetchmany(_AT_ONCE):
            for row in piece:
                for value in row:
                    yield from _decoded(value)
    finally:
        con.close()


def _decoded(value: object) -> Iterator[bytes]:
    """The pictures in a cell: bytes, base64, {bytes, path}, or a list of these."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, str):
        try:
            content = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            return
        if kind_of(content) is not None:
            yield content
    elif isinstance(value, dict):
        yield from _decoded(value.get("bytes"))
    elif isinstance(value, list):
        for one in value:
            yield from _decoded(one)

"""A first look at a file: what kind it is and which columns it has, from its content."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from ingest import readers
from ingest.reading import contents, json_map, json_rows, spreadsheet
from ingest.reading.contents import UnknownFormatError
from ingest.reading.head import Seen
from ingest.reading.limits import MAX_COLUMNS, MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES
from ingest.reading.lines import beginning, text_lines, whole_text
from ingest.reading.records import json_records
from ingest.reading.spreadsheet import Sheet
from ingest.vlmevalkit import figure_rows
from warehouse import connection, statements
from warehouse.errors import InputError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
_RESERVED = {"rowid", "__row", "__number", "__key", "__pass"}
"""Columns that are added to the file's own while it is read."""


@dataclass(frozen=True)
class Probe:
    """A file's kind and columns, in the file's order.

    The kind is csv, tsv, json, jsonl, xlsx, parquet, json_map or pickle (one map by id), or one of
    `json_rows.KINDS`, or the KIND of `figure_rows`, or the format of a reader. `sheet` is of a
    spreadsheet, and `records` of a pickle: they cannot be looked at without reading all of them.
    `called` are the columns as the file has them, where `columns` have other names for some. `is_guess`:
    files of other kinds look as this one does to its reader.
    """

    path: Path
    kind: str
    columns: tuple[str, ...]
    sheet: Sheet | None = field(default=None, repr=False, compare=False)
    records: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    called: tuple[str, ...] | None = None
    is_guess: bool = False

    def has(self, *names: str) -> bool:
        """Whether all of these columns are there."""
        return set(names) <= set(self.columns)

    def has_any(self, *names: str) -> bool:
        """Whether one of these columns is there."""
        return not set(names).isdisjoint(self.columns)

    def name_in_file(self, column: str | None) -> str | None:
        """What the file calls a column; any other name as it is."""
        if self.called is None or column not in self.columns:
            return column
        return dict(zip(self.columns, self.called, strict=False))[column]

    @property
    def choice_columns(self) -> tuple[str, ...]:
        """The columns named by a single capital letter, in order of the alphabet."""
        return tuple(sorted(c for c in self.columns if len(c) == 1 and "A" <= c <= "Z"))


def require_file(path: Path) -> None:
    """Refuse what is no file that can be opened.

    Raises:
        InputError: with what it is instead.
    """
    if path.is_dir():
        try:
            next(path.iterdir(), None)
        except OSError as error:
            raise InputError(path, f"is a folder that cannot be read: {error.strerror}") from error
        raise InputError(path, "is a folder; give its files")
    if path.is_symlink() and not path.exists():
        raise InputError(path, f"is a link to {path.readlink()}, where no file is")
    if not path.is_file():
        raise InputError(path, "no such file")
    try:
        path.open("rb").close()
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}") from error


def probe(path: Path, wanted: str | None = None) -> Probe:
    """Look at a file.

    Args:
        wanted: the format that the user names.

    Raises:
        UnknownFormatError: it cannot be read, and its name does not say that it holds results.
        InputError: it is empty, not text in UTF-8, truncated, or of no kind that is read here.
    """
    try:
        return _probe(path, wanted)
    except InputError as error:
        if wanted is not None and (seen := readers.recognised(path)) is not None:
            # What it is says better why it is not the format that the user names.
            return _of_reader(path, seen)
        if contents.may_hold_results(path):
            raise
        raise UnknownFormatError(path, error.problem, row=error.row, field=error.field) from error


def _probe(path: Path, wanted: str | None) -> Probe:
    with path.open("rb") as file:
        head = file.read(contents.MOST_BYTES)
    if not head:
        raise InputError(path, "the file is empty")
    if words := contents.describe(path, head):
        raise InputError(path, words)
    if seen := readers.recognised(path, wanted):
        return _of_reader(path, seen)
    found, records = None, None
    columns: tuple[str, ...]
    if head[:4] == b"PAR1":
        kind, columns = "parquet", _parquet_columns(path)
    elif head[:1] == b"\x80":
        records = json_map.read(path, "pickle")
        kind, columns = "pickle", json_map.columns(records)
    elif head[:2] == b"PK":
        found = spreadsheet.read(path)
        kind, columns = "xlsx", tuple(found.frame.columns)
    elif head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(path, "is encoded in UTF-16; save it as UTF-8")
    elif figures := figure_rows.kind_of_text(path):
        kind, columns = figures, figure_rows.COLUMNS
    else:
        kind, columns = _text_columns(path)
    columns = tuple(name or f"unnamed_{n}" for n, name in enumerate(columns))
    _refuse_names(path, columns)
    return Probe(path, kind, columns, found, records)


def _of_reader(path: Path, seen: Seen) -> Probe:
    assert seen.format is not None
    return Probe(path, seen.format, (seen.format,), is_guess=seen.is_guess)


def _refuse_names(path: Path, columns: tuple[str, ...]) -> None:
    """Refuse columns that cannot stand in one table.

    Raises:
        InputError: a name that no table can have, or that stands twice; or too many of them.
    """
    if len(columns) > MAX_COLUMNS:
        raise InputError(
            path, f"has {len(columns):,} columns, or keys; up to {MAX_COLUMNS:,} are read", row=0
        )
    counts = Counter(name.lower() for name in columns)
    for name in columns:
        if "\x00" in name or not connection.is_unicode(name):
            # Written out, since a terminal cannot show it either.
            raise InputError(
                path, "a name has a NUL or half a character in it", row=0, field=ascii(name)
            )
        if name.lower() in _RESERVED:
            raise InputError(path, "cannot be a column's name here", row=0, field=name)
        if counts[name.lower()] > 1:
            raise InputError(path, "the column stands twice in the header", row=0, field=name)


def json_keys(path: Path, kind: str) -> tuple[str, ...]:
    """Every key of the records, those of the first ones in the order in which they turn up.

    Raises:
        InputError: a record is no JSON object, or the file is cut off.
    """
    layout = "array" if kind == "json" else "newline_delimited"
    records = _SQL["json_reader"].format(
        path=file_literal(path), layout=layout, most=MAX_RECORD_BYTES
    )
    try:
        with connection.in_memory([path]) as con:
            first = con.execute(f"SELECT json_keys(json) FROM {records} LIMIT 1000").fetchall()
            # Most records are like the first one, and a comparison is cheap.
            every = con.execute(
                _SQL["keys_unlike_the_first"].format(records=records),
                [first[0][0] if first else None],
            ).fetchall()
    except duckdb.Error:
        first = []
    if first and all(keys for (keys,) in first):
        ordered = dict.fromkeys(key for (keys,) in first for key in keys)
        return (*ordered, *sorted(key for (key,) in every if key not in ordered))
    # What the engine cannot read, or is not sure of, is named record by record.
    found: dict[str, None] = {}
    for row, record in enumerate(json_records(path, kind), start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is not a JSON object", row=row)
        if isinstance(record, json_map.Repeated):
            raise InputError(path, "the key stands twice", row=row, field=record.key)
        found.update(dict.fromkeys(record))
    return tuple(found)


def file_literal(path: Path) -> str:
    """A path as SQL's readers take it: to the letter, not as a pattern of names."""
    return "'" + connection.allowed(path)[1].replace("'", "''") + "'"


def _text_columns(path: Path) -> tuple[str, tuple[str, ...]]:
    start = beginning(path)
    if start.startswith("["):
        if json_rows.begins_with_value(start):
            return "json_values", json_rows.columns(json_rows.read(path, "json_values"))
        return "json", json_keys(path, "json")
    lines = text_lines(path)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InputError(path, "the file is empty")
    if "\x00" in first:
        raise InputError(path, "is neither text, nor xlsx, nor Parquet")
    if first.lstrip()[0] == "{":
        if json_rows.has_comma(first):
            return "jsonl_commas", json_rows.columns(json_rows.read(path, "jsonl_commas"))
        if _is_one_object(path, first, lines):
            if json_rows.holds_list(json_map.read_object(path)):
                return "json_list", json_rows.columns(json_rows.read(path, "json_list"))
            return "json_map", json_map.columns(json_map.read(path, "json_map"))
        return "jsonl", json_keys(path, "jsonl")
    kind = "tsv" if first.count("\t") > first.count(",") else "csv"
    try:
        header = next(csv.reader(io.StringIO(first, newline=None), delimiter=_DELIMITERS[kind]))
    except csv.Error as error:
        raise InputError(path, f"the header cannot be read: {error}", row=0) from error
    if len(header) < 2 and not all(name.isidentifier() for name in header):
        raise InputError(path, "has no header row with column names")
    return kind, tuple(name.strip() for name in header)


def _is_one_object(path: Path, first: str, rest: Iterator[str]) -> bool:
    """Whether a file that begins with a brace is one object rather than an object a line."""
    if json_map.is_record(first):
        if any(line.strip() for line in rest):
            return False
        if json_map.is_map(json.loads(first), in_a_line=True) or json_rows.is_list_in_a_line(first):
            return True
        if first.strip() == "{}":
            raise InputError(path, json_map.NOT_RECORDS)
        return False
    # JSON lines whose first one is broken are recognised by what follows the brace.
    return first.strip() == "{" or first.rstrip().endswith(("{", "[", '",')) or _is_json(path)


def _is_json(path: Path) -> bool:
    if path.stat().st_size > MAX_DOCUMENT_BYTES:
        return False
    try:
        json.loads(whole_text(path))
    except (ValueError, RecursionError):
        return False
    return True


_DELIMITERS = {"csv": ",", "tsv": "\t"}


def _parquet_columns(path: Path) -> tuple[str, ...]:
    try:
        return tuple(pl.read_parquet_schema(path))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(path, f"not a whole Parquet file: {error}") from error

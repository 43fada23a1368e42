"""Manifests: tables that say which image files belong to which question and choice.

Two files: the generated images, `question_key, image` (and `model`), and the choices' images,
`question_key, label, image`, which serves every model. Or one: `question_key, image, label,
choice_image` (and `model`), one row per choice. Paths are relative to the file that names them, or
to the folder that is given. Tables are CSV, TSV, JSON, JSON lines, xlsx or Parquet.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from warehouse.connection import first_line
from warehouse.errors import InputError


@dataclass(frozen=True)
class Row:
    """A record of a table: its number from 1, and its cells as text (None: empty)."""

    number: int
    cells: dict[str, str | None]


@dataclass(frozen=True)
class Table:
    """A table as it was read."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def error(self, row: Row, field: str, problem: str) -> InputError:
        """An error that names the file, the row and the field."""
        return InputError(self.path, problem, row=row.number, field=field)

    def required(self, row: Row, field: str) -> str:
        """A cell that cannot be empty.

        Raises:
            InputError: it is.
        """
        value = row.cells.get(field)
        if value is None:
            raise self.error(row, field, "is empty")
        return value


@dataclass(frozen=True)
class Picture:
    """An image file, and where it is named."""

    path: Path
    manifest: Path
    row: int
    field: str

    def error(self, problem: str) -> InputError:
        """An error that names the manifest's place and the image."""
        return InputError(self.manifest, f"{self.path}: {problem}", row=self.row, field=self.field)


@dataclass(frozen=True)
class Comparison:
    """A generated image and the image of one choice."""

    question_key: str
    model: str
    label: str
    generated: Picture
    choice: Picture


@dataclass(frozen=True)
class Manifest:
    """What is to be compared, in the order of the generated images.

    Attributes:
        unanswered: questions with choices, but without a generated image.
    """

    comparisons: tuple[Comparison, ...]
    unanswered: frozenset[str]


def read_manifest(
    generated: Path,
    choices: Path | None = None,
    *,
    images: Path | None = None,
    model: str | None = None,
) -> Manifest:
    """Read one file of comparisons, or the generated images and the choices' images.

    Args:
        images: the folder that paths are relative to; None: that of the file that names them.
        model: who generated the images; None: the column model says.

    Raises:
        InputError: a file cannot be read as it stands, or an image file is not there.
    """
    table = read_table(generated)
    _require(table, "question_key", "image", *(() if choices else ("label", "choice_image")))
    if model is None and "model" not in table.columns:
        raise InputError(
            generated,
            "does not state the model; add a column or give --model",
            row=0,
            field="model",
        )
    if choices is None:
        return _from_one_file(table, images, model)
    options = _choices(read_table(choices), images)
    found: list[Comparison] = []
    answered: set[tuple[str, str]] = set()
    for row in table.rows:
        key = table.required(row, "question_key")
        its_model = model or table.required(row, "model")
        if (its_model, key) in answered:
            raise table.error(row, "question_key", f"question {key} has two images of {its_model}")
        answered.add((its_model, key))
        if key not in options:
            raise table.error(row, "question_key", f"{choices} has no image of question {key}")
        picture = _picture(table, row, "image", images)
        found.extend(
            Comparison(key, its_model, label, picture, choice)
            for label, choice in options[key].items()
        )
    return Manifest(tuple(found), frozenset(options) - {key for _, key in answered})


def read_table(path: Path) -> Table:
    """A table of text, whatever its kind.

    Raises:
        InputError: it is missing, empty, broken, or of no kind that is read here.
    """
    if not path.is_file():
        raise InputError(path, "is a folder" if path.is_dir() else "no such file")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}") from error
    if content[:4] == b"PAR1" or content[:2] == b"PK":
        rows = list(_from_frame(path, content))
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(path, "is not text in UTF-8, xlsx or Parquet") from error
        if not text.strip():
            raise InputError(path, "the file is empty")
        rows = list(_from_json(path, text) if text.lstrip()[0] in "[{" else _from_csv(path, text))
    if not rows:
        raise InputError(path, "has no rows")
    columns = tuple(dict.fromkeys(name for cells in rows for name in cells))
    return Table(path, columns, tuple(Row(n, cells) for n, cells in enumerate(rows, start=1)))


def _from_one_file(table: Table, images: Path | None, model: str | None) -> Manifest:
    found: list[Comparison] = []
    generated: dict[tuple[str, str], Picture] = {}
    labels: set[tuple[str, str, str]] = set()
    for row in table.rows:
        key = table.required(row, "question_key")
        its_model = model or table.required(row, "model")
        label = table.required(row, "label")
        if (its_model, key, label) in labels:
            raise table.error(row, "label", f"choice {label} of question {key} stands there twice")
        labels.add((its_model, key, label))
        picture = _picture(table, row, "image", images)
        first = generated.setdefault((its_model, key), picture)
        if first.path != picture.path:
            raise table.error(
                row, "image", f"question {key} has another image of {its_model} in row {first.row}"
            )
        choice = _picture(table, row, "choice_image", images)
        found.append(Comparison(key, its_model, label, first, choice))
    return Manifest(tuple(found), frozenset())


def _choices(table: Table, images: Path | None) -> dict[str, dict[str, Picture]]:
    """The choices' images by question and label."""
    _require(table, "question_key", "label", "image")
    found: dict[str, dict[str, Picture]] = {}
    for row in table.rows:
        key, label = table.required(row, "question_key"), table.required(row, "label")
        of_question = found.setdefault(key, {})
        if label in of_question:
            raise table.error(row, "label", f"choice {label} of question {key} stands there twice")
        of_question[label] = _picture(table, row, "image", images)
    return found


def _picture(table: Table, row: Row, field: str, images: Path | None) -> Picture:
    written = table.required(row, field)
    picture = Picture((images or table.path.parent) / written, table.path, row.number, field)
    try:
        is_there = picture.path.is_file()
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        raise picture.error("no such image file")
    return picture


def _require(table: Table, *columns: str) -> None:
    for column in columns:
        if column not in table.columns:
            raise InputError(
                table.path, f"is missing; there are {', '.join(table.columns)}", row=0, field=column
            )


def _from_frame(path: Path, content: bytes) -> Iterator[dict[str, str | None]]:
    try:
        if content[:2] == b"PK":
            frame = pl.read_excel(io.BytesIO(content), infer_schema_length=0)
        else:
            frame = pl.read_parquet(io.BytesIO(content))
    except Exception as error:  # the readers' own errors have no common type
        raise InputError(path, f"not a whole file: {first_line(error)}") from error
    for record in frame.iter_rows(named=True):
        yield {name: _cell(value) for name, value in record.items()}


def _from_json(path: Path, text: str) -> Iterator[dict[str, str | None]]:
    records: Sequence[object]
    if text.lstrip()[0] == "[":
        records = [_parsed(path, text, None)]
        assert isinstance(records[0], list)
        records = records[0]
    else:
        lines = [line for line in text.split("\n") if line.strip()]
        records = [_parsed(path, line, n) for n, line in enumerate(lines, start=1)]
    for n, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is not a JSON object", row=n)
        yield {name: _cell(value) for name, value in record.items()}


def _parsed(path: Path, text: str, row: int | None) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}", row=row) from error


def _from_csv(path: Path, text: str) -> Iterator[dict[str, str | None]]:
    first = text.lstrip().partition("\n")[0]
    delimiter = "\t" if first.count("\t") > first.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    row = 0
    try:
        for fields in reader:
            if not fields:
                continue
            if header is None:
                header = [name.strip() for name in fields]
                if len(set(header)) < len(header):
                    raise InputError(path, "has two columns of one name", row=0)
                continue
            row += 1
            if len(fields) != len(header):
                raise InputError(
                    path,
                    f"has {len(fields)} fields where the header names {len(header)}",
                    row=row,
                )
            yield dict(zip(header, map(_cell, fields), strict=True))
    except csv.Error as error:
        raise InputError(path, f"broken quoting, or cut off: {error}", row=row + 1) from error


def _cell(value: object) -> str | None:
    """A cell as text; None: empty."""
    if value is None:
        return None
    if isinstance(value, float):
        if value != value:
            return None  # how Python writes a missing value
        if value.is_integer():
            # A column of numbers with a gap comes as floating-point numbers.
            return str(int(value))
    return str(value).strip() or None

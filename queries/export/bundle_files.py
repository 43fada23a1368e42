"""A bundle's table in every format, and where a file of it shows something else.

JSON and Parquet are compared cell by cell. Of what is drawn, which is never taken apart, the first
place that differs is looked for, and the cell that is drawn there: the table is drawn once more with
each cell's number in place of its figure.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from queries import render
from queries.board import Board, Line
from queries.render.boards import board_table
from queries.render.printed import Cell, Printed
from queries.render.terminal import terminal
from warehouse.errors import InputError
from warehouse.files import reading

_ENDS = {"table": "txt", "markdown": "md", "latex": "tex"}
ENDINGS = {fmt: _ENDS.get(fmt, fmt) for fmt in render.FORMATS}
Place = tuple[str, str, str]
"""A board, row and column; empty: the whole row or board."""
Cells = dict[Place, dict[str, str]]
"""By board and row, and by what else names them, the cells by column."""

_FIRST = 1_000_000
"""The number of the first cell: larger than any figure of a board."""
_MOST_BYTES = 2**30
_NUMBER = re.compile(r"(\d[\d./]*)")


def rendered(boards: Sequence[Board], digits: int, *, all_runs: bool) -> dict[str, bytes]:
    """Boards in every format, by its name. Equal boards make equal bytes."""
    unrounded = {
        "json": f"{render.render_boards(boards, 'json')}\n".encode(),
        "parquet": render.pack_boards(boards, "parquet"),
    }
    return {
        fmt: unrounded.get(fmt) or _drawn(_tables(boards, fmt, digits, all_runs), fmt)
        for fmt in ENDINGS
    }


def cells(said: bytes, *, all_runs: bool) -> Cells:
    """The cells of boards as JSON has them; what is of a whole board is in a row "title".

    Raises:
        ValueError: it is no JSON of leaderboards.
    """
    found: Cells = {}
    # As the other formats call them.
    headings = {"rank": "Rank", "model": "Model", "run": "Run"}
    try:
        for board in reading.json_of(said.decode(), ""):
            lines = board.pop("rows")
            name = f"{board['dataset']} {next((name for line in lines for name in line['scores']), '')}"
            found[name, "title", ""] = {key: _shown(value) for key, value in board.items()}
            for line in lines:
                scores = line.pop("scores")
                row = {headings.get(key, key): _shown(value) for key, value in line.items()}
                for column, score in scores.items():
                    for key, value in (score or {}).items():
                        row[column if key == "score" else f"{column} {key}"] = _shown(value)
                found[name, _label(line["model"], line["run"], all_runs), ""] = row
    except InputError as error:
        raise ValueError(error.problem) from error
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("is no json of leaderboards") from error
    return found


def difference(
    said: bytes, ours: bytes, fmt: str, boards: Sequence[Board], digits: int, *, all_runs: bool
) -> tuple[Place, str, str] | None:
    """Where a file first shows something else than ours, and what either has there; None: nowhere.

    Raises:
        ValueError: it is no such file.
    """
    text, our_text = _text(said, ours, fmt), _text(ours, ours, fmt)
    if text.split() == our_text.split():
        return None
    parts, our_parts = _NUMBER.split(text), _NUMBER.split(our_text)
    at = _first(parts, our_parts)
    if fmt == "parquet":
        # A row per board, run and column.
        place = _scores(boards, all_runs)["".join(our_parts[:at]).count("\n")]
        return place, "".join(parts[at : at + 1]), our_parts[at]
    tables, places = _numbered(_tables(boards, fmt, digits, all_runs), boards, all_runs)
    number = _NUMBER.split(_text(_drawn(tables, fmt), ours, fmt))[at:][:1]
    if number and number[0].isdigit() and 0 <= int(number[0]) - _FIRST < len(places):
        return places[int(number[0]) - _FIRST], "".join(parts[at : at + 1]), our_parts[at]
    lines, our_lines = text.split("\n"), our_text.split("\n")
    at = _first(lines, our_lines)
    one, other = ("".join(each[at : at + 1]).strip() for each in (lines, our_lines))
    return (f"line {at + 1:,}", "", ""), one, other


def _first(said: Sequence[str], ours: Sequence[str]) -> int:
    """The place of the first that is another."""
    return next(n for n, (one, other) in enumerate(zip_longest(said, ours)) if one != other)


def _scores(boards: Sequence[Board], all_runs: bool) -> list[Place]:
    return [
        (f"{board.dataset} {board.columns[0]}", _label(line.model, line.run, all_runs), column)
        for board in boards
        for line in board.lines
        for column, cell in zip(board.columns, line.cells, strict=True)
        if cell is not None
    ]


def _numbered(
    tables: Sequence[Printed], boards: Sequence[Board], all_runs: bool
) -> tuple[list[Printed], list[Place]]:
    """The tables with the cells' numbers in place of their figures, and where each of these is."""
    places: list[Place] = []

    def numbered(cell: Cell, table: str, line: Line, heading: str) -> Cell:
        if not isinstance(cell.value, (int, float)) or not _NUMBER.fullmatch(cell.text):
            return cell
        number = _FIRST + len(places)
        places.append((table, _label(line.model, line.run, all_runs), heading))
        return replace(cell, text=str(number), value=type(cell.value)(number))

    made = []
    for table, board in zip(tables, boards, strict=True):
        rows = []
        for row, line in zip(table.rows, board.lines, strict=True):
            headed = zip(row.cells, table.headings, strict=True)
            new = tuple(numbered(cell, table.name, line, heading) for cell, heading in headed)
            rows.append(replace(row, cells=new))
        made.append(replace(table, rows=tuple(rows)))
    return made, places


def _tables(boards: Sequence[Board], fmt: str, digits: int, all_runs: bool) -> list[Printed]:
    flat = fmt == "csv"
    runs = all_runs or flat
    return [board_table(board, digits=digits, runs=runs, flat=flat) for board in boards]


def _drawn(tables: Sequence[Printed], fmt: str) -> bytes:
    if fmt == "xlsx":
        return render.pack_tables(tables, fmt)
    if fmt == "table":
        text = "\n\n".join(terminal(table, plain=True) for table in tables)
    else:
        text = render.render_tables(tables, fmt)
    return f"{text}\n".encode()


def _text(content: bytes, ours: bytes, fmt: str) -> str:
    """What a file shows: of a workbook its parts, a mark a line, without the widths of columns."""
    if fmt == "parquet":
        return _rows(content, ours)
    if fmt != "xlsx":
        return content.decode()
    try:
        with zipfile.ZipFile(io.BytesIO(ours)) as expected:
            names, size = expected.namelist(), sum(part.file_size for part in expected.infolist())
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            their_size = sum(part.file_size for part in archive.infolist())
            if archive.namelist() != names or their_size > 2 * size:
                raise ValueError("its parts are others")
            text = b"".join(archive.read(name) for name in names if name[:3] == "xl/").decode()
    except Exception as error:
        # What a damaged archive raises has no common type.
        raise ValueError(f"is no workbook of these boards: {error}") from error
    text = re.sub(r"<v>(\d+\.\d+)", lambda number: f"<v>{_shown(float(number[1]))}", text)
    return re.sub("<col [^<>]*>", "", text).replace("<", "\n<")


def _rows(content: bytes, ours: bytes) -> str:
    """The rows of Parquet, which another version of its library writes in other bytes."""
    # Takes time to import, which what reads no Parquet need not wait for.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file, expected = (pq.ParquetFile(io.BytesIO(one)) for one in (content, ours))
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        is_large = sum(group.total_byte_size for group in groups) > _MOST_BYTES
        if is_large or file.metadata.num_rows != expected.metadata.num_rows:
            raise ValueError("is no parquet of these boards: its rows are others")
        if file.schema_arrow.names != expected.schema_arrow.names:
            raise ValueError("is no parquet of these boards: its columns are others")
        # Its threads can outlive the program, which then ends with an error.
        rows = file.read(use_threads=False).to_pylist()
    except (pa.ArrowException, OSError, OverflowError) as error:
        raise ValueError(f"is no parquet: {(str(error).splitlines() or [''])[0]}") from error
    # A text of several lines stays on one.
    return "\n".join(
        " ".join(_shown(one).replace("\n", " ") for one in row.values()) for row in rows
    )


def _label(model: str, run: str, all_runs: bool) -> str:
    return f"{model} ({run})" if all_runs else model


def _shown(value: object) -> str:
    # The last digits of a sum depend on the order of its parts.
    return "-" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)

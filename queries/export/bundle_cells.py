"""A bundle's file as its cells by board, row and column, so that two files can be compared cell by
cell.

What is no cell of a row (a title) stands in a row of that name. Texts are as the format writes
them, without its escapes; numbers that are not rounded are given to twelve digits.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from queries.board import Board
from warehouse.errors import InputError
from warehouse.files import unpacked
from warehouse.later import pl

Cells = dict[tuple[str, str], dict[str, str]]
"""By board and row, the cells by column."""

TITLE = "title"
_MOST_ROWS, _MOST_COLUMNS, _MOST_BYTES = 1_000_000, 100, 2**30
_FRAME = re.compile(
    r"\\hline|\\(?:top|mid|bottom)rule|\\begin\{tabular\}\{[lcr]*\}|\\end\{tabular\}"
)
"""Lines of LaTeX that show no text."""


def cells(content: bytes, fmt: str, boards: Sequence[Board], *, all_runs: bool) -> Cells:
    """Take a file apart.

    Args:
        boards: those that it is to show, for their names.
        all_runs: whether a model can have several runs, so that a row is named by both.

    Raises:
        ValueError: it is none of that format.
    """
    names = [f"{board.dataset} {board.columns[0]}" for board in boards]
    try:
        if fmt == "json":
            return _of_json(content, names, all_runs)
        if fmt == "parquet":
            return _of_parquet(content, boards, names, all_runs)
        return _of_grid(_GRIDS[fmt](content), names, all_runs)
    except (AttributeError, KeyError, IndexError, TypeError, RecursionError, csv.Error) as error:
        raise ValueError(f"is no {fmt} of leaderboards") from error


def _of_grid(grid: Iterable[list[str]], names: Sequence[str], all_runs: bool) -> Cells:
    """Cells from lines: each board begins with its headings, which name the model's column."""
    found: Cells = {}
    headings: list[str] = []
    place = -1
    for line in grid:
        if not any(re.search(r"\w", cell) for cell in line):
            continue
        if "Model" in line and "Rank" in line:
            headings, place = line, place + 1
        elif headings and len(line) == len(headings):
            row = dict(zip(_unique(headings), line, strict=True))
            _add(found, _name(names, place), _label(row["Model"], row.get("Run"), all_runs), row)
        else:
            # A title stands above its board's headings.
            _add(found, _name(names, place + 1), TITLE, {"": " ".join(filter(None, line))})
    return found


def _of_json(content: bytes, names: Sequence[str], all_runs: bool) -> Cells:
    found: Cells = {}
    for place, board in enumerate(json.loads(content)):
        name = _name(names, place)
        about = {key: _text(value) for key, value in board.items() if key != "rows"}
        _add(found, name, TITLE, about)
        for line in board["rows"]:
            row = {_heading(key): _text(value) for key, value in line.items() if key != "scores"}
            for column, score in line["scores"].items():
                row |= _score(column, score or {})
            _add(found, name, _label(line["model"], line["run"], all_runs), row)
    return found


def _of_parquet(
    content: bytes, boards: Sequence[Board], names: Sequence[str], all_runs: bool
) -> Cells:
    """Long: one row per board, run and column, which come together again here."""
    found: Cells = {}
    ours = {
        (board.dataset, column): name
        for board, name in zip(boards, names, strict=True)
        for column in board.columns
    }
    about = ("benchmark", "level", "strategy", "judge", "release", "average", "subset", "of")
    scores = (
        "n",
        "n_answered",
        "points",
        "score",
        "score_answered",
        "low",
        "high",
        "stderr",
        "best",
        "n_hidden",
    )
    for line in _parquet_rows(content):
        name = ours.get((line["dataset"], line["column"]), line["dataset"])
        found.setdefault((name, TITLE), {}).update({key: _text(line[key]) for key in about})
        row = found.setdefault((name, _label(line["model"], line["run"], all_runs)), {})
        for key, value in line.items():
            if key not in (*about, *scores, "dataset", "column"):
                row[_heading(key)] = _text(value)
        row |= _score(line["column"], {key: line[key] for key in scores})
    return found


def _parquet_rows(content: bytes) -> list[dict[str, Any]]:
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        metadata = file.metadata
        size = sum(metadata.row_group(n).total_byte_size for n in range(metadata.num_row_groups))
        if (
            metadata.num_rows > _MOST_ROWS
            or metadata.num_columns > _MOST_COLUMNS
            or size > _MOST_BYTES
        ):
            raise ValueError(
                f"is no parquet of leaderboards: {metadata.num_rows:,} rows, {metadata.num_columns:,} columns"
            )
        rows: list[dict[str, Any]] = file.read().to_pylist()
    except (pa.ArrowException, OSError, OverflowError) as error:
        raise ValueError(f"is no parquet: {(str(error).splitlines() or [''])[0]}") from error
    return rows


def _score(column: str, score: Mapping[str, Any]) -> dict[str, str]:
    return {
        column if key == "score" else f"{column} {key}": _text(value)
        for key, value in score.items()
    }


def _heading(key: str) -> str:
    """Rank, Model and Run are called the same in every format."""
    return key.capitalize() if key in ("rank", "model", "run") else key


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    if isinstance(value, float):
        return format(value, ".12g")
    return "-" if value is None else str(value)


def _name(names: Sequence[str], place: int) -> str:
    return names[place] if 0 <= place < len(names) else f"board {place + 1}"


def _label(model: str, run: str | None, all_runs: bool) -> str:
    return f"{model} ({run})" if all_runs and run is not None else model


def _add(found: Cells, board: str, label: str, row: dict[str, str]) -> None:
    """Add a row under a label that no other row has."""
    for number in count(1):
        key = board, label if number == 1 else f"{label} [{number}]"
        if key not in found:
            found[key] = row
            return


def _unique(headings: Sequence[str]) -> list[str]:
    """Headings, duplicates numbered: an ability can have the name of a column of ours."""
    return [
        f"{name}:{headings[:place].count(name)}" if name in headings[:place] else name
        for place, name in enumerate(headings)
    ]


def _of_comma(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def _of_terminal(content: bytes) -> list[list[str]]:
    return [re.split(r"\s{2,}", line.strip()) for line in content.decode().splitlines()]


def _of_markdown(content: bytes) -> list[list[str]]:
    return [
        [html.unescape(_plain(cell)) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if line[:1] == "|"
        else [line]
        for line in content.decode().splitlines()
    ]


def _of_latex(content: bytes) -> list[list[str]]:
    return [
        [_plain(cell) for cell in re.split(r"(?<!\\)&", line.rstrip().removesuffix(r"\\"))]
        for line in content.decode().splitlines()
        if not _FRAME.fullmatch(line)
    ]


def _plain(cell: str) -> str:
    """A cell without the style of the best ones and without escapes before single signs."""
    cell = re.sub(r"^(?:\*\*|<u>)(.*?)(?:\*\*|</u>)$", r"\1", cell.strip())
    cell = re.sub(r"^\\(?:textbf|underline)\{(.*)\}$", r"\1", cell)
    cell = "-" if cell == "--" else cell.replace("$-$", "-")
    return re.sub(r"\\(?=[^A-Za-z0-9\s])", "", cell)


def _of_xlsx(content: bytes) -> list[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked.refuse_large(Path("workbook"), archive)
        sheets = pl.read_excel(
            io.BytesIO(content), sheet_id=0, has_header=False, infer_schema_length=0
        )
    except InputError as error:
        raise ValueError(f"is no workbook of leaderboards: {error.problem}") from error
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        # The reader's own errors have no common type, and where it panics they are no Exception.
        raise ValueError(f"is no workbook: {(str(error).splitlines() or [''])[0]}") from error
    return [
        ["-" if cell is None else _number(str(cell)) for cell in row]
        for sheet in sheets.values()
        for row in sheet.iter_rows()
    ]


def _number(cell: str) -> str:
    try:
        return format(float(cell), ".12g")
    except ValueError:
        return cell


def _of_html(content: bytes) -> list[list[str]]:
    page = _Page()
    try:
        page.feed(content.decode())
        page.close()
    except AssertionError as error:  # the parser's word for declarations that it does not know
        raise ValueError(f"is no html: {error}") from error
    return page.rows


class _Page(HTMLParser):
    """The texts of a page's table cells, row by row; any other text that it shows is a row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_cell = False
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._is_style = tag == "style"
        if tag == "tr":
            self.rows.append([])
        self._is_cell = tag in ("td", "th") or (self._is_cell and tag != "tr")
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._is_style = False
        if tag in ("td", "th"):
            self._is_cell = False

    def handle_data(self, data: str) -> None:
        if self._is_cell and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()
        elif data.strip() and not self._is_style:
            self.rows.append([data.strip()])


_GRIDS: Mapping[str, Callable[[bytes], list[list[str]]]] = {
    "table": _of_terminal,
    "markdown": _of_markdown,
    "csv": _of_comma,
    "latex": _of_latex,
    "html": _of_html,
    "xlsx": _of_xlsx,
}

"""Tables as text: for the terminal, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from tabulate import tabulate

from queries.leaderboard import Board, Cell, Line

FORMATS = ("table", "markdown", "csv", "json", "latex")
FRAME_FORMATS = ("table", "csv", "json", "jsonl", "markdown", "parquet")
NOTHING = "-"
_WIDE = 1000
_JSON: dict[str, Any] = {"ensure_ascii": False, "default": str}

_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def percent(fraction: float | None, digits: int) -> str:
    """A fraction as percent, halves rounded up as printed tables do; - for nothing."""
    if fraction is None:
        return NOTHING
    exact = Decimal(str(round(fraction * 100, 9)))
    return str(exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


def render_boards(boards: Sequence[Board], fmt: str, *, digits: int = 2, runs: bool = False) -> str:
    """Boards as text.

    Args:
        fmt: one of FORMATS.
        digits: decimals of the percentages.
        runs: show each run's label.
    """
    if fmt == "json":
        return json.dumps([_as_json(board) for board in boards], indent=2, ensure_ascii=False)
    if fmt == "csv":
        return _boards_csv(boards, digits)
    return "\n\n".join(_board_text(board, fmt, digits, runs) for board in boards)


def render_frame(frame: pl.DataFrame, fmt: str) -> str:
    """A query's result as text; `parquet` has none and is written by the caller."""
    if fmt == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(frame.columns)
        writer.writerows([_csv_cell(value) for value in row] for row in frame.iter_rows())
        return out.getvalue().rstrip("\n")
    if fmt == "json":
        return json.dumps([_json_row(row) for row in frame.to_dicts()], indent=2, **_JSON)
    if fmt == "jsonl":
        return "\n".join(json.dumps(_json_row(row), **_JSON) for row in frame.to_dicts())
    cells = [[_plain(value) for value in row] for row in frame.iter_rows()]
    if fmt == "markdown":
        return _markdown(frame.columns, cells)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, dtype in frame.schema.items():
        table.add_column(
            escape(name), justify="right" if dtype.is_numeric() else "left", overflow="fold"
        )
    for row in cells:
        table.add_row(*(escape(cell) for cell in row))
    return _printed(table)


def _csv_cell(value: object) -> object:
    return json.dumps(value, **_JSON) if isinstance(value, (list, dict)) else value


def _json_row(row: dict[str, object]) -> dict[str, object]:
    """JSON knows no NaN and no infinity; they are written as text."""
    return {
        name: str(value) if isinstance(value, float) and not isfinite(value) else value
        for name, value in row.items()
    }


def _plain(value: object) -> str:
    if value is None or value == "":
        return NOTHING
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _headers(board: Board, runs: bool) -> list[str]:
    head = ["Rank", "Model"]
    if runs:
        head.append("Run")
    head += [*board.columns, _points_name(board)]
    if any(line.coverage < 1 for line in board.lines):
        head.append("Coverage")
    if any(line.n_pending for line in board.lines):
        head.append("Pending")
    if any(line.n_fallback for line in board.lines):
        head.append("Drawn")
    return head


def _texts(board: Board, line: Line, headers: Sequence[str], digits: int) -> list[str]:
    values = {
        "Rank": NOTHING if line.rank is None else str(line.rank),
        "Model": line.model,
        "Run": line.run,
        _points_name(board): _right(line.cells[0]),
        "Coverage": percent(line.coverage, 1),
        "Pending": str(line.n_pending) if line.n_pending else NOTHING,
        "Drawn": str(line.n_fallback) if line.n_fallback else NOTHING,
    }
    cells = [_score(cell, digits) for cell in line.cells]
    start = headers.index(board.columns[0], 2)
    end = start + len(cells)
    return [
        cells[place - start] if start <= place < end else values[name]
        for place, name in enumerate(headers)
    ]


def _points_name(board: Board) -> str:
    return "Points" if board.strategy == "graded" else "Right"


def _score(cell: Cell | None, digits: int) -> str:
    if cell is None or cell.low is None:
        return NOTHING
    if cell.score is None:
        return f"{percent(cell.low, digits)}–{percent(cell.high, digits)}"
    return percent(cell.score, digits)


def _right(cell: Cell | None) -> str:
    if cell is None or cell.points is None:
        return NOTHING
    points = f"{cell.points:,.0f}" if cell.points == int(cell.points) else f"{cell.points:,.1f}"
    return f"{points}/{cell.n:,}"


def _board_text(board: Board, fmt: str, digits: int, runs: bool) -> str:
    headers = _headers(board, runs)
    rows = [_texts(board, line, headers, digits) for line in board.lines]
    start = headers.index(board.columns[0], 2)
    marks = [
        [
            line.cells[place - start].best  # type: ignore[union-attr]
            if start <= place < start + len(line.cells) and line.cells[place - start] is not None
            else None
            for place in range(len(headers))
        ]
        for line in board.lines
    ]
    if fmt == "markdown":
        styles = {1: "**{}**", 2: "<u>{}</u>"}
        body = [
            [styles.get(m or 0, "{}").format(_md(t)) for t, m in zip(row, mark, strict=True)]
            for row, mark in zip(rows, marks, strict=True)
        ]
        return f"{board.title}\n\n" + tabulate(
            body, [_md(h) for h in headers], "pipe", disable_numparse=True
        )
    if fmt == "latex":
        styles = {1: r"\textbf{{{}}}", 2: r"\underline{{{}}}"}
        body = [
            [styles.get(m or 0, "{}").format(_tex(t)) for t, m in zip(row, mark, strict=True)]
            for row, mark in zip(rows, marks, strict=True)
        ]
        return f"% {board.title}\n" + tabulate(
            body, [_tex(h) for h in headers], "latex_raw", disable_numparse=True
        )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(headers):
        table.add_column(
            escape(name), justify="left" if name in ("Model", "Run") and place < 3 else "right"
        )
    styles = {1: "[bold]{}[/bold]", 2: "[underline]{}[/underline]"}
    for row, mark in zip(rows, marks, strict=True):
        table.add_row(
            *(styles.get(m or 0, "{}").format(escape(t)) for t, m in zip(row, mark, strict=True))
        )
    return f"{board.title}\n{_printed(table)}"


def _boards_csv(boards: Sequence[Board], digits: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for board in boards:
        headers = _headers(board, runs=True)
        writer.writerow(["Dataset", *headers])
        for line in board.lines:
            texts = _texts(board, line, headers, digits)
            writer.writerow([board.dataset, *("" if t == NOTHING else t for t in texts)])
    return out.getvalue().rstrip("\n")


def _as_json(board: Board) -> dict[str, object]:
    return {
        "benchmark": board.benchmark,
        "dataset": board.dataset,
        "level": board.level,
        "strategy": board.strategy,
        "judge": board.judge,
        "release": board.release,
        "average": board.average,
        "rows": [
            {
                "rank": line.rank,
                "model": line.model,
                "run": line.run,
                "method": line.method,
                "coverage": line.coverage,
                "n_pending": line.n_pending,
                "n_fallback": line.n_fallback,
                "scores": {
                    name: None if cell is None else asdict(cell)
                    for name, cell in zip(board.columns, line.cells, strict=True)
                },
            }
            for line in board.lines
        ],
    }


def _markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    body = [[_md(cell) for cell in row] for row in rows]
    return tabulate(body, [_md(h) for h in headers], "pipe", disable_numparse=True)


def _md(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>").replace("*", "\\*")


def _tex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def _printed(table: Table) -> str:
    """The table as text: styled on a terminal, plain and as wide as it needs to be elsewhere."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDE, file=io.StringIO())
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n")

"""Tables as text or as files: one module a format, all of the same `Printed` table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from queries.board import Board
from queries.comparison import Comparison
from queries.decimals import NOTHING, percent
from queries.many_benchmarks import ManyBoard
from queries.over_many import ComparisonOfMany
from queries.paper_table import PaperTable
from queries.render import boards as of_boards
from queries.render import frames
from queries.render import notebook as notebook
from queries.render import papers as of_papers
from queries.render.boards import many_frame, many_table
from queries.render.comma import comma
from queries.render.latex import latex
from queries.render.markdown import markdown
from queries.render.pairs import comparison_json, comparison_table, over_many_table
from queries.render.printed import Printed
from queries.render.terminal import terminal
from warehouse.later import pl

__all__ = [
    "BINARY",
    "FORMATS",
    "FRAME_FORMATS",
    "NOTHING",
    "pack_boards",
    "pack_comparison",
    "pack_frame",
    "pack_many",
    "pack_paper",
    "pack_tables",
    "percent",
    "render_boards",
    "render_comparison",
    "render_frame",
    "render_many",
    "render_paper",
    "render_tables",
]

FORMATS = ("table", "markdown", "csv", "json", "latex", "html", "xlsx", "parquet")
FRAME_FORMATS = ("table", "csv", "json", "jsonl", "markdown", "parquet", "html", "xlsx")
BINARY = ("parquet", "png", "xlsx")
"""Formats that are bytes, and go to a file."""

_TEXTS: dict[str, Callable[[Printed], str]] = {
    "table": terminal,
    "markdown": markdown,
    "latex": latex,
}


def render_boards(boards: Sequence[Board], fmt: str, *, digits: int = 2, runs: bool = False) -> str:
    """Boards as text; json holds the unrounded fractions, the others percentages.

    Args:
        fmt: one of FORMATS that is not in BINARY.
        digits: decimals of the percentages.
        runs: show each run's label.
    """
    if fmt == "json":
        return frames.as_json([of_boards.board_json(board) for board in boards])
    with_runs = runs or fmt == "csv"
    return render_tables(
        [
            of_boards.board_table(board, digits=digits, runs=with_runs, flat=fmt == "csv")
            for board in boards
        ],
        fmt,
    )


def pack_boards(boards: Sequence[Board], fmt: str, *, digits: int = 2, runs: bool = False) -> bytes:
    """Boards as a file's content: xlsx in percent, parquet long with the unrounded fractions.

    Raises:
        UsageError: a text or a board is larger than the format takes.
    """
    if fmt == "parquet":
        return frames.parquet(of_boards.board_frame(boards))
    return pack_tables(
        [of_boards.board_table(board, digits=digits, runs=runs) for board in boards], fmt
    )


def render_comparison(found: Comparison | ComparisonOfMany, fmt: str, *, digits: int = 2) -> str:
    """A comparison of two runs as text; json holds every column of the view, unrounded.

    Args:
        fmt: one of FORMATS that is not in BINARY.
        digits: decimals of the percentages.
    """
    if isinstance(found, ComparisonOfMany):
        if fmt == "json":
            return frames.frame_json(found.frame)
        return render_tables([over_many_table(found, digits=digits)], fmt)
    if fmt == "json":
        return frames.as_json(comparison_json(found))
    return render_tables([comparison_table(found, digits=digits)], fmt)


def pack_comparison(found: Comparison | ComparisonOfMany, fmt: str, *, digits: int = 2) -> bytes:
    """The same as a file's content: xlsx, or parquet with the view's rows, unrounded.

    Raises:
        UsageError: a text or the table is larger than the format takes.
    """
    if fmt == "parquet":
        return frames.parquet(found.frame)
    if isinstance(found, ComparisonOfMany):
        return pack_tables([over_many_table(found, digits=digits)], fmt)
    return pack_tables([comparison_table(found, digits=digits)], fmt)


def render_many(board: ManyBoard, fmt: str, *, digits: int = 1) -> str:
    """A board of many benchmarks as text; json holds a row per model and column, unrounded."""
    if fmt == "json":
        return frames.frame_json(many_frame(board))
    return render_tables([many_table(board, digits=digits)], fmt)


def pack_many(board: ManyBoard, fmt: str, *, digits: int = 1) -> bytes:
    """A board of many benchmarks as a file's content: xlsx, or parquet with the unrounded rows.

    Raises:
        UsageError: a text or the table is larger than the format takes.
    """
    if fmt == "parquet":
        return frames.parquet(many_frame(board))
    return pack_tables([many_table(board, digits=digits)], fmt)


def render_frame(frame: pl.DataFrame, fmt: str) -> str:
    """A query's result as text, in one of FRAME_FORMATS that is not in BINARY."""
    if fmt == "csv":
        return frames.frame_csv(frame)
    if fmt == "json":
        return frames.frame_json(frame)
    if fmt == "jsonl":
        return frames.frame_jsonl(frame)
    return render_tables([frames.frame_table(frame)], fmt)


def pack_frame(frame: pl.DataFrame, fmt: str) -> bytes:
    """A query's result as a file's content: parquet or xlsx.

    Raises:
        UsageError: a text or the result is larger than the format takes.
    """
    if fmt == "parquet":
        return frames.parquet(frame)
    return pack_tables([frames.frame_table(frame)], fmt)


def render_paper(table: PaperTable, fmt: str, *, digits: int | None = None) -> str:
    """A table of a paper as text; json holds all of the view's columns, unrounded.

    Args:
        fmt: one of FORMATS that is not in BINARY.
        digits: decimals of DOUBLE columns; None: the entry's.
    """
    if fmt == "json":
        return frames.as_json(of_papers.paper_json(table))
    flat = fmt == "csv"
    return render_tables(
        [of_papers.paper_printed(part, digits=digits, flat=flat) for part in table.parts()], fmt
    )


def pack_paper(table: PaperTable, fmt: str, *, digits: int | None = None) -> bytes:
    """A table of a paper as a file's content: xlsx, or parquet with the view's rows, unrounded.

    Raises:
        UsageError: a text or the table is larger than the format takes.
    """
    if fmt == "parquet":
        return frames.parquet(table.frame)
    return pack_tables([of_papers.paper_printed(p, digits=digits) for p in table.parts()], fmt)


def render_tables(tables: Sequence[Printed], fmt: str) -> str:
    """Tables as text: table, markdown, latex, csv or html."""
    if fmt == "csv":
        return comma(tables)
    if fmt == "html":
        # Takes half a second to import, which the other formats need not wait for.
        from queries.render.html import html_page

        return html_page(tables)
    return "\n\n".join(_TEXTS[fmt](table) for table in tables)


def pack_tables(tables: Sequence[Printed], fmt: str) -> bytes:
    """Tables as a file's content: xlsx.

    Raises:
        UsageError: a text or a table is larger than the format takes.
    """
    if fmt != "xlsx":
        raise ValueError(fmt)
    from queries.render.xlsx import workbook

    return workbook(tables)

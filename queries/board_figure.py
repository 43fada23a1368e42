"""A leaderboard as a picture: radar, bars or heat map of its models over its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from queries import figure
from queries.board import Board, Cell, Line
from queries.decimals import percent
from queries.figure.marks import Mark, Marks
from warehouse.errors import UsageError
from warehouse.files.visible import visible

KINDS = {"heatmap": "Heat map", "bars": "Bars", "radar": "Radar"}
"""What a board is drawn as, and how that is called."""
_FEWEST_AXES = 3
"""Fewer axes make no polygon."""
MOST_RADARS = 24
"""Models of a radar, which has a panel for each where they are many."""


def kinds_of(board: Board) -> tuple[str, ...]:
    """What a board can be drawn as: a board without lines as nothing, one of few columns not as a radar."""
    if not board.lines:
        return ()
    return tuple(kind for kind in KINDS if kind != "radar" or len(_axes(board)) >= _FEWEST_AXES)


def draw(
    boards: Sequence[Board], fmt: str, *, kind: str = "heatmap", digits: int = 1
) -> str | bytes:
    """Boards as svg, html or png, one below the other; the latter is bytes.

    Args:
        boards: as `queries.leaderboard.boards` gives them.
        kind: one of KINDS.
        digits: decimals of the percentages.

    Raises:
        UsageError: no such kind, or no board that can be drawn like that.
    """
    if kind not in KINDS:
        raise UsageError(f"no figure {kind!r} of a board; there are {', '.join(KINDS)}")
    pictures = [_picture(board, kind, digits) for board in boards if kind in kinds_of(board)]
    if not pictures:
        raise UsageError(
            f"nothing to draw as {kind}: a radar needs {_FEWEST_AXES} columns after the first"
            if any(board.lines for board in boards)
            else "no run fits: there is nothing to draw"
        )
    return figure.drawn(pictures, fmt, pictures[0].title)


def _picture(board: Board, kind: str, digits: int) -> figure.Picture:
    lines = board.lines[:MOST_RADARS] if kind == "radar" else board.lines
    left_out = len(board.lines) - len(lines)
    names = _names(board)
    notes = [board.settings, *board.notes]
    if left_out:
        notes.append(f"the first {len(lines):,} of {len(board.lines):,} models")
    if any(
        cell and cell.score is None and cell.low is not None
        for line in lines
        for cell in line.cells
    ):
        notes.append("a range: verdicts are pending, and nothing is drawn for it")
    places = _axes(board) if kind == "radar" else range(len(board.columns))
    marks = tuple(
        _mark(board, kind, names[n], place, line.cells[place], digits)
        for place in places
        for n, line in enumerate(lines)
    )
    return figure.Picture(
        board.title,
        Marks(
            kind="bar" if kind == "bars" else kind,
            label_name="",
            series_name="Model",
            value_name="%",
            marks=marks,
            dark="high",
            rounding=board.rounding,
        ),
        tuple(notes),
    )


def _mark(board: Board, kind: str, model: str, place: int, cell: Cell | None, digits: int) -> Mark:
    column = visible(board.columns[place])
    # Bars: a panel a column, in which models are compared; else a line or polygon a model.
    label, series = (model, column) if kind == "bars" else (column, model)
    score = None if cell is None else cell.score
    return Mark(
        label, series, None if score is None else score * 100, _text(cell, digits, board.rounding)
    )


def _text(cell: Cell | None, digits: int, tie: str) -> str:
    if cell is None or cell.low is None:
        return "–"
    if cell.score is None:
        return f"{percent(cell.low, digits, tie)}–{percent(cell.high, digits, tie)}"
    return percent(cell.score, digits, tie)


def _axes(board: Board) -> range:
    """The columns after the first, which is over all of them."""
    return range(1, len(board.columns))


def _names(board: Board) -> list[str]:
    """Of each line: its model, with the run where a model has several."""
    of_model = Counter(line.model for line in board.lines)
    return [visible(_name(line, several=of_model[line.model] > 1)) for line in board.lines]


def _name(line: Line, *, several: bool) -> str:
    return f"{line.model} / {line.run}" if several else line.model

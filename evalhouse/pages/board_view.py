"""Lines of a board for a page: as they are printed, with shades and what their cells lead to."""

from __future__ import annotations

from dataclasses import dataclass

from queries.board import Board, Line
from queries.render.boards import board_table
from queries.render.printed import Printed

_SHADES = 9


@dataclass(frozen=True)
class BoardView:
    """Lines of a board as they are printed, with what their cells lead to.

    Attributes:
        board: the whole board.
        lines: those of its lines that are shown.
        table: as the command prints them.
        first: the place of the first score among a row's cells, and `step` from one to the next.
        shades: of each line's scores, from 0 to 9 within their column; None: no score.
    """

    board: Board
    lines: tuple[Line, ...]
    table: Printed
    first: int
    step: int
    shades: tuple[tuple[int | None, ...], ...]


def board_view(board: Board, *, all_runs: bool = False, lines: slice = slice(None)) -> BoardView:
    """Some lines of a board for a page; columns and shades are those of the whole board."""
    step = 2 if board.intervals else 1
    columns = range(len(board.columns))
    spans = []
    for n in columns:
        cells = [line.cells[n] for line in board.lines]
        scores = [cell.score for cell in cells if cell and cell.score is not None]
        spans.append((min(scores), max(scores)) if scores else (0.0, 0.0))
    return BoardView(
        board=board,
        lines=board.lines[lines],
        table=board_table(board, digits=2, runs=all_runs, lines=lines),
        first=2 + (1 if board.intervals else 0) + (1 if all_runs else 0),
        step=step,
        shades=tuple(
            tuple(
                _shade(cell.score if cell else None, spans[n]) for n, cell in enumerate(line.cells)
            )
            for line in board.lines[lines]
        ),
    )


def _shade(score: float | None, span: tuple[float, float]) -> int | None:
    if score is None:
        return None
    low, high = span
    return _SHADES if high == low else round(_SHADES * (score - low) / (high - low))

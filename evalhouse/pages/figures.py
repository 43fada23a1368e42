"""The figures of a board: what it is drawn as, and where each picture is."""

from __future__ import annotations

from collections.abc import Sequence

from evalhouse.pages.choices import address_of
from evalhouse.pages.links import Links
from queries import board_figure
from queries.board import Board
from queries.options import BoardOptions
from warehouse.errors import UsageError

Figures = list[list[tuple[str, str]]]
"""Of each board of a page: what its figures are called, and their addresses."""


def figures_of(links: Links, chosen: BoardOptions, boards: Sequence[Board]) -> Figures:
    """The figures of a page's boards that there are."""
    return [
        [
            (board_figure.KINDS[drawn], place)
            for drawn in board_figure.kinds_of(board)
            if (place := links.to("figure", **address_of(chosen), drawn=drawn, place=n))
        ]
        for n, board in enumerate(boards)
    ]


def figure(boards: Sequence[Board], place: int, drawn: str) -> str:
    """A figure of one of a page's boards, as SVG.

    Raises:
        UsageError: no such board, or it cannot be drawn like that.
    """
    if not 0 <= place < len(boards):
        raise UsageError(f"no board {place}; there are {len(boards)}")
    return str(board_figure.draw([boards[place]], "svg", kind=drawn))

"""Boards as pictures: what is drawn is what the board has, and what cannot be drawn is an error."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from queries import board_figure
from queries.board import Board, Cell, Line
from warehouse.errors import UsageError


def cell(score: float | None, low: float | None = None, high: float | None = None) -> Cell:
    low, high = (score, score) if low is None else (low, high)
    return Cell(100, 100, None, score, score, low, high, None)


def line(model: str, *scores: Cell | None, run: str = "r") -> Line:
    return Line(1, model, run, "generation", scores, 0, 0)


def board(*lines: Line, columns: tuple[str, ...] = ("Overall", "a1", "a2", "a3")) -> Board:
    about = ("B", "B/dev", "l2", "circular", "none", "latest", "micro")
    return Board(*about, columns, lines)


def texts(svg: str | bytes) -> set[str]:
    assert isinstance(svg, str)
    return {"".join(node.itertext()) for node in ElementTree.fromstring(svg).iter() if node.text}


FULL = board(
    line("alpha", cell(0.5), cell(0.25), cell(None, 0.1, 0.3), None),
    line("<b>odd</b>\u202e", cell(0.125), cell(1.0), cell(0.0), cell(0.7777)),
)


@pytest.mark.parametrize("kind", board_figure.KINDS)
def test_each_kind_shows_models_abilities_and_scores(kind: str) -> None:
    written = texts(board_figure.draw([FULL], "svg", kind=kind, digits=2))
    assert any("<b>odd</b>" in text for text in written)
    assert {"alpha", "a1", "a3"} <= written
    assert any("verdicts are pending" in text for text in written)
    if kind != "radar":
        assert {"50.00", "25.00", "10.00–30.00", "–", "77.77", "Overall"} <= written


def test_what_cannot_be_drawn_is_said() -> None:
    narrow = board(line("alpha", cell(0.5)), columns=("Overall",))
    assert board_figure.kinds_of(narrow) == ("heatmap", "bars")
    assert board_figure.kinds_of(board()) == ()
    with pytest.raises(UsageError, match="radar needs 3 columns"):
        board_figure.draw([narrow], "svg", kind="radar")
    with pytest.raises(UsageError, match="nothing to draw"):
        board_figure.draw([board()], "svg")
    with pytest.raises(UsageError, match="heatmap, bars, radar"):
        board_figure.draw([FULL], "svg", kind="pie")


def test_runs_of_one_model_are_told_by_their_names_and_many_models_are_counted() -> None:
    two = board(line("m", cell(0.1), run="one"), line("m", cell(0.2), run="two"), columns=("All",))
    assert {"m / one", "m / two"} <= texts(board_figure.draw([two], "svg"))
    scores = [cell(0.1), cell(0.2), cell(0.3), cell(0.4)]
    n = board_figure.MOST_RADARS
    many = board(*(line(f"model {place}", *scores) for place in range(n + 2)))
    written = texts(board_figure.draw([many], "svg", kind="radar"))
    assert f"model {n - 1}" in written
    assert f"model {n}" not in written
    assert f"the first {n} of {n + 2} models" in written
    png = board_figure.draw([two], "png")
    assert isinstance(png, bytes)
    assert png.startswith(b"\x89PNG")

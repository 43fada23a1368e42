"""Boards and comparisons as a notebook shows them: the same tables, without a page around them."""

from __future__ import annotations

from hashlib import sha256

from queries import shown
from queries.board import Board
from queries.comparison import Comparison
from queries.many_benchmarks import ManyBoard
from queries.over_many import ComparisonOfMany
from queries.render.boards import board_table, many_table
from queries.render.pairs import comparison_table, over_many_table
from queries.render.printed import Printed


@shown.html.register(Board)
def _board(found: Board) -> str:
    labels = [line.model for line in found.lines]
    return _html(board_table(found, digits=2, runs=len(set(labels)) < len(labels)))


@shown.html.register(ManyBoard)
def _many(found: ManyBoard) -> str:
    return _html(many_table(found, digits=1))


@shown.html.register(ComparisonOfMany)
def _over_many(found: ComparisonOfMany) -> str:
    return _html(over_many_table(found, digits=2))


@shown.html.register(Comparison)
def _comparison(found: Comparison) -> str:
    return _html(comparison_table(found, digits=2))


def _html(table: Printed) -> str:
    # What it rests on takes long to import, and only a notebook shows HTML this way.
    from queries.render.html import html_table

    # Its styles are under its id: tables of one notebook are not to have the same one.
    return html_table(f"t{sha256(repr(table).encode()).hexdigest()[:12]}", table)

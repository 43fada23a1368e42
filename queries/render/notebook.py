"""Boards and comparisons as a notebook shows them: the same tables, without a page around them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from queries.board import Board
from queries.many_benchmarks import ManyBoard
from queries.over_many import ComparisonOfMany
from queries.paired import Comparison
from queries.render.boards import board_table
from queries.render.html import html_table
from queries.render.many_boards import many_table
from queries.render.over_many import over_many_table
from queries.render.pairs import comparison_table
from queries.render.printed import Printed, decimals, percent


def table_of(shown: Board | ManyBoard | Comparison | ComparisonOfMany) -> str:
    """A board or comparison as HTML, in percent, with the decimals that the commands print."""
    if isinstance(shown, Board):
        labels = [line.model for line in shown.lines]
        return _html(board_table(shown, digits=2, runs=len(set(labels)) < len(labels)))
    if isinstance(shown, ManyBoard):
        return _html(many_table(shown, digits=1))
    if isinstance(shown, ComparisonOfMany):
        return _html(over_many_table(shown, digits=2))
    return _html(comparison_table(shown, digits=2))


def difference(row: Mapping[str, Any], rounding: str) -> str:
    """A row of `paired_difference` in short: the difference in percentage points, its interval and p."""
    if row["difference"] is None:
        return "no difference yet"
    sign = "+" if row["difference"] > 0 else ""
    found = f"{sign}{percent(row['difference'], 2, rounding)}"
    if row["low"] is not None:
        low, high = (percent(row[side], 2, rounding) for side in ("low", "high"))
        found += f" (95 % from {low} to {high})"
    return found if row["p_value"] is None else f"{found}, p {decimals(row['p_value'], 4)}"


def _html(table: Printed) -> str:
    # Its styles are under its id: tables of one notebook are not to have the same one.
    return html_table(f"t{sha256(repr(table).encode()).hexdigest()[:12]}", table)

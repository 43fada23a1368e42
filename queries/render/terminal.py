"""Tables for the terminal: styled and fitted to it there, plain and as wide as they need to be elsewhere."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from queries.render.fitting import fitted
from queries.render.printed import Printed, sections, styled
from warehouse import destination
from warehouse.files.visible import visible

_WIDE = 1000
_DIVIDER = "\ue000"
"""Stands for a divider while a table is drawn."""
_STYLES = ("[bold]{}[/bold]", "[underline]{}[/underline]", "[italic]{}[/italic]")


def terminal(table: Printed, *, plain: bool = False) -> str:
    """The table as text with its title above and its notes below.

    On a terminal it fits the width of that: see `queries.render.fitting`.

    Args:
        plain: without styles also where standard output is a terminal: for files.
    """
    console = Console(emoji=False)
    widths: Sequence[int] = ()
    notes = table.notes
    if plain or destination.is_file() or not console.is_terminal:
        console = Console(width=_WIDE, file=io.StringIO(), emoji=False)
    else:
        found = fitted(table, sys.maxsize if destination.is_wide() else _width(console))
        table, widths = found.table, found.widths
        notes = (*notes, *filter(None, [found.note]))
        console = Console(width=max(_WIDE, sum(widths) + 4 * len(widths)), emoji=False)
    title = f"{visible(table.title)}\n" if table.title else ""
    if table.settings:
        title += _styled(console, "dim", table.settings) + "\n"
    return title + "\n".join(
        [_printed(console, _drawn(table, widths), table), *map(visible, notes)]
    )


def _width(console: Console) -> int:
    """The terminal's width: COLUMNS, or that of the terminal where the table goes to."""
    if os.environ.get("COLUMNS", "").isdigit():
        return console.width
    try:
        return os.get_terminal_size(console.file.fileno()).columns or console.width
    except (OSError, ValueError):
        return console.width


def _drawn(table: Printed, widths: Sequence[int]) -> Table:
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(table.columns):
        drawn.add_column(
            _text(column.heading),
            justify="left" if column.is_text else "right",
            overflow="fold" if column.wraps else "ellipsis",
            width=widths[place] if widths else None,
        )
    blank = [""] * (len(table.columns) - 1)
    for divider, row in sections(table):
        if divider is not None:
            drawn.add_section()
            # Longer than the first column, as a rule; `_printed` puts its text there.
            drawn.add_row(_DIVIDER, *blank)
        drawn.add_row(*styled(row, _text, _STYLES))
    return drawn


def _text(text: str) -> str:
    return escape(visible(text))


def _printed(console: Console, drawn: Table, table: Printed) -> str:
    with console.capture() as captured:
        console.print(drawn)
    dividers = (divider for divider, _ in sections(table) if divider is not None)
    lines = [
        _styled(console, "italic", f" {next(dividers)}") if _DIVIDER in line else line.rstrip()
        for line in captured.get().splitlines()
    ]
    return "\n".join(lines).strip("\n")


def _styled(console: Console, style: str, text: str) -> str:
    with console.capture() as captured:
        console.print(f"[{style}]{_text(text)}[/{style}]", highlight=False, soft_wrap=True)
    return captured.get().rstrip("\n")

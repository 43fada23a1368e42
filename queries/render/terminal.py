"""Tables for the terminal: styled there, plain and as wide as they need to be elsewhere."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from queries.render.printed import Printed, sections, styled
from warehouse.files.visible import visible

_WIDE = 1000
_STYLES = ("[bold]{}[/bold]", "[underline]{}[/underline]", "[italic]{}[/italic]")


def terminal(table: Printed, *, plain: bool = False) -> str:
    """The table as text with its title above and its notes below.

    Args:
        plain: without styles also where standard output is a terminal: for files.
    """
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        drawn.add_column(
            _text(column.heading),
            justify="left" if column.is_text else "right",
            overflow="fold" if column.wraps else "ellipsis",
        )
    blank = [""] * (len(table.columns) - 1)
    for divider, row in sections(table):
        if divider is not None:
            drawn.add_section()
            drawn.add_row(f"[italic]{_text(divider)}[/italic]", *blank)
        drawn.add_row(*styled(row, _text, _STYLES))
    title = f"{visible(table.title)}\n" if table.title else ""
    return title + "\n".join([_printed(drawn, plain=plain), *map(visible, table.notes)])


def _text(text: str) -> str:
    return escape(visible(text))


def _printed(table: Table, *, plain: bool) -> str:
    console = Console(emoji=False)
    if plain or not console.is_terminal:
        console = Console(width=_WIDE, file=io.StringIO(), emoji=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n")

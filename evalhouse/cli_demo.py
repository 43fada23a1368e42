"""The command `demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.demo.build import build
from evalhouse.printing import console, escaped, out, shown
from queries import render
from warehouse import destination

_QUERY = "SELECT model, score FROM score WHERE ability = 'Overall' ORDER BY rank"


def demo(
    directory: Annotated[
        Path, typer.Argument(help="Where to put the demo's files and warehouse.")
    ] = Path("evalhouse-demo"),
    wide: Annotated[
        bool,
        typer.Option(
            "--wide", help="Tables with every column, also where a terminal is too narrow for them."
        ),
    ] = False,
) -> None:
    """Build a warehouse from published figures, offline, and print its leaderboards."""
    house = build(directory, step=lambda text: console.print(escaped(text), style="dim"))
    for level in ("l2", "l3"):
        boards = house.leaderboard("MMBench", level=level)
        with destination.a_terminal(wide=wide, has_formats=False):
            shown(render.render_boards(boards, "table", digits=1) + "\n")
    out(
        f"The warehouse is {house.path}. Try:\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --strategy vanilla\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --judge none\n"
        f'  evalhouse sql --db {house.path} "{_QUERY}"\n'
        f"  evalhouse errors LLaVA --db {house.path}\n"
        f"Look at it in a browser: evalhouse serve --db {house.path}\n"
        f"or as pages on disk: evalhouse report demo-pages --db {house.path}"
    )

"""What the commands share: options, messages, and printing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from evalhouse.api import Warehouse
from queries.render.printed import visible

console = Console(stderr=True, highlight=False, emoji=False)

STDOUT = "standard output"
"""What errors of writing to it call it."""

Db = Annotated[
    Path | None,
    typer.Option(
        "--db", help="The warehouse file; by default EVALHOUSE_DB, else warehouse.duckdb."
    ),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="Wait while another process holds the file."
    ),
]
NoRefresh = Annotated[
    bool,
    typer.Option(
        "--no-refresh",
        help="Leave kept results to a later command; boards compute meanwhile (see refresh).",
    ),
]
ReleaseName = Annotated[
    str, typer.Option("--release", help="A release by name, or the folder of one of your own.")
]


def house_of(db: Path | None, wait: float) -> Warehouse:
    """The warehouse of a command; notes about it go to standard error."""
    return Warehouse(db, wait=wait, warn=note)


def note(text: str) -> None:
    """Print what is worth knowing and no error, to standard error."""
    console.print(f"[yellow]note[/yellow]: {escaped(text)}", soft_wrap=True)


def out(text: str) -> None:
    """Print lines about what was done; control characters in names are seen, not obeyed."""
    shown(visible(text))


def shown(text: str) -> None:
    """Print a result as it is rendered."""
    try:
        sys.stdout.write(text + "\n")
    except OSError as error:
        error.filename = STDOUT
        raise


def escaped(text: str) -> str:
    """Text in which brackets are no markup, and control characters are seen."""
    return escape(visible(text))

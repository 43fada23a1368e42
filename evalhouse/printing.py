"""What the commands print: notes and progress to standard error, results to standard output."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape

from warehouse.files.visible import visible

console = Console(stderr=True, highlight=False, emoji=False)

STDOUT = "standard output"
"""What errors of writing to it call it."""


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

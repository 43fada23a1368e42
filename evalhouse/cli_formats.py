"""`evalhouse formats`: what `ingest` reads, as docs/reading-results.md prints it."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich import print as print_rich
from rich.table import Table

from evalhouse.printing import escaped, note, out
from ingest.adapter import Adapter, Place
from ingest.formats import ADAPTERS, brought


def formats(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="As the table in docs/reading-results.md.")
    ] = False,
) -> None:
    """List the formats that ingest recognises, each with what a file of it holds."""
    if markdown:
        out(as_markdown())
        return
    table = Table(box=box.SIMPLE)
    table.add_column("format", no_wrap=True)
    table.add_column("what it is, and its columns")
    _, of_packages, problems = brought()
    for adapter in (*_in_order(), *of_packages.values()):
        table.add_row(adapter.name, escaped(adapter.description))
    print_rich(table)
    for problem in problems:
        note(problem)


def as_markdown() -> str:
    """The table in docs/reading-results.md, made from the adapters."""
    lines = ["| format | what it is, and its columns |", "|---|---|"]
    for adapter in _in_order():
        lines.append(f"| `{adapter.name}` | {adapter.description.replace('|', chr(92) + '|')} |")
    return "\n".join(lines)


def _in_order() -> list[Adapter]:
    """As a folder's files are read: questions, then answers, then what refers to them."""

    def place(adapter: Adapter) -> tuple[Place, str]:
        place = adapter.place
        return (place if isinstance(place, Place) else Place.ANSWERS), adapter.name

    return sorted(ADAPTERS, key=place)

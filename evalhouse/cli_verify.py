"""`evalhouse verify`: a bundle's figures, computed again."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, Wait, reader_of
from evalhouse.printing import console, escaped, out
from queries.export import verify as verifying
from warehouse.wording import counted


def verify(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="A folder of `evalhouse export bundle`.")
    ],
    db: Db = None,
    release: Annotated[
        str | None,
        typer.Option(help="Compute with this release or folder; by default the bundle's release."),
    ] = None,
    wait: Wait = 0,
) -> None:
    """Compute every figure of a leaderboard bundle again, from the warehouse.

    Each figure that differs is named by table, row and column, with exit code 1. What the figures
    rest on and is another here is reported, and is no error where every figure holds.
    """
    house = reader_of(db, wait)
    with house.reading() as con, console.status("") as status:
        verdict = verifying.verify(
            con,
            bundle,
            evalhouse=version("evalhouse"),
            release=release,
            step=lambda text: status.update(escaped(text)),
        )
    for note in verdict.notes:
        out(f"note: {note}")
    for difference in verdict.differences:
        out(difference.line())
    if verdict.differences:
        n = len(verdict.differences)
        out(f"{bundle}: {n:,} difference{'s' if n != 1 else ''}")
        raise typer.Exit(1)
    named = f" and {counted(verdict.n_named, 'named figure')}" if verdict.n_named else ""
    out(
        f"{bundle}: {counted(verdict.n_figures, 'figure')} in {counted(verdict.n_tables, 'table')}{named} hold"
    )

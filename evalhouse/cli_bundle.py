"""`evalhouse export bundle` and `verify`: leaderboards in every format, and whether they hold."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import console, escaped, out
from queries import choosing, install
from queries.decimals import MAX_DIGITS
from queries.export import verify as verifying
from warehouse.wording import counted


def export_bundle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    benchmarks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BENCHMARK]...", help="By default all that have runs."),
    ] = None,
    db: Db = None,
    level: Annotated[
        list[str] | None,
        typer.Option(help="overall, or a level of the taxonomy; by default all. Repeatable."),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="A judge, or none for the rules alone; by default all. Repeatable."),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="By default that of each benchmark's paper, and those of its groups."),
    ] = None,
    subset: Annotated[str, typer.Option(help="A subset of the dataset.")] = choosing.WHOLE,
    runs: Annotated[str, typer.Option(help="latest (each model's) or all.")] = "latest",
    of: Annotated[
        str, typer.Option(help="Scores over all questions, or over answered ones.")
    ] = "all",
    digits: Annotated[
        int, typer.Option(help="Decimals of the percentages.", min=0, max=MAX_DIGITS)
    ] = 2,
    release: ReleaseName = install.LATEST,
    wait: Wait = 0,
) -> None:
    """Leaderboards in every table format, and a manifest to recompute them from.

    Of all benchmarks, those without such a board are named and left out; nothing is asked. The
    manifest records the parameters of each table, the hashes of the warehouse, of the datasets
    and of the release's files, and the judges; `evalhouse verify DIR` computes every figure again.
    """
    left: list[str] = []
    with console.status("") as status:
        made = reader_of(db, wait).export.bundle(
            folder,
            *(benchmarks or ()),
            levels=level or (),
            judges=judge or (),
            strategy=strategy,
            subset=subset,
            runs=runs,
            of=of,
            digits=digits,
            release=release,
            step=lambda text: status.update(escaped(text)),
            left=left.append,
        )
    for reason in left:
        out(f"left out: {reason}")
    n_figures = sum(table.n_figures for table in made.tables)
    n_files = sum(len(table.files) for table in made.tables) + (made.scores is not None)
    named = f", {counted(made.scores.n_figures, 'named figure')}" if made.scores else ""
    out(
        f"{folder}: {counted(len(made.tables), 'table')}, "
        f"{counted(n_figures, 'figure')}{named}, release {made.basis.release.name} "
        f"({counted(n_files, 'file')} and their manifest)"
    )
    out("without questions, answers, images and what judges replied: figures and hashes alone")


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

    Each table is computed and written again, and its files are compared with the bundle's. Each
    figure that differs is named by table, row and column, of a file that was changed the first one,
    with exit code 1. What the figures rest on and is another here is reported, and is no error
    where every file holds.
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
        out(f"{bundle}: {counted(len(verdict.differences), 'difference')}")
        raise typer.Exit(1)
    named = f" and {counted(verdict.n_named, 'named figure')}" if verdict.n_named else ""
    in_tables = f"in {counted(verdict.n_tables, 'table')}"
    out(f"{bundle}: {counted(verdict.n_figures, 'figure')} {in_tables}{named} hold")

"""`evalhouse export bundle`: leaderboards in every format, and what they rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from evalhouse.printing import console, escaped, out
from queries import choosing, install
from queries.decimals import MAX_DIGITS
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
        f"{counted(n_figures, 'figure')}{named}, release {made.basis.release} "
        f"({counted(n_files, 'file')} and their manifest)"
    )
    out("without questions, answers, images and what judges replied: figures and hashes alone")

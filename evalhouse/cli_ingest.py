"""`evalhouse ingest`, which is also the command `ingest`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from evalhouse import agreement, pictures
from evalhouse.cli_images import said_of
from evalhouse.cli_options import with_options
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of
from evalhouse.ingest_summary import Summary
from evalhouse.ingesting import ingest_all_or_nothing, ingest_each, rehearse
from evalhouse.printing import console, escaped, note, out
from ingest import many
from ingest.formats import ADAPTERS
from ingest.settings import Settings, TaskMap
from warehouse.errors import UsageError
from warehouse.images import Images

FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {escaped(adapter.description)}" for adapter in ADAPTERS
)


@with_options()
def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Files, folders (all files below) or quoted patterns ('DIR/**/*.csv'). Files are read in "
            "this order; of what folders and patterns hold, questions come first."
        ),
    ],
    settings: Settings,
    db: Db = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Report what would be loaded; works on a copy, which is thrown away."
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Load nothing if a file cannot be read; works on a copy, which takes the "
            "warehouse's place.",
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line per file of a folder or pattern.")
    ] = False,
    images: Annotated[
        str,
        typer.Option(
            help="hash: pictures are known by their hash. keep: also keep them next to the warehouse."
        ),
    ] = "hash",
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Read questions, predictions, choice scores, judgments or model facts into the warehouse.

    Each file is read whole or not at all. What was inferred is printed; what cannot be known is an
    error that names the flag to give. The same file again changes nothing, so that after a stop the
    same command goes on. Of a folder or a pattern, the names of files do not decide the order; what
    a harness writes next to its answers is left, and what cannot be read is named at the end, with
    exit code 1, while the rest loads.
    """
    if images not in ("hash", "keep"):
        raise UsageError(f"--images is hash or keep, not {images!r}")
    if settings.part and settings.replace:
        raise UsageError("--part adds to a run, and --replace supersedes it: say one of them")
    house = house_of(db, wait)
    read = partial(rehearse if dry_run else ingest_all_or_nothing if strict else ingest_each, house)
    summary = Summary()
    read_now: list[Path] = []
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=None)
        for outcome in read(
            paths,
            settings,
            refresh=not no_refresh,
            begin=lambda n: progress.update(bar, total=n),
            step=lambda text: progress.update(bar, description=text),
        ):
            progress.advance(bar)
            if outcome.report is not None:
                read_now.append(outcome.file.path)
            text = summary.add(outcome, verbose=verbose)
            if text:
                out(text)
    for line in summary.lines(verbose=verbose):
        out(line)
    if not dry_run and not (strict and summary.errors):
        for line in agreement.lines(house, summary.of_harness):
            out(line)
    if (total := summary.total()) is not None:
        out(total)
    if images == "keep" and not dry_run and not (strict and summary.errors):
        # Pictures also lie in files of their own, next to those that were read.
        files = [file.path for file in many.expand(paths, house.path) if file.path.is_file()]
        added = pictures.add(house, files, may_hold_none=True)
        out(said_of(added, Images.of(house.path).folder))
        for unread in added.unread:
            if Path(unread.path) in read_now:
                note(f"no picture was looked for in a file: {unread}")
    for error in summary.errors:
        console.print(f"[red]failed[/red]: {escaped(error)}", soft_wrap=True)
    for entry in summary.unused(TaskMap.of(settings.map)):
        note(f"--map {entry}: none of the files that were read calls its dataset so")
    if dry_run:
        out("dry run: nothing is stored")
    elif strict and summary.errors:
        out("--strict: nothing is stored")
    if summary.errors:
        raise typer.Exit(1)


ingest_app = typer.Typer()
ingest_app.command(epilog=FORMATS_HELP)(ingest)

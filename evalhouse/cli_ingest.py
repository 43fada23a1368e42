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
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from evalhouse.cli_shared import Db, Wait, console, escaped, house_of, out
from ingest.formats import ADAPTERS
from warehouse.errors import UsageError

FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {escaped(adapter.description)}" for adapter in ADAPTERS
)


def ingest(
    files: Annotated[list[Path], typer.Argument(help="Files to read, in this order.")],
    db: Db = None,
    benchmark: Annotated[str | None, typer.Option(help="Such as MMBench.")] = None,
    version: Annotated[str | None, typer.Option(help="The dataset's version.")] = None,
    split: Annotated[
        str | None, typer.Option(help="The split, for files without a column.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="The dataset's language.")] = None,
    model: Annotated[str | None, typer.Option(help="The model that answered.")] = None,
    run: Annotated[
        str | None, typer.Option(help="The run's label, to keep it beside another one.")
    ] = None,
    format: Annotated[str | None, typer.Option(help="Read as this format.")] = None,
    method: Annotated[
        str | None, typer.Option(help="How choice scores came about: loglik, perplexity, clip.")
    ] = None,
    reduction: Annotated[str | None, typer.Option(help="loglik: sum or mean over tokens.")] = None,
    scored: Annotated[str | None, typer.Option(help="loglik: content or letter.")] = None,
    judge: Annotated[
        str | None, typer.Option(help="Who gave the labels, grades or verdicts of the file.")
    ] = None,
    judge_template: Annotated[
        str | None, typer.Option(help="What an imported judge was asked with; by default unknown.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="Grades of open answers: soft_score (0-1) or mark (1-5).")
    ] = None,
    subset: Annotated[
        str | None, typer.Option(help="What a subset is called; by default the file's name.")
    ] = None,
    on_duplicate: Annotated[
        str, typer.Option(help="The same key twice: error, or the first or last counts.")
    ] = "error",
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Supersede a run or subset, or correct a dataset's answers."
        ),
    ] = False,
    wait: Wait = 0,
) -> None:
    """Read questions, predictions, choice scores, judgments or model facts into the warehouse.

    Each file is read whole or not at all. What was inferred is printed; what cannot be known is an
    error that names the flag to give. The same file again changes nothing.
    """
    if on_duplicate not in ("error", "first", "last"):
        raise UsageError(f"--on-duplicate is error, first or last, not {on_duplicate!r}")
    house = house_of(db, wait)
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
        bar = progress.add_task("", total=len(files))
        for file in files:
            (report,) = house.ingest(
                file,
                step=partial(_tell, progress, bar, file.name),
                benchmark=benchmark,
                version=version,
                split=split,
                language=language,
                model=model,
                run=run,
                format=format,
                method=method,
                reduction=reduction,
                scored=scored,
                judge=judge,
                judge_template=judge_template,
                task=task,
                subset=subset,
                on_duplicate=on_duplicate,
                replace=replace,
            )
            progress.advance(bar)
            out("\n".join(report.lines()))


def _tell(progress: Progress, bar: TaskID, name: str, text: str) -> None:
    progress.update(bar, description=f"{name}: {text}")

"""`evalhouse ingest`, which is also the command `ingest`."""

from __future__ import annotations

from dataclasses import dataclass, field
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

from evalhouse.cli_shared import Db, Wait, console, escaped, house_of, out
from ingest.formats import ADAPTERS
from ingest.many import Outcome
from warehouse.errors import UsageError

FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {escaped(adapter.description)}" for adapter in ADAPTERS
)


def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Files, folders (all files below) or quoted patterns ('DIR/**/*.csv'), in this order."
        ),
    ],
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
        str | None,
        typer.Option(
            help="Grades of open answers: soft_score (0-1), mark (1-5) or letter_grade (GRADE: C)."
        ),
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
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line per file of a folder or pattern.")
    ] = False,
    wait: Wait = 0,
) -> None:
    """Read questions, predictions, choice scores, judgments or model facts into the warehouse.

    Each file is read whole or not at all. What was inferred is printed; what cannot be known is an
    error that names the flag to give. The same file again changes nothing, so that after a stop the
    same command goes on. Of a folder or a pattern, what cannot be read is left out and named at the
    end, with exit code 1.
    """
    if on_duplicate not in ("error", "first", "last"):
        raise UsageError(f"--on-duplicate is error, first or last, not {on_duplicate!r}")
    house = house_of(db, wait)
    summary = Summary()
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
        for outcome in house.ingest_many(
            *paths,
            begin=lambda n: progress.update(bar, total=n),
            step=lambda text: progress.update(bar, description=text),
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
        ):
            progress.advance(bar)
            text = summary.add(outcome, verbose=verbose)
            if text:
                out(text)
    if summary.n_found:
        out(summary.line())
    for error in summary.errors:
        console.print(f"[red]left out[/red]: {escaped(error)}", soft_wrap=True)
    if summary.errors:
        raise typer.Exit(1)


@dataclass
class Summary:
    """What came of the files of folders and patterns."""

    n_found: int = 0
    n_loaded: int = 0
    n_rows: int = 0
    n_already: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, *, verbose: bool) -> str | None:
        """Count a file; return what there is to print of it now, None: nothing."""
        report = outcome.report
        if outcome.file.named and report is not None:
            return "\n".join(report.lines())
        self.n_found += 1
        if report is None:
            self.errors.append(str(outcome.error))
            return f"{outcome.file.path}: left out" if verbose else None
        if report.already:
            self.n_already += 1
            return f"{outcome.file.path}: there already" if verbose else None
        self.n_loaded += 1
        self.n_rows += report.n_rows
        return report.lines()[0] if verbose else None

    def line(self) -> str:
        """The counts, as a line."""
        return (
            f"{self.n_found:,} files: {self.n_loaded:,} loaded ({self.n_rows:,} rows), "
            f"{self.n_already:,} there already, {len(self.errors):,} left out"
        )

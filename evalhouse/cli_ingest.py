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
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of
from evalhouse.ingest_summary import Summary
from evalhouse.ingesting import ingest_all_or_nothing, ingest_each, rehearse
from evalhouse.printing import console, escaped, note, out
from ingest import column_names, many
from ingest.formats import ADAPTERS
from ingest.settings import Settings, TaskMap
from warehouse.errors import UsageError
from warehouse.images import Images

FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {escaped(adapter.description)}" for adapter in ADAPTERS
)


def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Files, folders (all files below) or quoted patterns ('DIR/**/*.csv'). Files are read in "
            "this order; of what folders and patterns hold, questions come first."
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
        str | None, typer.Option(help="The run's label, to keep it in addition to another one.")
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
    input: Annotated[
        str | None,
        typer.Option(
            help="What the runs showed their model: image (the question with its image) or text (alone)."
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
            "--replace",
            help="Supersede a run or subset; of a question file, take its texts, choices, answers and "
            "abilities, and add its questions. The former are kept as history.",
        ),
    ] = False,
    drop_missing: Annotated[
        bool,
        typer.Option(
            "--drop-missing",
            help="With --replace: the file is the whole list, and its dataset's other questions no "
            "longer count. Their answers stay.",
        ),
    ] = False,
    part: Annotated[
        bool,
        typer.Option(
            "--part",
            help="Answers to other questions go into the run of that label that is there (shards).",
        ),
    ] = False,
    map: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="TASK=DATASET",
            help="What files call a task or dataset, and what it is here: a dataset of the warehouse, "
            "or such as MMBench_DEV_EN. Several times.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="THEIRS=OURS",
            help="What files call a column, and what it is, such as id=question_key,response=prediction. "
            "Remembered for the --benchmark.",
        ),
    ] = None,
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
    if on_duplicate not in ("error", "first", "last"):
        raise UsageError(f"--on-duplicate is error, first or last, not {on_duplicate!r}")
    if images not in ("hash", "keep"):
        raise UsageError(f"--images is hash or keep, not {images!r}")
    if part and replace:
        raise UsageError("--part adds to a run, and --replace supersedes it: say one of them")
    tasks = read_map(map or [])
    settings = Settings(
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
        drop_missing=drop_missing,
        part=part,
        input=input,
        map=tasks,
        column=column_names.parse(column or []),
    )
    house = house_of(db, wait)
    read = partial(rehearse if dry_run else ingest_all_or_nothing if strict else ingest_each, house)
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
        for outcome in read(
            paths,
            settings,
            refresh=not no_refresh,
            begin=lambda n: progress.update(bar, total=n),
            step=lambda text: progress.update(bar, description=text),
        ):
            progress.advance(bar)
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
        files = [file.path for file in many.expand(paths, house.path)]
        out(said_of(pictures.add(house, files), Images.of(house.path).folder))
    for error in summary.errors:
        console.print(f"[red]failed[/red]: {escaped(error)}", soft_wrap=True)
    for entry in summary.unused(tasks):
        note(f"--map {entry}: none of the files that were read calls its dataset so")
    if dry_run:
        out("dry run: nothing is stored")
    elif strict and summary.errors:
        out("--strict: nothing is stored")
    if summary.errors:
        raise typer.Exit(1)


def read_map(words: list[str]) -> TaskMap:
    """What --map says: the dataset of each task.

    Raises:
        UsageError: it is not TASK=DATASET, or a task has two datasets.
    """
    mapped = TaskMap()
    for word in words:
        task, _, dataset = (part.strip() for part in word.partition("="))
        if not task or not dataset:
            raise UsageError(f"--map is TASK=DATASET, not {word!r}")
        if mapped.setdefault(task, dataset) != dataset:
            raise UsageError(f"--map says both {mapped[task]} and {dataset} for {task}")
    return mapped


ingest_app = typer.Typer()
ingest_app.command(epilog=FORMATS_HELP)(ingest)

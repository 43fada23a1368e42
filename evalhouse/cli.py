"""The commands. Each one opens the warehouse, calls a package, and prints."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from evalhouse.api import Warehouse
from evalhouse.demo.build import build as build_demo
from ingest.formats import ADAPTERS
from queries import compare, install, leaderboard, render, session, show
from queries import release as releases
from warehouse import connection, migrate
from warehouse.check import run_checks
from warehouse.errors import EvalhouseError, UsageError

_console = Console(stderr=True, highlight=False)

app = typer.Typer(
    name="evalhouse",
    help="An offline warehouse for vision-language model evaluations: every answer is a row, every "
    "judgment is a row, every score is a view.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
runs_app = typer.Typer(
    help="List runs, and mend a wrong label or model.", invoke_without_command=True
)
releases_app = typer.Typer(
    help="The releases of scoring views: list, compare, install, freeze.",
    invoke_without_command=True,
)
app.add_typer(runs_app, name="runs")
app.add_typer(releases_app, name="releases")

Db = Annotated[
    Path | None,
    typer.Option(
        "--db", help="The warehouse file; by default EVALHOUSE_DB, else warehouse.duckdb."
    ),
]
Wait = Annotated[
    float,
    typer.Option("--wait", metavar="SECONDS", help="Wait while another process holds the file."),
]
ReleaseName = Annotated[
    str, typer.Option("--release", help="A release by name, or the folder of one of your own.")
]


def main() -> None:
    """The command `evalhouse`."""
    _run(app)


def ingest_main() -> None:
    """The command `ingest`."""
    ingest_app = typer.Typer(
        pretty_exceptions_enable=False, rich_markup_mode="rich", add_completion=True
    )
    ingest_app.command(epilog=_FORMATS_HELP)(ingest)
    _run(ingest_app)


def _run(command: Callable[[], Any]) -> None:
    try:
        command()
    except EvalhouseError as error:
        _console.print(f"[red]error[/red]: {_escaped(str(error))}", soft_wrap=True)
        sys.exit(error.exit_code)


def _escaped(text: str) -> str:
    return text.replace("[", r"\[")


def _house(db: Path | None, wait: float) -> Warehouse:
    def warn(text: str) -> None:
        _console.print(f"[yellow]note[/yellow]: {_escaped(text)}", soft_wrap=True)

    return Warehouse(db, wait=wait, warn=warn)


def _tell(progress: Progress, bar: TaskID, name: str, text: str) -> None:
    progress.update(bar, description=f"{name}: {text}")


def _out(text: str) -> None:
    sys.stdout.write(text + "\n")


_FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {_escaped(adapter.description)}" for adapter in ADAPTERS
)


@app.command(epilog=_FORMATS_HELP)
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
    on_duplicate: Annotated[
        str, typer.Option(help="The same key twice: error, or the first or last counts.")
    ] = "error",
    replace: Annotated[
        bool, typer.Option("--replace", help="Supersede a run, or correct a dataset's answers.")
    ] = False,
    wait: Wait = 0,
) -> None:
    """Read questions, predictions, choice scores or model facts into the warehouse.

    Each file is read whole or not at all. What was inferred is printed; what cannot be known is an
    error that names the flag to give. The same file again changes nothing.
    """
    if on_duplicate not in ("error", "first", "last"):
        raise UsageError(f"--on-duplicate is error, first or last, not {on_duplicate!r}")
    house = _house(db, wait)
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=_console,
        transient=True,
        disable=not _console.is_terminal,
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
                on_duplicate=on_duplicate,
                replace=replace,
            )
            progress.advance(bar)
            _out("\n".join(report.lines()))


@app.command()
def demo(
    directory: Annotated[
        Path, typer.Argument(help="Where to put the demo's files and warehouse.")
    ] = Path("evalhouse-demo"),
) -> None:
    """Build a warehouse from published figures, offline, and print its leaderboards."""
    house = build_demo(directory, step=lambda text: _console.print(text, style="dim"))
    for level in ("l2", "l3"):
        boards = house.leaderboard("MMBench", level=level)
        _out(render.render_boards(boards, "table", digits=1) + "\n")
    _out(
        f"The warehouse is {house.path}. Try:\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --strategy vanilla\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --judge none\n"
        f'  evalhouse sql --db {house.path} "SELECT model, score FROM leaderboard '
        "WHERE level = 'overall' AND strategy = 'circular' AND average = 'micro'\""
    )


@app.command()
def sql(
    query: Annotated[
        str | None, typer.Argument(help="A query; without one, the views are listed.")
    ] = None,
    db: Db = None,
    release: ReleaseName = install.LATEST,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to a file.")] = None,
    wait: Wait = 0,
) -> None:
    """Ask the warehouse in SQL, read-only and without access to anything else.

    Views are those of the release; tables of facts are in the schema main.
    """
    if format not in render.FRAME_FORMATS:
        raise UsageError(f"--format is {', '.join(render.FRAME_FORMATS)}, not {format!r}")
    house = _house(db, wait)
    name = house.ensure_release(release)
    if query is None:
        with house.reading() as con:
            frame = session.ask(con, "view_list", {"schema": name})
    else:
        frame = house.sql(query, release=name)
    _write(frame, format, output)


@app.command(name="leaderboard")
def leaderboard_command(
    benchmark: Annotated[str, typer.Argument(help="Such as MMBench.")],
    db: Db = None,
    level: Annotated[str | None, typer.Option(help="overall, or a level of the taxonomy.")] = None,
    split: Annotated[str | None, typer.Option(help="Only this split.")] = None,
    version: Annotated[str | None, typer.Option(help="Only this version.")] = None,
    language: Annotated[str | None, typer.Option(help="Only this language.")] = None,
    strategy: Annotated[str | None, typer.Option(help=" | ".join(leaderboard.STRATEGIES))] = None,
    judge: Annotated[
        str | None, typer.Option(help="A judge's name, or none for the rules alone.")
    ] = None,
    average: Annotated[str | None, typer.Option(help="micro | macro")] = None,
    release: ReleaseName = install.LATEST,
    runs: Annotated[str, typer.Option(help="latest (each model's) or all.")] = "latest",
    digits: Annotated[int, typer.Option(help="Decimals of the percentages.", min=0, max=6)] = 2,
    format: Annotated[str, typer.Option("--format", help=" | ".join(render.FORMATS))] = "table",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to a file.")] = None,
    wait: Wait = 0,
) -> None:
    """A benchmark's leaderboard as its paper prints it, in percent.

    Best scores are bold, second ones underlined; - is nothing to average; a range stands where
    verdicts are pending. Right counts the questions that are right, of all in the dataset.
    """
    if format not in render.FORMATS:
        raise UsageError(f"--format is {', '.join(render.FORMATS)}, not {format!r}")
    boards = _house(db, wait).leaderboard(
        benchmark,
        release=release,
        level=level,
        split=split,
        version=version,
        language=language,
        strategy=strategy,
        judge=judge,
        average=average,
        runs=runs,
    )
    if not boards:
        raise UsageError(f"no run of {benchmark} fits; `evalhouse runs` lists them")
    text = render.render_boards(boards, format, digits=digits, runs=runs == "all")
    if output is not None:
        output.write_text(text + "\n", encoding="utf-8")
    else:
        _out(text)


@app.command(name="show")
def show_command(
    key: Annotated[str, typer.Argument(help="The question's key in its dataset, such as 241.")],
    model: Annotated[str, typer.Option("--model", help="The model's name or alias.")],
    db: Db = None,
    dataset: Annotated[
        str | None, typer.Option(help="The dataset's name, if several have the key.")
    ] = None,
    release: ReleaseName = install.LATEST,
    wait: Wait = 0,
) -> None:
    """Everything about one question: choices, predictions, matches, judgments, scores."""
    house = _house(db, wait)
    name = house.ensure_release(release)
    with house.reading() as con:
        views = show.show(con, key, model=model, dataset=dataset, release=name)
    _out("\n\n".join(show.render(view) for view in views))


@app.command()
def status(db: Db = None, wait: Wait = 0) -> None:
    """What is in the file: facts, datasets and how complete they are, releases, judges."""
    house = _house(db, wait)
    with house.reading() as con:
        session.use_release(con)
        facts, datasets, judges = (
            session.ask(con, f"status_{part}") for part in ("facts", "datasets", "judges")
        )
        here = install.installed(con)
    size = house.path.stat().st_size / 1e6
    _out(f"{house.path}, {size:,.1f} MB")
    _out(render.render_frame(facts, "table"))
    _out("\n" + render.render_frame(datasets, "table"))
    if judges.height:
        _out("\n" + render.render_frame(judges, "table"))
    _out(
        "\nReleases: "
        + ", ".join(
            f"{found.name} ({found.state}{', latest' if found.is_default else ''})"
            for found in here.values()
        )
    )


@app.command()
def check(db: Db = None, wait: Wait = 0) -> None:
    """Verify what the engine does not enforce: keys, references, orphans, files on disk.

    Exit code 1 if something is wrong.
    """
    wrong = False
    with _house(db, wait).reading() as con:
        for finding in run_checks(con):
            if finding.n:
                wrong = True
                _out(f"{finding.check}: {finding.description}: {finding.n:,}")
                for example in finding.examples:
                    _out(f"  {example}")
            else:
                _out(f"{finding.check}: ok")
    if wrong:
        raise typer.Exit(1)


@app.command(name="migrate")
def migrate_command(db: Db = None, wait: Wait = 0) -> None:
    """Upgrade an older warehouse to this evalhouse's schema."""
    path = db or connection.default_path()
    if not path.exists():
        raise EvalhouseError(f"{path}: no warehouse there")
    with _house(db, wait).writing() as con:
        version = migrate.installed_version(con, path)
    _out(f"{path}: schema version {version}")


@runs_app.callback()
def runs_list(context: typer.Context, db: Db = None, wait: Wait = 0) -> None:
    """List the runs, newest first."""
    if context.invoked_subcommand is None:
        _out(render.render_frame(_house(db, wait).runs(), "table"))


@runs_app.command(name="rename")
def runs_rename(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    label: Annotated[str | None, typer.Option(help="The new label.")] = None,
    model: Annotated[str | None, typer.Option(help="The right model.")] = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Give a run another label or model."""
    if label is None and model is None:
        raise UsageError("say --label or --model")
    _house(db, wait).rename_run(run_id, label=label, model=model)


@runs_app.command(name="retract")
def runs_retract(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a run out of every view; its rows stay."""
    _house(db, wait).retract_run(run_id)


@releases_app.callback()
def releases_list(context: typer.Context, db: Db = None, wait: Wait = 0) -> None:
    """List the releases that come with evalhouse, and those installed in the warehouse."""
    if context.invoked_subcommand is not None:
        return
    house = _house(db, wait)
    here: dict[str, install.Installed] = {}
    differing: dict[str, list[str]] = {}
    if house.path.exists():
        with house.reading() as con:
            here, differing = install.installed(con), install.differing(con)
    rows = []
    for name in dict.fromkeys((*releases.shipped_names(), *here)):
        shipped = releases.load(name) if name in releases.shipped_names() else None
        found = here.get(name)
        rows.append(
            {
                "release": name,
                "state": shipped.state if shipped else found.state if found else None,
                "builds on": shipped.builds_on if shipped else found.builds_on if found else None,
                "own files": len(shipped.own_files) if shipped else None,
                "installed": ("differs" if name in differing else "yes") if found else "no",
                "latest": "yes" if found and found.is_default else None,
                "description": shipped.description if shipped else None,
            }
        )
    _out(render.render_frame(pl.DataFrame(rows, infer_schema_length=None), "table"))


@releases_app.command(name="install")
def releases_install(
    name: Annotated[
        str | None, typer.Argument(help="A release or a folder; without one, all that are shipped.")
    ] = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Install releases into the warehouse, in place of earlier installations."""
    house = Warehouse(db, wait=wait)
    with house.writing() as con:
        if name is None:
            installed = install.install_shipped(con)
        else:
            release = releases.load(name)
            install.install(con, release)
            installed = (release.name,)
    _out(f"installed {', '.join(installed)}" if installed else "all are installed as shipped")


@releases_app.command(name="diff")
def releases_diff(
    before: Annotated[str, typer.Argument(help="A release or a folder.")],
    after: Annotated[str, typer.Argument(help="A release or a folder.")],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Which views differ, and on this warehouse which verdicts flip and which ranks change."""
    one, two = releases.load(before), releases.load(after)
    for name, text in compare.compare_sql(one, two).items():
        _out(f"{name} differs:\n{text}\n")
    house = _house(db, wait)
    if not house.path.exists():
        _out(f"{house.path}: no warehouse there, so nothing to compare verdicts on")
        return
    for name in (before, after):
        house.ensure_release(name)
    with house.reading() as con:
        found = compare.compare(con, one, two)
    for title, frame in (
        ("Verdicts that flip, judge none", found.flips),
        ("Examples", found.examples),
        ("Scores and ranks that change, judge none", found.ranks),
    ):
        _out(f"{title}:")
        _out(render.render_frame(frame, "table") if frame.height else "  none")


@releases_app.command(name="freeze")
def releases_freeze(
    name: Annotated[str, typer.Argument(help="A release or a folder.")],
) -> None:
    """Record the hash of each of a release's files; from then on none may change."""
    target = releases.freeze(releases.load(name))
    _out(f"frozen: {target}")


def _write(frame: pl.DataFrame, fmt: str, output: Path | None) -> None:
    if fmt == "parquet":
        if output is None:
            raise UsageError("parquet goes to a file: give -o FILE")
        frame.write_parquet(output)
    elif output is not None:
        output.write_text(render.render_frame(frame, fmt) + "\n", encoding="utf-8")
    else:
        _out(render.render_frame(frame, fmt))

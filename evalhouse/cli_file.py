"""`evalhouse status`, `refresh`, `check`, `migrate`, `merge`, `runs` and `judges`: the warehouse file."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import (
    Db,
    FrameFormat,
    NoRefresh,
    Output,
    ReleaseName,
    Wait,
    check_format,
    deliver_frame,
    house_of,
    reader_of,
)
from evalhouse.placing import rehearsing
from evalhouse.printing import console, escaped, out, shown
from queries import install, render, session
from queries.results.refresh import Kept
from warehouse import connection, judges, migrate, runs
from warehouse.check import Finding
from warehouse.errors import EvalhouseError, UsageError
from warehouse.merge import MergeConflictError, Merged
from warehouse.wording import counted

runs_app = typer.Typer(
    help="List runs, and mend a wrong label or model.", invoke_without_command=True
)


@runs_app.callback()
def runs_list(
    context: typer.Context,
    db: Db = None,
    format: FrameFormat = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """List the runs, newest first."""
    if context.invoked_subcommand is None:
        check_format(format, render.FRAME_FORMATS, output)
        deliver_frame(reader_of(db, wait).runs(), format, output)


@runs_app.command(name="rename")
def runs_rename(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    label: Annotated[str | None, typer.Option(help="The new label.")] = None,
    model: Annotated[str | None, typer.Option(help="The right model.")] = None,
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Give a run another label or model."""
    if label is None and model is None:
        raise UsageError("say --label or --model")
    house_of(db, wait).rename_run(run_id, label=label, model=model, refresh=not no_refresh)


@runs_app.command(name="thinking")
def runs_thinking(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    marks: Annotated[
        str,
        typer.Argument(
            metavar="MARKS",
            help="'OPEN ... CLOSE', such as '<reason> ... </reason>'; none: its answers are read whole; "
            "known: the marks that are known alone, whatever its benchmark says.",
        ),
    ],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Say how a run's answers mark a model's thinking, which rules do not read."""
    house_of(db, wait).set_run_thinking(run_id, marks, refresh=not no_refresh)


@runs_app.command(name="retract")
def runs_retract(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a run out of every view; its rows stay."""
    house_of(db, wait).retract_run(run_id, refresh=not no_refresh)


@runs_app.command(name="input")
def runs_input(
    run_id: Annotated[int, typer.Argument(help="The run's number, as listed.")],
    shown_to_model: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="image: the question with its image; text: its text alone."
        ),
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Say what a run showed its model, so that questions solved without the image are found."""
    with house_of(db, wait).changing(refresh=False) as con:
        runs.set_input(con, run_id, shown_to_model)


def merge_command(
    other: Annotated[Path, typer.Argument(help="Another warehouse; it is only read.")],
    db: Db = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what would come over; nothing is stored.")
    ] = False,
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Take over what another warehouse holds: its runs, questions, judges, judgments and sources.

    The same runs and judgments are there once. Where the two contradict each other, in a run's
    content or a question's answer, each conflict is named and nothing is merged. What a benchmark
    declares there alone comes along; where both declare something else, and where what no score
    rests on differs, it stays as it is here. Each of it is noted.
    """
    house = house_of(db, wait)
    # Where nothing is stored, no warehouse is made either.
    is_new = dry_run and not house.path.exists()
    try:
        with rehearsing(house) if is_new else nullcontext(house) as into:
            merged = into.merge(other, dry_run=dry_run, refresh=not no_refresh)
    except MergeConflictError as error:
        for conflict in error.conflicts:
            console.print(f"[red]conflict[/red]: {escaped(conflict)}", soft_wrap=True)
        raise
    for line in _merged_lines(merged):
        out(line)
    if dry_run:
        out("dry run: nothing is stored")


def _merged_lines(merged: Merged) -> list[str]:
    n = merged.counts
    return [
        f"{counted(n['new_runs'], 'run')}, {n['same_runs']:,} there already",
        f"{counted(n['new_questions'], 'question')} ({counted(n['new_datasets'], 'new dataset')}), "
        f"{n['same_questions']:,} there already",
        f"{counted(n['new_judgments'], 'judgment')}, {n['same_judgments']:,} there already",
        f"{counted(n['new_sources'], 'source')}",
        *(f"note: {note}" for note in merged.notes),
    ]


def status(db: Db = None, wait: Wait = 0) -> None:
    """What is in the file: facts, datasets and how complete they are, subsets, judges, releases.

    Runs that their harness did not finish are named as partial, questions that a newer list leaves out
    as dropped.

    Also how many runs of each release have results that are up to date (see refresh).
    """
    found = reader_of(db, wait).status()
    out(f"{found.path}, {found.bytes / 1e6:,.1f} MB")
    shown(render.render_frame(found.facts, "table"))
    shown("\n" + render.render_frame(found.datasets, "table"))
    if found.dropped.height:
        out("\nDropped questions, which do not count; their answers are kept:")
        shown(render.render_frame(found.dropped, "table"))
    if found.partial.height:
        out("\nPartial runs, which their harness did not finish:")
        shown(render.render_frame(found.partial, "table"))
    for frame in (found.subsets, found.judges):
        if frame.height:
            shown("\n" + render.render_frame(frame, "table"))
    out(
        "\nReleases: "
        + ", ".join(
            f"{one.name} ({one.state}{', latest' if one.is_default else ''})"
            for one in found.releases.values()
        )
        + "".join(f"; {group}" for group in found.groups)
    )
    out("Results: " + "; ".join(f"{k.release} {_how_fresh(k)}" for k in found.kept))


def _how_fresh(kept: Kept) -> str:
    if not kept.n_fresh:
        return "none"
    return f"{kept.n_fresh:,} of {kept.n_runs:,} runs"


def refresh(
    db: Db = None,
    release: ReleaseName = install.LATEST,
    all_releases: Annotated[
        bool, typer.Option("--all", help="Every release that is installed.")
    ] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Forget all results.")] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Also find what somebody changed by hand: every fact is looked at."
        ),
    ] = False,
    wait: Wait = 0,
) -> None:
    """Compute the results of the runs that are out of date.

    Commands that change facts end with this. A run is out of date whose results were never computed,
    or rest on other facts or judgments than there are now, as far as evalhouse's commands and API
    changed them. What another client wrote by hand is found with --verify.
    """
    house = house_of(db, wait)
    if not house.path.exists():
        raise EvalhouseError(f"{house.path}: no warehouse there")
    names = [one.release for one in house.kept()] if all_releases else [release]
    for name in names:
        if drop:
            house.drop_kept(release=name)
            out(f"{name}: no results are left")
            continue
        started = time.monotonic()
        with console.status(f"computing the results of {name}"):
            kept = house.refresh(release=name, verify=verify)
        out(
            f"{kept.release}: {kept.n_built:,} {_runs(kept.n_built)} computed in "
            f"{time.monotonic() - started:.1f} s; {kept.n_fresh:,} of {kept.n_runs:,} are up to date"
        )
        for run in kept.changed:
            out(f"  changed by hand: {run}")


def _runs(n: int) -> str:
    return "run" if n == 1 else "runs"


def check(db: Db = None, wait: Wait = 0) -> None:
    """Verify what the engine does not enforce: damage, keys, references, orphans, views, files on disk.

    Every column of every table is read. Exit code 1 if something is wrong.
    """
    checked = reader_of(db, wait).check(found=_print_finding)
    if checked.own:
        out(
            "in the schema main, and no part of evalhouse, which does not read it: "
            + ", ".join(checked.own)
        )
    if not checked.is_ok:
        raise typer.Exit(1)


def _print_finding(finding: Finding) -> None:
    if not finding.n:
        out(f"{finding.check}: ok")
        return
    out(f"{finding.check}: {finding.description}: {finding.n:,}")
    for example in finding.examples:
        out(f"  {example}")


def migrate_command(db: Db = None, no_refresh: NoRefresh = False, wait: Wait = 0) -> None:
    """Upgrade an older warehouse to this evalhouse's schema and releases, and compute all results."""
    path = db or connection.default_path()
    if not path.exists():
        raise EvalhouseError(f"{path}: no warehouse there")
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        install.bring_up_to_date(con)
        version = migrate.installed_version(con, path)
    out(f"{path}: schema version {version}")


judges_app = typer.Typer(
    help="List the judges, give one a better name, or take one out.", invoke_without_command=True
)


@judges_app.callback()
def judges_list(
    context: typer.Context,
    db: Db = None,
    format: FrameFormat = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """List the judges: task, models, template, what they judged, what it cost."""
    if context.invoked_subcommand is not None:
        return
    check_format(format, render.FRAME_FORMATS, output)
    with reader_of(db, wait).reading() as con:
        session.use_release(con)
        frame = session.frame(con, "judge_list")
    deliver_frame(frame, format, output)


@judges_app.command(name="rename")
def judges_rename(
    name: Annotated[str, typer.Argument(help="The judge's name, as listed.")],
    new_name: Annotated[str, typer.Argument(help="A better one.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Give a judge a better name. Its judgments stay its own."""
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        judges.rename(con, name, new_name)


@judges_app.command(name="retract")
def judges_retract(
    name: Annotated[str, typer.Argument(help="The judge's name, as listed.")],
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a judge out of every view; its judgments stay."""
    with house_of(db, wait).changing(refresh=not no_refresh) as con:
        judges.retract(con, name)

"""`evalhouse judge`: asking a judge what scoring still needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars

from evalhouse import judge_summary
from evalhouse.cli_options import with_options
from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait, house_of
from evalhouse.judging import Assignment, JudgeSettings, assign, recall, rehearse
from evalhouse.printing import console, escaped, out, shown
from judge.budget import Budget
from judge.job import Progress
from judge.preview import Preview
from queries import render
from warehouse import connection
from warehouse.errors import EvalhouseError
from warehouse.later import pl
from warehouse.wording import counted

MISSING = 3
"""Exit code: judgments are missing, and were not requested."""
INTERRUPTED = 130

judge_app = typer.Typer(
    help="Ask a judge exactly what scoring still needs; replies are cached for good.",
    invoke_without_command=True,
)


@judge_app.callback()
@with_options(release=ReleaseName, refresh=None)
def judge(
    context: typer.Context,
    settings: JudgeSettings,
    db: Db = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and cost; ask nothing.")
    ] = False,
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Ask a judge exactly what scoring still needs.

    Replies are on disk before they count, and are never paid for twice. Ctrl-C keeps what is in
    flight.
    """
    if context.invoked_subcommand is not None:
        return
    path = db or connection.default_path()
    recalled = None if settings.model or settings.is_program else settings.name
    if dry_run and recalled is None:
        for assignment, found in rehearse(path, settings, wait=wait):
            _print_preview(found, assignment)
        return
    if recalled is not None:
        assignments = [recall(path, recalled, settings, wait=wait)]
    else:
        assignments = assign(path, settings, wait=wait)
    if dry_run:
        for assignment in assignments:
            _print_preview(assignment.preview(), assignment)
        return
    budget = Budget(max_calls=settings.max_calls, max_cost=settings.max_cost)
    code = 0
    for assignment in assignments:
        progress = _run(assignment, budget)
        code = code or _print_outcome(assignment, progress)
        if progress.stopped is not None:
            break
    if code != INTERRUPTED:
        keep_results(path, wait, no_refresh=no_refresh)
        judge_summary.print_of(
            house_of(path, wait), [a.enrolled.judge.name for a in assignments], settings.release
        )
    if code:
        raise typer.Exit(code)


def keep_results(path: Path, wait: float, *, no_refresh: bool) -> None:
    """How a command that changes facts ends, for those that open the file several times."""
    if no_refresh:
        return
    with console.status("keeping results") as status:
        house_of(path, wait).refresh_kept(step=lambda text: status.update(escaped(text)))


def _run(assignment: Assignment, budget: Budget) -> Progress:
    with Bars(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[cost]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bars:
        bar = bars.add_task(assignment.enrolled.judge.name, total=None, rate="", cost="")

        def show(progress: Progress) -> None:
            task = bars.tasks[bar]
            rate = progress.asked / task.elapsed if task.elapsed else 0.0
            bars.update(
                bar,
                total=progress.planned,
                completed=progress.done,
                rate=f"{rate:,.1f}/s",
                cost=_spent(assignment, progress),
                description="stopping: waiting for what is in flight"
                if progress.stopped == "interrupted"
                else assignment.enrolled.judge.name,
            )

        return assignment.run(budget, show)


def _print_preview(found: Preview, assignment: Assignment) -> None:
    judge = assignment.enrolled.judge
    rows = [
        {
            "run": f"{run.run_id}: {run.model}",
            "dataset": run.dataset,
            "without verdict": run.pending,
            "stopped early": run.decided,
            "later": run.later,
            "shared": run.shared,
            "cached": run.cached,
            "calls": run.calls,
            "tokens": run.tokens,
            "cost": _dollars(run.cost),
        }
        for run in found.runs
    ]
    calls = sum(run.calls for run in found.runs)
    known = [run.cost for run in found.runs if run.cost is not None]
    cost = sum(known) if found.price is not None else None
    out(f"{judge.name} · {judge.task} · {judge.template} · need {assignment.settings.need}")
    if rows:
        shown(render.render_frame(pl.DataFrame(rows), "table"))
    later = sum(run.later for run in found.runs)
    out(
        f"In all: {counted(calls, 'call')} now, about {counted(sum(run.tokens for run in found.runs), 'token')}, "
        f"{_dollars(cost)}"
        + (f"; at most {counted(later, 'answer')} more in later waves" if later else "")
    )
    out(
        f"Saved: {sum(run.decided for run in found.runs):,} by early stopping, "
        f"{sum(run.shared for run in found.runs):,} by deduplication, "
        f"{sum(run.cached for run in found.runs):,} by the cache"
    )
    if found.price is None:
        out(f"The price list does not know {judge.model}: --price IN,OUT gives its price")
    else:
        more = ", more where a prompt is long" if found.price.is_tiered else ""
        out(
            f"Price: ${found.price.prompt:g} and ${found.price.completion:g} per million tokens of "
            f"prompts and replies ({found.price.source}){more}; tokens are estimated, one per four bytes"
        )


def _print_outcome(assignment: Assignment, progress: Progress) -> int:
    """Print what came of it; return the exit code."""
    judge = assignment.enrolled.judge
    for note in progress.notes:
        console.print(f"[yellow]note[/yellow]: {escaped(note)}", soft_wrap=True)
    parts = [f"{progress.asked:,} asked", f"{progress.cached:,} from the cache"]
    parts += [f"{progress.shared:,} saved by deduplication"] if progress.shared else []
    parts += [f"{progress.recovered:,} recovered"] if progress.recovered else []
    parts += [f"{progress.elsewhere:,} judged by another process"] if progress.elsewhere else []
    parts += [f"{progress.failed:,} failed"] if progress.failed else []
    out(f"{judge.name} ({judge.task}): {', '.join(parts)}; {_spent(assignment, progress)}")
    for model, n in sorted(progress.other_models.items()):
        out(
            f"  {counted(n, 'reply says', 'replies say')} that they are from {model}, not from {judge.model}"
        )
    for name, n in sorted(progress.in_batches.items()):
        out(
            f"  {counted(n, 'subject is', 'subjects are')} out in the batch {name}: "
            "`evalhouse judge import-batch` reads it"
        )
    if progress.unmerged:
        out(
            f"  {counted(progress.unmerged, 'reply is', 'replies are')} in the cache "
            "alone; the next command merges them"
        )
    if progress.failed:
        out(f"  the first failure: {progress.first_failure}; `evalhouse judge` asks again")
    if progress.missing:
        first = progress.missing[0]
        n = len(progress.missing)
        console.print(
            f"[red]error[/red]: {n:,} judgment{'s are' if n > 1 else ' is'} missing, "
            f"{'the first one ' if n > 1 else ''}of subject {first.content['subject_hash']} "
            f"({escaped(first.place)})",
            soft_wrap=True,
        )
        return MISSING
    if progress.stopped == "interrupted":
        console.print(
            "[red]interrupted[/red]: what was in flight is kept; the same command goes on"
        )
        return INTERRUPTED
    if progress.error is not None:
        return _stopped(progress.error)
    return 1 if progress.failed else 0


def _stopped(error: EvalhouseError) -> int:
    console.print(f"[red]error[/red]: {escaped(str(error))}", soft_wrap=True)
    return error.exit_code


def _spent(assignment: Assignment, progress: Progress) -> str:
    """What was paid. Replies of a model without a price cost something that is not known."""
    is_known = assignment.settings.list_price is not None or not progress.asked
    return _dollars(progress.spent if is_known else None)


def _dollars(cost: float | None) -> str:
    return "price not known" if cost is None else f"${cost:,.4f}"

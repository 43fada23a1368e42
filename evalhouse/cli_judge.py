"""`evalhouse judge` and `cache`: asking judges, also in batches at half the price.

Printed after judging is what a judge made of each run, and what looks wrong in it.
"""

from __future__ import annotations

from collections.abc import Sequence
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

from evalhouse.cli_options import with_options
from evalhouse.cli_shared import (
    Db,
    NoRefresh,
    ReleaseName,
    Wait,
    house_of,
)
from evalhouse.judging import Assignment, JudgeSettings, assign, cache_of, recall, rehearse
from evalhouse.printing import console, escaped, note, out, shown
from evalhouse.reader import Reader
from judge import batch, cache_files, price
from judge.budget import Budget
from judge.job import Progress
from judge.preview import Preview
from queries import render, session
from warehouse import connection
from warehouse.errors import EvalhouseError, UsageError
from warehouse.later import pl
from warehouse.wording import counted

_FEWEST = 5
"""So many verdicts make one letter for all of them suspicious."""
_MOST_RUNS = 20


def print_of(house: Reader, judges: Sequence[str], release: str) -> None:
    """Print a line per run that each judge has replied about, and a note where its verdicts are all one."""
    with house.reading() as con:
        session.use_release(con, release)
        found = {name: session.frame(con, "judge_summary", {"judge": name}) for name in judges}
    for name, frame in found.items():
        if frame.is_empty():
            continue
        out(f"\n{name}, run by run; changed: answers with another score than by the rules alone")
        columns = frame.drop("n_labels", "label", "run_id")
        shown(render.render_frame(columns.head(_MOST_RUNS), "table"))
        if frame.height > _MOST_RUNS:
            out(f"and {counted(frame.height - _MOST_RUNS, 'run')} more (view judged_pass)")
        warning = one_verdict(name, frame)
        if warning is not None:
            note(warning)


def one_verdict(judge: str, frame: pl.DataFrame) -> str | None:
    """What is to be said of a judge whose verdicts are all the same; None: they differ, or are few."""
    with_labels = frame.filter(pl.col("label").is_not_null())
    n_read = int(with_labels["read"].sum())
    labels = set(with_labels["label"])
    if n_read < _FEWEST or len(labels) != 1 or with_labels["n_labels"].max() != 1:
        return None
    label = labels.pop()
    what = "X (none of the choices)" if label == "X" else label
    return (
        f"every one of {judge}'s {n_read:,} verdicts is {what}: does it understand the template? "
        "`evalhouse show KEY --judge` prints prompts and replies"
    )


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
        print_of(
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
    for remark in progress.notes:
        console.print(f"[yellow]note[/yellow]: {escaped(remark)}", soft_wrap=True)
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


_NOT_OF_BATCHES = dict.fromkeys(
    (
        "backend", "extracted_by", "base_url", "key_variable", "again", "concurrency", "timeout",
        "max_retries", "max_cost", "price", "offline", "batch_size", "device", "refresh",
    )
)  # fmt: skip
"""What is said of calls that are made here."""


Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache", help="The cache's directory; by default EVALHOUSE_CACHE, or next to the file."
    ),
]


@with_options(release=ReleaseName, **_NOT_OF_BATCHES)
def export_batch(
    file: Annotated[Path, typer.Argument(help="The batch's input file to write.")],
    settings: JudgeSettings,
    db: Db = None,
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Write what would be sent now as an OpenAI Batch input: the same keys, half the price.

    `evalhouse judge` leaves these subjects alone until the batch is imported or dropped. One pass
    of a question at a time is a batch each; --need all writes every pass at once.
    """
    path = db or connection.default_path()
    assignments = assign(path, settings, wait=wait)
    if len(assignments) > 1:
        tasks = " or ".join(assignment.template.task for assignment in assignments)
        raise UsageError(f"a batch is for one task: say --task {tasks}")
    done = batch.export(
        assignments[0].job(), assignments[0].requests(), file, most=settings.max_calls
    )
    out(
        f"{file}: {counted(done.written, 'request')}"
        if done.written
        else "nothing to ask; no file is written"
    )
    if done.cached:
        out(f"  {done.cached:,} are in the cache already; `evalhouse judge --offline` merges them")
    if done.elsewhere:
        out(f"  {done.elsewhere:,} are being judged by another process, or out in another batch")
    if done.more:
        out("  there is more to ask: export another file")
    keep_results(path, wait, no_refresh=no_refresh)


def import_batch(
    files: Annotated[list[Path], typer.Argument(help="The batch's output and error files.")],
    db: Db = None,
    cache: Cache = None,
    prices: Annotated[
        str | None, typer.Option("--price", metavar="IN,OUT", help="US dollars per million tokens.")
    ] = None,
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Read a batch's output and error files: into the cache, then into the warehouse."""
    path = db or connection.default_path()
    done = batch.read(
        path,
        cache_of(path, cache),
        files,
        given=price.parse(prices) if prices is not None else None,
        wait=wait,
    )
    cost = "price not known" if done.unpriced else f"${done.cost:,.4f}"
    out(
        f"{counted(done.replies, 'reply', 'replies')}, {done.known:,} there already, {done.failed:,} failed; {cost}"
    )
    for error in done.errors:
        out(f"  {error}")
    keep_results(path, wait, no_refresh=no_refresh)
    if done.failed:
        raise typer.Exit(1)


def drop_batch(
    name: Annotated[str, typer.Argument(help="The exported file's name.")],
    db: Db = None,
    cache: Cache = None,
) -> None:
    """Give up a batch that was not sent: its subjects can be judged again."""
    path = db or connection.default_path()
    out(
        f"{counted(batch.drop(cache_of(path, cache), Path(name).name), 'request is', 'requests are')} free again"
    )


for command in (export_batch, import_batch, drop_batch):
    judge_app.command(name=command.__name__.replace("_", "-"))(command)


cache_app = typer.Typer(
    help="The cache of paid replies: merge another one, export it, verify its keys.",
    no_args_is_help=True,
)


@cache_app.command(name="merge")
def cache_merge(
    source: Annotated[Path, typer.Argument(help="A cache directory, or an exported file.")],
    db: Db = None,
    cache: Cache = None,
) -> None:
    """Add another cache's replies; `evalhouse judge` then finds them.

    Nothing is added if one is broken.
    """
    directory = cache_of(db or connection.default_path(), cache)
    done = cache_files.merge_into(directory, source)
    out(f"{directory}: {done.new:,} new, {done.known:,} there already")
    if done.void:
        out(
            f"{done.void:,} are servers' errors that an earlier version kept as replies; they stay there, "
            "and their subjects are judged again"
        )
    if done.conflicts:
        out(f"{len(done.conflicts):,} have another reply there; the one here stays:")
        out(cache_files.summary(done.conflicts))


@cache_app.command(name="export")
def cache_export(
    file: Annotated[Path, typer.Argument(help="A JSON-lines file to write.")],
    db: Db = None,
    cache: Cache = None,
) -> None:
    """Write every entry as a JSON line: key, request, response, call."""
    directory = cache_of(db or connection.default_path(), cache)
    out(f"{file}: {counted(cache_files.export(directory, file), 'entry', 'entries')}")


@cache_app.command(name="verify")
def cache_verify(
    directory: Annotated[
        Path | None, typer.Argument(help="Another cache directory than the warehouse's.")
    ] = None,
    db: Db = None,
    cache: Cache = None,
) -> None:
    """Recompute every key from its request. Exit code 1 if one is wrong."""
    directory = directory or cache_of(db or connection.default_path(), cache)
    done = cache_files.verify(directory)
    out(
        f"{directory}: {counted(done.replies, 'reply', 'replies')} and "
        f"{counted(done.templates, 'template is', 'templates are')} as their keys say"
    )
    if done.void:
        out(
            f"{done.void:,} are servers' errors that an earlier version kept as replies; their subjects "
            "are judged again"
        )
    if done.problems:
        out(f"{len(done.problems):,} are not:\n{cache_files.summary(done.problems)}")
        raise typer.Exit(1)

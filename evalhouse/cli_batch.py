"""`evalhouse judge export-batch`, `import-batch` and `drop-batch`: calls at half the price."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_judge import judge_app, keep_results
from evalhouse.cli_options import with_options
from evalhouse.cli_shared import Db, NoRefresh, ReleaseName, Wait
from evalhouse.judging import JudgeSettings, assign, cache_of
from evalhouse.printing import out
from judge import batch, price
from warehouse import connection
from warehouse.errors import UsageError
from warehouse.wording import counted

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

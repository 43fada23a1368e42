"""`evalhouse cache`: carrying paid replies about, and checking them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db
from evalhouse.judging import cache_of
from evalhouse.printing import out
from judge import cache_files
from warehouse import connection
from warehouse.wording import counted

Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache", help="The cache's directory; by default EVALHOUSE_CACHE, or next to the file."
    ),
]

cache_app = typer.Typer(
    help="The cache of paid replies: merge another one, export it, verify its keys.",
    no_args_is_help=True,
)


@cache_app.command()
def merge(
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


@cache_app.command()
def export(
    file: Annotated[Path, typer.Argument(help="A JSON-lines file to write.")],
    db: Db = None,
    cache: Cache = None,
) -> None:
    """Write every entry as a JSON line: key, request, response, call."""
    directory = cache_of(db or connection.default_path(), cache)
    out(f"{file}: {counted(cache_files.export(directory, file), 'entry', 'entries')}")


@cache_app.command()
def verify(
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

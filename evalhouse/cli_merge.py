"""`evalhouse merge`: another warehouse's facts into this one."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of
from evalhouse.printing import console, escaped, out
from evalhouse.rehearsal import rehearsing
from warehouse.merge import MergeConflictError, Merged
from warehouse.wording import counted


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
    for line in _lines(merged):
        out(line)
    if dry_run:
        out("dry run: nothing is stored")


def _lines(merged: Merged) -> list[str]:
    n = merged.counts
    return [
        f"{counted(n['new_runs'], 'run')}, {n['same_runs']:,} there already",
        f"{counted(n['new_questions'], 'question')} ({counted(n['new_datasets'], 'new dataset')}), "
        f"{n['same_questions']:,} there already",
        f"{counted(n['new_judgments'], 'judgment')}, {n['same_judgments']:,} there already",
        f"{counted(n['new_sources'], 'source')}",
        *(f"note: {note}" for note in merged.notes),
    ]

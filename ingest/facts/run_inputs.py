"""What runs showed their models, as the user says of a file: the question with its image, or its text.

What was said of an earlier part of a run holds of the whole, also how its answers mark thinking.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.settings import Report, Settings
from warehouse import runs, statements
from warehouse.connection import transaction
from warehouse.errors import InputError, UsageError

_SQL = statements.of_module(__file__)


def check(settings: Settings) -> None:
    """Refuse an input that there is none of.

    Raises:
        UsageError: so it is.
    """
    if settings.input not in (None, *runs.INPUTS):
        raise UsageError(f"--input is {' or '.join(runs.INPUTS)}, not {settings.input!r}")


def add(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    report: Report,
    source_id: int,
) -> None:
    """Note it of the runs that a file brought, within the transaction that stores them.

    A run that adds a part to an earlier one has what that one has.

    Raises:
        InputError: an earlier part of a run was given another input.
    """
    if settings.input is None and not settings.part:
        return
    of_file = con.execute(
        _SQL["with_earlier_parts"], {"source_id": source_id, "is_part": settings.part}
    ).fetchall()
    for run_id, former, before, marks in of_file:
        if marks is not None:
            runs.note_thinking(con, run_id, marks)
        if before is not None and settings.input not in (None, before):
            raise InputError(
                path,
                f"is no part of run {former} with --input {settings.input}: that one has {before}",
            )
        shown = settings.input or before
        if shown is not None:
            runs.note_input(con, run_id, shown)
    if settings.input is not None and of_file:
        report.loaded.append(f"input: {settings.input}")


def add_to_runs_there(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, report: Report
) -> None:
    """Note it of the runs of a file that was read before, which is in no transaction."""
    if settings.input is None:
        return
    there = con.execute(_SQL["live_runs_of_file"], {"path": str(path)}).fetchall()
    with transaction(con):
        changed = [run_id for (run_id,) in there if runs.note_input(con, run_id, settings.input)]
    if changed:
        text = ", ".join(map(str, changed))
        report.changed.append(f"{path}: runs {text} now have the input {settings.input}")
    elif not there:
        report.changed.append(
            f"{path}: its runs are another file's; `evalhouse runs input RUN {settings.input}` says it of one"
        )

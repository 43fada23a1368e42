"""One file from path to facts: probe, stage, check, and one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import duckdb

from ingest import binding, filing
from ingest.binding import StagedFile
from ingest.facts import (
    bulk_predictions,
    cell_states,
    duplicates,
    resolve,
    run_facts,
    run_inputs,
    seen_questions,
)
from ingest.facts.seen_questions import Memory
from ingest.loading import Columns, Loading
from ingest.reading import raw
from ingest.recognition import Recognised, attributing_errors, look
from ingest.settings import Report, Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, sources, statements
from warehouse.connection import transaction
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_STAGING = statements.of_file(Path(__file__).with_name("staging.sql"))
_STAGED = {
    statement.split("(")[0].split()[-1]: statement
    for statement in re.findall(r"CREATE OR REPLACE TEMP TABLE [^;]+;", _STAGING)
}
"""The statement that makes each staging table."""
_SMALL_FILE = 1_000_000
"""Bytes."""
_ALSO = " UNION ALL ".join(
    f"SELECT '{table}' WHERE EXISTS (FROM {table})"
    for table in (
        "stage_choice",
        "stage_harness_score",
        "stage_harness_figure",
        "stage_answer_attribute",
        "stage_error",
    )
)
"""Which of the tables have rows that not every file has rows for."""


def prepare(con: duckdb.DuckDBPyConnection) -> None:
    """Make a connection ready for files: the staging tables, empty."""
    con.execute(_STAGING)
    statements.define_plain_text(con)


def ingest_file(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    memory: Memory | None = None,
    *,
    called: str | None = None,
    step: Callable[[str], None] = lambda text: None,
) -> Report:
    """Read one file into the warehouse, atomic: whole or not at all.

    Args:
        con: a warehouse open for writing, prepared.
        path: the file.
        settings: what the user said about it.
        memory: what the questions of earlier files said; None: there were none.
        called: what its source is called; None: by its path.
        step: callback, called with what is being done, for a progress display.

    Raises:
        InputError: the file cannot be read as it stands. The warehouse is as it was.
    """
    step("looking")
    found = look(con, path, settings)
    if isinstance(found, Report):
        return found
    return read(con, replace(found, called=called), settings, memory or Memory(), step=step)


def read(
    con: duckdb.DuckDBPyConnection,
    found: Recognised,
    settings: Settings,
    memory: Memory,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Report:
    """Read a file that was recognised, whole or not at all.

    Args:
        step: callback, called with what is being done.

    Raises:
        InputError: it cannot be read as it stands. The warehouse is as it was.
    """
    with attributing_errors(found.probe.path, found.probe):
        try:
            step("reading")
            return store(con, stage(con, found, settings), settings, memory, step=step)
        finally:
            tidy(con)


def stage(con: duckdb.DuckDBPyConnection, found: Recognised, settings: Settings) -> StagedFile:
    """Read a file into the staging tables; nothing of the warehouse changes.

    Raises:
        InputError: it cannot be read as it stands.
    """
    path = found.probe.path
    with attributing_errors(path, found.probe):
        if path.stat().st_size < _SMALL_FILE:
            # A thread would take longer to start.
            sha256 = sources.digest(path)
            staged, n_rows = _stage_rows(con, found, settings)
        else:
            # The engine reads with threads of its own.
            with ThreadPoolExecutor(1) as other_thread:
                digest = other_thread.submit(sources.digest, path)
                staged, n_rows = _stage_rows(con, found, settings)
                sha256 = digest.result()
        return _completed(con, StagedFile(found, staged, sha256, n_rows), settings)


def store(
    con: duckdb.DuckDBPyConnection,
    file: StagedFile,
    settings: Settings,
    memory: Memory,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Report:
    """Store a file that was staged on this connection, whole or not at all.

    Args:
        step: callback, called with what is being done.

    Raises:
        InputError: it cannot be stored as it stands. The warehouse is as it was.
    """
    # Whether all that it brought stays: a benchmark that a file brought may be gone again.
    clean = not file.staged.is_staged
    step("storing")
    try:
        with attributing_errors(file.found.probe.path, file.found.probe):
            answers = file.staged.answers
            if answers is None or answers.stage_rows is None:
                report = _store(con, file, settings, memory)
                clean = clean or not report.already
                return report
            try:
                report = _store(con, file, settings, memory)
                clean = True
                return report
            except (bulk_predictions.Doubtful, InputError):
                step("looking at every row")
                answers.stage_rows()
                staged = replace(file.staged, answers=replace(answers, stage_rows=None))
                file = replace(file, staged=_settled(con, staged))
                return _store(con, _completed(con, file, settings), settings, memory)
    finally:
        if not clean:
            known_benchmarks.reread(con)


def _stage_rows(
    con: duckdb.DuckDBPyConnection, found: Recognised, settings: Settings
) -> tuple[Staged, int]:
    n_rows = 0 if found.adapter.reads_itself else raw.read(con, found.probe)
    staged = found.adapter.stage(con, found.probe, settings)
    filing.refuse_foreign_flags(settings, staged, found.adapter.name)
    staged = cell_states.stage(con, found.probe, _settled(con, staged))
    return staged, n_rows if staged.n_rows is None else staged.n_rows


def _settled(con: duckdb.DuckDBPyConnection, staged: Staged) -> Staged:
    """The same with what is known once everything is staged."""
    if staged.judgments is None:
        return staged
    return replace(staged, judgments=staged.judgments.settled(con))


def _completed(con: duckdb.DuckDBPyConnection, file: StagedFile, settings: Settings) -> StagedFile:
    """The same without duplicates, and with what storing wants to know of the staged rows alone."""
    staged, path = file.staged, file.found.probe.path
    if not staged.is_staged:
        return file
    notes = duplicates.settle(con, path, staged, settings.on_duplicate)
    signed = None
    if staged.questions is not None and staged.answers is not None:
        signed = seen_questions.sign(con, staged.questions.task)
    also = frozenset(name for (name,) in con.execute(_ALSO).fetchall())
    return replace(
        file,
        notes=tuple(notes),
        signed=signed,
        first_rows=resolve.splits(con, staged),
        answered=run_facts.answered(con, path, staged.answers),
        also=also,
    )


def tidy(con: duckdb.DuckDBPyConnection) -> None:
    """Empty the staging tables that a file filled, and drop what it made besides them.

    Formats name such tables and views as they like; the next file's may be of another kind.
    """
    for name, size, is_view in con.execute(_SQL["made"]).fetchall():
        if is_view:
            con.execute(f"DROP VIEW temp.{raw.quoted(name)}")
            continue
        if name not in _STAGED:
            con.execute(f"DROP TABLE temp.{raw.quoted(name)}")
        elif size:
            con.execute(_STAGED[name])


def _store(
    con: duckdb.DuckDBPyConnection, file: StagedFile, settings: Settings, memory: Memory
) -> Report:
    """Store what was staged, step by step, in one atomic transaction."""
    found, n_rows = file.found, file.n_rows
    path, format_name = found.probe.path, found.adapter.name
    settings = replace(settings, part=settings.part or file.staged.is_part)
    changes_all = True
    try:
        with transaction(con):
            bound = file.bound or binding.find(con, file, settings, memory)
            report, staged, benchmark = bound.report, bound.staged, bound.benchmark
            brings_questions = staged.questions is not None and not bound.are_seen
            if benchmark is not None and (brings_questions or bound.keys):
                # Whatever is looked up from here on is looked up anew.
                memory.changed(benchmark.benchmark_id)
            flags = filing.flags_of(found.probe, settings, staged, report, benchmark)
            flags |= {**bound.keys, **bound.graded}
            is_changing = settings.replace and staged.role == "questions"
            source_id = report.source_id = filing.add_source(
                con, found, file.sha256, n_rows, flags, memory, may_repeat=is_changing
            )
            loading = Loading(
                path,
                settings,
                staged.role,
                benchmark,
                filing.label_of(path, settings, staged),
                source_id,
                report,
                memory,
                datasets=bound.datasets,
                answered=file.answered,
                understood=bound.understood,
                has_questions=staged.questions is not None,
                has_judgments=staged.judgments is not None,
                questions_are_seen=bound.are_seen,
                columns=staged.answers.further if staged.answers else Columns(),
                also=file.also,
            )
            is_plain = False
            for part in staged.parts:
                n_notes = len(report.notes)
                part.load(con, loading)
                if part is staged.questions:
                    is_plain = not bound.keys and len(report.notes) == n_notes
            if is_changing and not report.loaded and sources.is_repeated(con, source_id):
                raise filing.AlreadyThereError
            run_inputs.add(con, path, settings, report, source_id)
            filing.report_runs(con, staged, report, source_id)
        changes_all = benchmark is None
        memory.n_changes += not binding.holds_only_judgments(staged)
    except (filing.AlreadyThereError, run_facts.SameRunsError):
        report = Report(path=found.source, format=format_name, already=True, n_rows=n_rows)
        run_inputs.add_to_runs_there(con, path, settings, report)
        return report
    finally:
        if changes_all:
            memory.changed()
    if brings_questions:
        places = [(one.split_in_file, one.dataset_id) for one in bound.datasets]
        if bound.seen is None or not is_plain:
            memory.forget(places)
        else:
            bound.seen.remember(places)
    return report

"""One file from path to facts: probe, stage, check, and one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import duckdb

from ingest.adapter import Adapter
from ingest.facts import (
    bulk_predictions,
    duplicates,
    graded_runs,
    judgment_facts,
    open_facts,
    question_facts,
    resolve,
    run_facts,
    same_content,
    subset_facts,
)
from ingest.reading import raw
from ingest.reading.probe import Probe
from ingest.recognition import Recognised, attributing_errors, look
from ingest.settings import Report, Settings, Staged
from warehouse import runs, sources, statements, taxonomy
from warehouse.connection import transaction
from warehouse.errors import InputError, UsageError

_STAGING = statements.of_file(Path(__file__).with_name("staging.sql"))
_STAGED = frozenset(re.findall(r"TEMP TABLE (\w+)", _STAGING))


class _AlreadyThere(Exception):
    """The same content was read with the same settings."""


def prepare(con: duckdb.DuckDBPyConnection) -> None:
    """Make a connection ready for files: the staging tables, empty."""
    con.execute(_STAGING)
    statements.define_plain_text(con)


def ingest_file(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Report:
    """Read one file into the warehouse, whole or not at all.

    Args:
        con: a warehouse open for writing, prepared.
        path: the file.
        settings: what the user said about it.
        step: callback, called with what is being done, for a progress display.

    Raises:
        InputError: the file cannot be read as it stands. The warehouse is as it was.
    """
    step("looking")
    found = look(con, path, settings)
    return found if isinstance(found, Report) else read(con, found, settings, step=step)


def read(
    con: duckdb.DuckDBPyConnection,
    found: Recognised,
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Report:
    """Read a file that was recognised, whole or not at all.

    Raises:
        InputError: it cannot be read as it stands. The warehouse is as it was.
    """
    with attributing_errors(found.probe.path):
        return _read(con, found, settings, step)


def _read(
    con: duckdb.DuckDBPyConnection,
    recognised: Recognised,
    settings: Settings,
    step: Callable[[str], None],
) -> Report:
    found, adapter = recognised.probe, recognised.adapter
    step("reading")
    clean = False
    try:
        # The engine reads with threads of its own.
        with ThreadPoolExecutor(1) as other_thread:
            digest = other_thread.submit(sources.digest, found.path)
            n_rows = raw.read(con, found)
            staged = adapter.stage(con, found, settings)
            _refuse_foreign_flags(settings, staged, adapter.name)
            sha256 = digest.result()
        step("storing")
        store = partial(_store, con, settings, adapter, found, sha256, n_rows)
        if staged.by_row is None:
            return store(staged)
        try:
            report = store(staged)
            clean = True
            return report
        except (bulk_predictions.Doubtful, InputError):
            step("looking at every row")
            return store(staged.by_row())
    finally:
        _drop_temporary(con)
        if not clean:
            prepare(con)


def _drop_temporary(con: duckdb.DuckDBPyConnection) -> None:
    """Drop what a file made besides the staging tables.

    Formats name such tables and views as they like; the next file's may be of another kind.
    """
    for kind in ("view", "table"):
        names = con.execute(
            f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE temporary AND NOT internal"
        ).fetchall()
        for (name,) in names:
            if name not in _STAGED:
                con.execute(f"DROP {kind} temp.{raw.quoted(name)}")


def _store(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    adapter: Adapter,
    probe: Probe,
    sha256: str,
    n_rows: int,
    staged: Staged,
) -> Report:
    path = probe.path
    report = Report(path=str(path), format=adapter.name, n_rows=n_rows)
    if staged.by_row is None:
        note = duplicates.settle(con, path, staged, settings.on_duplicate)
        if note:
            report.notes.append(note)
    try:
        with transaction(con):
            _load(con, settings, staged, adapter, probe, sha256, report)
    except (_AlreadyThere, run_facts.SameRunsError):
        return Report(path=str(path), format=adapter.name, already=True, n_rows=n_rows)
    return report


def _load(
    con: duckdb.DuckDBPyConnection,
    settings: Settings,
    staged: Staged,
    adapter: Adapter,
    probe: Probe,
    sha256: str,
    report: Report,
) -> None:
    path = probe.path
    source_id = sources.next_id(con, "source")
    benchmark: tuple[int, str] | None = None
    label = settings.run or staged.run or path.stem
    flags: dict[str, object] = {"on_duplicate": settings.on_duplicate, "given": settings.given}
    if adapter.load is None:
        staged = resolve.mapped(con, settings, staged)
        name, inferred_from = resolve.benchmark_name(con, path, settings, staged)
        task = staged.task if staged.carries_questions and staged.task else "choice"
        benchmark = taxonomy.ensure_benchmark(con, name, source_id=source_id, task=task)
        open_facts.require_task(con, path, staged, benchmark)
        # A shipped taxonomy may just have become a source of its own.
        source_id = sources.next_id(con, "source")
        found = resolve.datasets(con, path, settings, staged, benchmark, source_id)
        flags["datasets"] = report.datasets = [dataset.name for dataset in found]
        flags["benchmark"] = benchmark[1]
        if inferred_from:
            report.inferred.append(f"benchmark {benchmark[1]} ({inferred_from})")
        report.inferred.extend(_inferred(settings, staged))
        for dataset in found:
            report.inferred.append(f"dataset {dataset.name}" + (" (new)" if dataset.is_new else ""))
        known = [(one.split_in_file, one.dataset_id) for one in found if not one.is_new]
        if known and staged.role == "predictions" and staged.carries_questions:
            renamed = same_content.use_known_keys(con, path, staged, known)
            if renamed:
                # Judgments of these answers come under the file's keys too.
                flags["keys"] = renamed
                report.notes.append(same_content.note(renamed))
    elif settings.benchmark is not None:
        flags["benchmark"] = settings.benchmark
    if staged.role == "predictions":
        flags |= {
            "columns": list(probe.columns),
            "model": staged.model or settings.model,
            "run": label,
            "method": staged.method,
            "reduction": staged.reduction,
            "scored": staged.scored,
        }
    if adapter.name == "mmvet_scores":
        # The official order and spelling of sets follow from nothing.
        flags["columns"] = list(probe.columns)
    if staged.part is not None:
        flags["part"] = list(staged.part)
    if staged.role == "subset":
        flags["subset"] = settings.subset or path.stem
    if staged.judge is not None:
        flags |= {
            "judge": settings.judge,
            "judge_template": settings.judge_template,
            "task": settings.task,
        }
    if staged.role == "judgments":
        same_content.use_keys_of_runs(con, path, settings, staged)
        # A run that takes another's place makes the file news again.
        runs_graded = graded_runs.bind(con, path, settings, staged)
        flags["runs"] = sorted(runs_graded)
        report.record_runs(runs.named(con, run_ids=sorted(runs_graded)))
        if not runs_graded:
            # Files that say nothing of any run may be equal, and are still of different models.
            flags |= {"model": staged.model, "run": staged.run}
        report.inferred.extend(f"grades run {n}: {words}" for n, words in runs_graded.items())
    source = sources.Source(
        path=str(path),
        sha256=sha256,
        bytes=path.stat().st_size,
        format=adapter.name,
        adapter_version=adapter.version,
        flags=flags,
        n_rows=report.n_rows,
    )
    if sources.is_there(con, source):
        raise _AlreadyThere
    source_id = sources.add(con, source)
    report.harness = staged.harness if staged.harness != "unknown" else None
    if adapter.load is not None:
        report.loaded.extend(adapter.load(con, probe, settings, source_id))
        return
    assert benchmark is not None
    if staged.carries_questions:
        loaded, notes = question_facts.load(con, path, settings, staged, benchmark, source_id)
        report.loaded.extend(loaded)
        report.notes.extend(notes)
    if staged.by_row is not None:
        report.loaded.extend(
            bulk_predictions.load(con, settings, staged, label, source_id, report.n_rows)
        )
    elif staged.role == "predictions":
        nothing_new = not report.loaded and staged.judge is None
        loaded, notes = run_facts.load(
            con, path, settings, staged, label, source_id, may_be_there=nothing_new
        )
        report.loaded.extend(loaded)
        report.notes.extend(notes)
        if staged.judge is not None:
            graded_runs.bind(con, path, settings, staged)
    if staged.role == "predictions":
        report.record_runs(runs.named(con, source_id=source_id))
    if staged.role == "subset":
        loaded, notes = subset_facts.load(con, path, settings, staged, source_id)
        report.loaded.extend(loaded)
        report.notes.extend(notes)
    if staged.judge is not None:
        loaded, notes = judgment_facts.load(con, path, settings, staged, benchmark, source_id)
        report.loaded.extend(loaded)
        report.notes.extend(notes)
    report.notes.extend(staged.notes)


def _refuse_foreign_flags(settings: Settings, staged: Staged, format_name: str) -> None:
    if settings.method not in (None, staged.method):
        raise UsageError(f"--method {settings.method} is for choice scores, not for {format_name}")
    if staged.judge is None:
        _refuse_judge_flags(settings, format_name)
    if settings.subset is not None and staged.role != "subset":
        raise UsageError(f"--subset is for files of ids, not for {format_name}")


def _refuse_judge_flags(settings: Settings, format_name: str) -> None:
    given = {
        "--judge": settings.judge,
        "--judge-template": settings.judge_template,
        "--task": settings.task,
    }
    for flag, value in given.items():
        if value is not None:
            raise UsageError(f"{flag} is for files of judgments, not for {format_name}")


def _inferred(settings: Settings, staged: Staged) -> list[str]:
    given = {
        "model": settings.model,
        "run": settings.run,
        "version": settings.version,
        "split": settings.split,
        "language": settings.language,
    }
    values = {
        "model": staged.model,
        "run": staged.run,
        "version": staged.version,
        "split": staged.split,
        "language": staged.language,
    }
    return [
        f"{name} {values[name]} ({staged.inferred[name]})"
        for name, said in given.items()
        if said is None and values[name] is not None and name in staged.inferred
    ]

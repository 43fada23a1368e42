"""One file from path to facts: probe, stage, check, and one transaction.

Kept with a file are its source, settings and runs. What a spreadsheet did to its cells is kept too: an
answer's state is its attribute `cell`, and what pandas reads in its place `cell_value`; a question's cells
(its text, choices, references) are in one attribute, `spreadsheet cells`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb

from ingest import loading, redaction
from ingest.facts import bulk_predictions, duplicates, resolve, run_facts, run_inputs, same_content
from ingest.facts.judgment_facts import Judgments
from ingest.loading import (
    ALL,
    Answered,
    Columns,
    Dataset,
    Loading,
    Memory,
    OfBenchmark,
    Seen,
    Understood,
)
from ingest.reading import raw
from ingest.reading.probe import Probe
from ingest.recognition import Recognised, attributing_errors, look
from ingest.settings import Report, Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, runs, sources, statements
from warehouse.benchmark import Benchmark
from warehouse.connection import transaction
from warehouse.errors import InputError, UsageError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class StagedFile:
    """A file whose rows are in the staging tables of a connection.

    Attributes:
        notes: on the rows that were left out of them.
        signed: what `loading.sign` says of them.
        first_rows: what `resolve.splits` says of them.
        answered: what `run_facts.answered` says of them.
        also: those tables that not every file has rows for, where this one has some.
        bound: what they are about, where that was found ahead.
    """

    found: Recognised
    staged: Staged
    sha256: str
    n_rows: int
    notes: tuple[str, ...] = ()
    signed: dict[str | None, set[int]] | None = None
    first_rows: Mapping[str | None, int] = field(default_factory=dict)
    answered: tuple[Answered, ...] = ()
    also: frozenset[str] = frozenset()
    bound: _Bound | None = None


@dataclass(frozen=True)
class _Bound:
    """What the rows of a staged file are about.

    Attributes:
        report: with what was found and inferred.
        staged: with what --map says.
        datasets: that of each split.
        seen: its questions next to those of the files before, where they stand next to answers.
        are_seen: whether all of them were loaded before.
        keys: the flag that says which questions have other keys in the dataset.
        graded: the flags that say which runs were graded.
        understood: what its judgments are, where that was looked at ahead.
    """

    report: Report
    staged: Staged
    benchmark: OfBenchmark | None
    datasets: tuple[Dataset, ...]
    seen: Seen | None
    are_seen: bool
    keys: Mapping[str, object]
    graded: Mapping[str, object]
    understood: Understood | None = None


def find_ahead(con: duckdb.DuckDBPyConnection, file: StagedFile, settings: Settings) -> StagedFile:
    """Find the runs that a file of judgments graded before it is stored, where that works.

    It holds as long as `memory.n_changes` stays what it is. Nothing of the warehouse changes.
    """
    if not _holds_only_judgments(file.staged):
        return file
    con.execute("BEGIN TRANSACTION READ ONLY")
    try:
        bound = _bind(con, file, settings, Memory())
        judgments, benchmark = bound.staged.main, bound.benchmark
        assert isinstance(judgments, Judgments)
        assert benchmark is not None
        understood = judgments.understand(con, file.found.probe.path, settings, benchmark.task)
        con.execute("COMMIT")
    except Exception:
        # Storing it says what is wrong, with what is there by then.
        con.execute("ROLLBACK")
        return file
    return replace(file, bound=replace(bound, understood=understood))


def _holds_only_judgments(staged: Staged) -> bool:
    """Whether storing it changes nothing that other files of judgments are bound to."""
    return all(isinstance(part, Judgments) for part in staged.parts)


def _bind(
    con: duckdb.DuckDBPyConnection, file: StagedFile, settings: Settings, memory: Memory
) -> _Bound:
    """Find or make what the rows of a file are about."""
    staged, path = file.staged, file.found.probe.path
    report = Report(path=file.found.source, format=file.found.adapter.name, n_rows=file.n_rows)
    report.notes += file.notes
    # In folders what was taken for what is said too.
    report.inferred += file.found.notes
    report.alerts += file.found.notes
    seen = None
    if staged.questions is not None and staged.answers is not None:
        seen = Seen(memory, file.signed)
    staged, benchmark, datasets = _find_datasets(con, file, settings, report, memory, seen)
    are_seen = seen is not None and all(
        seen.all_of(one.dataset_id, one.split_in_file) for one in datasets
    )
    keys = {}
    has_own_keys = staged.questions is not None and staged.questions.has_own_keys
    if not are_seen and not has_own_keys:
        keys = _use_known_keys(con, path, settings, staged, datasets, report, memory)
    graded = _find_graded_runs(con, path, settings, staged, report)
    return _Bound(report, staged, benchmark, datasets, seen, are_seen, keys, graded)


def _find_datasets(
    con: duckdb.DuckDBPyConnection,
    file: StagedFile,
    settings: Settings,
    report: Report,
    memory: Memory,
    seen: Seen | None,
) -> tuple[Staged, OfBenchmark | None, tuple[Dataset, ...]]:
    """Find or make the benchmark and the datasets, and report what was inferred."""
    staged, path, is_named = file.staged, file.found.probe.path, file.found.named
    if staged.facts is not None:
        return staged, None, ()
    staged = resolve.mapped(con, settings, staged)
    name, inferred_from = resolve.benchmark_name(con, path, settings, staged, is_named=is_named)
    benchmark = resolve.benchmark(con, path, staged, name, memory)
    first_rows = file.first_rows
    found = resolve.datasets(con, path, settings, staged, benchmark, first_rows, memory, seen)
    report.datasets = [dataset.name for dataset in found]
    if inferred_from:
        report.inferred.append(f"benchmark {benchmark.name} ({inferred_from})")
        report.is_guessed = inferred_from == resolve.ONLY_ONE
    if staged.new_benchmark is not None:
        report.inferred.append(described(staged.new_benchmark))
        report.alerts.append(report.inferred[-1])
    report.inferred += inferred(settings, staged)
    report.inferred += [f"dataset {one.name}" + " (new)" * one.is_new for one in found]
    for text in (one.note for one in found if one.note is not None):
        report.notes.append(text)
        report.alerts.append(text)
    return staged, benchmark, found


def _use_known_keys(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    datasets: tuple[Dataset, ...],
    report: Report,
    memory: Memory,
) -> dict[str, object]:
    """Give rows the dataset's keys where the file numbers questions in another way."""
    if (
        isinstance(staged.main, Judgments)
        and not staged.main.is_empty
        and memory.once(ALL, "renamed", lambda: same_content.any_renamed(con))
    ):
        same_content.use_keys_of_runs(con, path, settings, staged.main)
    known = [(one.split_in_file, one.dataset_id) for one in datasets if not one.is_new]
    if staged.answers is None or staged.questions is None or not known:
        return {}
    renamed = same_content.use_known_keys(con, path, staged.questions, known)
    if not renamed:
        return {}
    report.notes.append(same_content.note(renamed))
    # Judgments of these answers come under the file's keys too.
    return {"keys": renamed}


def _find_graded_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, staged: Staged, report: Report
) -> dict[str, object]:
    """Find the runs that a file of judgments graded."""
    judgments = staged.main
    if not isinstance(judgments, Judgments):
        return {}
    graded = judgments.bind(con, path, settings)
    report.record_runs((one.model, one.label) for one in graded)
    report.inferred += [
        f"grades run {one.run_id}: {one.model} on {one.dataset}, {one.label}" for one in graded
    ]
    # A run that takes another's place makes the file news again.
    flags: dict[str, object] = {"runs": [one.run_id for one in graded]}
    if not graded:
        # Files that say nothing of any run may be equal, and are still of different models.
        flags |= {"model": judgments.model, "run": judgments.run}
    return flags


class AlreadyThereError(Exception):
    """The same content was read with the same settings."""


def refuse_foreign_flags(settings: Settings, staged: Staged, format_name: str) -> None:
    method = staged.answers.method if staged.answers else "generation"
    if settings.method not in (None, method):
        raise UsageError(f"--method {settings.method} is for choice scores, not for {format_name}")
    given = {
        "--judge": settings.judge,
        "--judge-template": settings.judge_template,
        "--task": settings.task,
    }
    for flag, value in given.items():
        if value is not None and staged.judgments is None:
            raise UsageError(f"{flag} is for files of judgments, not for {format_name}")
    if settings.drop_missing and not (staged.role == "questions" and _is_whole(staged)):
        raise UsageError(
            "--drop-missing is for a file of all of a dataset's questions, not for "
            f"{format_name}" + (" in parts" if staged.role == "questions" else "")
        )
    if settings.subset is not None and staged.subset is None:
        raise UsageError(f"--subset is for files of ids, not for {format_name}")


def _is_whole(staged: Staged) -> bool:
    return staged.questions is not None and staged.questions.is_whole


def _label_of(path: Path, settings: Settings, staged: Staged) -> str:
    named = staged.of_run.run if staged.of_run else None
    return settings.run or named or path.stem


def flags_of(
    probe: Probe,
    settings: Settings,
    staged: Staged,
    report: Report,
    benchmark: OfBenchmark | None,
) -> dict[str, object]:
    """The settings, given or inferred, that the source keeps."""
    flags: dict[str, object] = {"on_duplicate": settings.on_duplicate, "given": settings.given}
    if benchmark is not None:
        flags |= {"benchmark": benchmark.name, "datasets": report.datasets}
    elif settings.benchmark is not None:
        flags["benchmark"] = settings.benchmark
    if staged.answers is not None:
        answers = staged.answers
        flags |= {
            "columns": list(probe.columns),
            "model": answers.model or settings.model,
            "run": _label_of(probe.path, settings, staged),
            "method": answers.method,
            "reduction": answers.reduction,
            "scored": answers.scored,
        }
        if answers.further.shared:
            flags["shared_columns"] = list(answers.further.shared)
    if staged.said:
        flags[sources.SAID] = redaction.without_secrets(staged.said)
    if staged.facts is not None:
        flags |= staged.facts.flags
    if staged.questions is not None and staged.questions.part is not None:
        flags["part"] = list(staged.questions.part)
    if staged.subset is not None:
        flags["subset"] = settings.subset or probe.path.stem
    if staged.judgments is not None:
        names = ("judge", "judge_template", "task")
        flags |= {name: getattr(settings, name) for name in names}
    return flags


def add_source(
    con: duckdb.DuckDBPyConnection,
    recognised: Recognised,
    sha256: str,
    n_rows: int,
    flags: dict[str, object],
    memory: Memory,
    *,
    may_repeat: bool = False,
) -> int:
    """Store the source of a file.

    Args:
        memory: what was read is looked up once.
        may_repeat: the same content can be news, as it takes the place of what was read later.

    Raises:
        AlreadyThereError: the same content was read with the same settings.
    """
    path = recognised.probe.path
    source = sources.Source(
        path=recognised.source,
        sha256=sha256,
        bytes=path.stat().st_size,
        format=recognised.adapter.name,
        adapter_version=recognised.adapter.version,
        flags=flags,
        n_rows=n_rows,
    )
    if memory.contents is None:
        memory.contents = sources.contents(con)
    if may_repeat or source.content not in memory.contents:
        source_id: int | None = sources.add(con, source)
    else:
        source_id = sources.add_new(con, source)
    # Also where the file is not stored in the end: that it was is looked up then.
    memory.contents.add(source.content)
    if source_id is None:
        raise AlreadyThereError
    return source_id


def report_runs(
    con: duckdb.DuckDBPyConnection, staged: Staged, report: Report, source_id: int
) -> None:
    report.harness = staged.harness if staged.harness != "unknown" else None
    if staged.answers is not None:
        report.record_runs(runs.named(con, source_id=source_id))
        if staged.questions is None:
            report.alerts += run_facts.bare_warnings(con, staged.answers, report)
    report.notes += staged.notes
    report.alerts += staged.alerts


def described(one: Benchmark) -> str:
    """What a benchmark that nobody has heard of is taken for."""
    levels = ", ".join(level.name for level in one.levels)
    rules = ", ".join(rule.rule for rule in one.scoring.rules)
    return (
        f"benchmark {one.name} is new: {one.task}, {one.strategy}"
        + (f"; rule {rules}" if rules else "")
        + (f"; its abilities from {levels}" if levels else "")
    )


def inferred(settings: Settings, staged: Staged) -> list[str]:
    """What the file says of itself and the user did not, and where it says so."""
    parts = (staged.of_run, staged.of_run, staged.dataset, staged.dataset, staged.dataset)
    names = ("model", "run", "version", "split", "language")
    values = {name: getattr(part, name, None) for name, part in zip(names, parts, strict=True)}
    return [
        f"{name} {value} ({staged.inferred[name]})"
        for name, value in values.items()
        if value is not None and getattr(settings, name) is None and name in staged.inferred
    ]


def _stage_cell_states(con: duckdb.DuckDBPyConnection, probe: Probe, staged: Staged) -> Staged:
    """Stage what `raw_cell` says of staged rows; return what was staged, with notes on it."""
    if probe.kind != "xlsx" or (staged.answers is None and staged.questions is None):
        return staged
    if con.execute(_SQL["are_some"]).fetchall() == [(False,)]:
        return staged
    answers = staged.answers
    if answers is not None and answers.stage_rows is not None:
        answers.stage_rows()
        answers = replace(answers, stage_rows=None)
    name = None
    if answers is not None and probe.has(answers.prediction):
        name = (probe.called or probe.columns)[probe.columns.index(answers.prediction)]
    con.execute(_SQL["find_answers"], {"name": name})
    con.execute(_SQL["stage_states"])
    con.execute(_SQL["stage_values"])
    if staged.questions is not None:
        con.execute(_SQL["stage_cells"])
    notes = tuple(
        f"{counted(n, 'answer' if is_answer else 'cell')} {state} (such as in row {row}, {column})"
        for is_answer, state, n, row, column in con.execute(_SQL["count"]).fetchall()
    )
    return replace(
        staged, answers=answers, notes=staged.notes + notes, alerts=staged.alerts + notes
    )


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
    refuse_foreign_flags(settings, staged, found.adapter.name)
    staged = _stage_cell_states(con, found.probe, _settled(con, staged))
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
        signed = loading.sign(con, staged.questions.task)
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
            bound = file.bound or _bind(con, file, settings, memory)
            report, staged, benchmark = bound.report, bound.staged, bound.benchmark
            brings_questions = staged.questions is not None and not bound.are_seen
            if benchmark is not None and (brings_questions or bound.keys):
                # Whatever is looked up from here on is looked up anew.
                memory.changed(benchmark.benchmark_id)
            flags = flags_of(found.probe, settings, staged, report, benchmark)
            flags |= {**bound.keys, **bound.graded}
            is_changing = settings.replace and staged.role == "questions"
            source_id = report.source_id = add_source(
                con, found, file.sha256, n_rows, flags, memory, may_repeat=is_changing
            )
            loading = Loading(
                path,
                settings,
                staged.role,
                benchmark,
                _label_of(path, settings, staged),
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
                raise AlreadyThereError
            run_inputs.add(con, path, settings, report, source_id)
            report_runs(con, staged, report, source_id)
        changes_all = benchmark is None
        memory.n_changes += not _holds_only_judgments(staged)
    except (AlreadyThereError, run_facts.SameRunsError):
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

"""What the rows of a staged file are about: its benchmark, datasets and keys, and the runs that it graded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb

from ingest import filing
from ingest.facts import resolve, same_content
from ingest.facts.judgment_facts import Judgments
from ingest.facts.seen_questions import ALL, Memory, Seen
from ingest.loading import Answered, Dataset, OfBenchmark, Understood
from ingest.recognition import Recognised
from ingest.settings import Report, Settings
from ingest.staged import Staged


@dataclass(frozen=True)
class StagedFile:
    """A file whose rows are in the staging tables of a connection.

    Attributes:
        notes: on the rows that were left out of them.
        signed: what `seen_questions.sign` says of them.
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
    bound: Bound | None = None


@dataclass(frozen=True)
class Bound:
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
    if not holds_only_judgments(file.staged):
        return file
    con.execute("BEGIN TRANSACTION READ ONLY")
    try:
        bound = find(con, file, settings, Memory())
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


def holds_only_judgments(staged: Staged) -> bool:
    """Whether storing it changes nothing that other files of judgments are bound to."""
    return all(isinstance(part, Judgments) for part in staged.parts)


def find(
    con: duckdb.DuckDBPyConnection, file: StagedFile, settings: Settings, memory: Memory
) -> Bound:
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
    return Bound(report, staged, benchmark, datasets, seen, are_seen, keys, graded)


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
        report.inferred.append(filing.described(staged.new_benchmark))
        report.alerts.append(report.inferred[-1])
    report.inferred += filing.inferred(settings, staged)
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

"""What the warehouse keeps and says of a file in addition to its rows: its source, settings and runs."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest import redaction
from ingest.facts import bare_answers
from ingest.facts.seen_questions import Memory
from ingest.loading import OfBenchmark
from ingest.reading.probe import Probe
from ingest.recognition import Recognised
from ingest.settings import Report, Settings
from ingest.staged import Staged
from warehouse import runs, sources
from warehouse.benchmark import Benchmark
from warehouse.errors import UsageError


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


def label_of(path: Path, settings: Settings, staged: Staged) -> str:
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
            "run": label_of(probe.path, settings, staged),
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
            report.alerts += bare_answers.warnings(con, staged.answers, report)
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

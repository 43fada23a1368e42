"""Many small files of one format in one transaction, their rows stored at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb

from ingest import filing
from ingest.adapter import Together
from ingest.facts.seen_questions import Memory
from ingest.recognition import DefectError, Recognised, attributing_errors
from ingest.settings import Report, Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, sources
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError, FullDiskError


def read(
    con: duckdb.DuckDBPyConnection,
    found: Sequence[Recognised],
    settings: Settings,
    memory: Memory,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> list[Report] | None:
    """Read files whose format has `together`, all of them or none.

    Args:
        con: a warehouse open for writing, prepared.
        found: the files, all of this format.
        settings: what the user said about them.
        memory: what earlier files left to know.
        step: callback, called with what is being done.

    Returns:
        a report of each; None: something is wrong with one, and nothing is stored. Read one by one,
        they say what.

    Raises:
        DefectError: an error that nothing foresaw. Read one by one, the files might hide it.
        FullDiskError: there is no room for them.
    """
    make = found[0].adapter.together
    if make is None:
        return None
    files = make()
    try:
        with transaction(con):
            reports = []
            for one in found:
                with attributing_errors(one.probe.path):
                    reports.append(_read(con, files, one, settings, memory, step))
            of_harness = files.finish(con)
            for report in reports:
                report.has_harness_facts = report.source_id in of_harness
    except (DefectError, FullDiskError):
        raise
    except EvalhouseError:
        known_benchmarks.reread(con)
        return None
    return reports


def _read(
    con: duckdb.DuckDBPyConnection,
    files: Together,
    one: Recognised,
    settings: Settings,
    memory: Memory,
    step: Callable[[str], None],
) -> Report:
    """Read a file, with its rows kept back."""
    step(f"{one.probe.path.name}: reading")
    staged = files.stage(con, one.probe, settings)
    filing.refuse_foreign_flags(settings, staged, one.adapter.name)
    n_rows = staged.n_rows or 0
    path = str(one.probe.path)
    report = Report(path=path, format=one.adapter.name, n_rows=n_rows)
    flags = filing.flags_of(one.probe, settings, staged, report, None)
    try:
        sha256 = sources.digest(one.probe.path)
        source_id = filing.add_source(con, one, sha256, n_rows, flags, memory)
    except filing.AlreadyThereError:
        return Report(path=path, format=one.adapter.name, already=True, n_rows=n_rows)
    report.source_id = source_id
    _load(staged, report, source_id)
    filing.report_runs(con, staged, report, source_id)
    return report


def _load(staged: Staged, report: Report, source_id: int) -> None:
    """Keep the rows of a file back: facts alone, which need no staging tables."""
    if staged.facts is None or staged.is_staged:
        raise ValueError("a format whose files are read together has facts of its own alone")
    report.loaded.extend(staged.facts.store(source_id))

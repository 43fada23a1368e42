"""What `ingest` prints of folders and patterns: what was recognised, what was left, what failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ingest.many import Outcome
from ingest.settings import Report, TaskMap, shortened
from queries import render
from warehouse.later import pl
from warehouse.wording import counted

_SAME = ("a link to ", "the same file as ")
"""How reasons begin that differ by file, and are one kind of thing."""


@dataclass
class _Kind:
    """Files of one format and the same datasets."""

    models: dict[str, None] = field(default_factory=dict)
    n_runs: int = 0
    n_files: int = 0
    n_rows: int = 0


@dataclass
class _Left:
    """Files that are left for the same reason, with the first one."""

    first: Path
    n_files: int = 0


@dataclass
class _Alert:
    """Files of which the same has to be said, with the first one."""

    first: str
    n_files: int = 0


@dataclass
class Summary:
    """What came of the files of folders and patterns."""

    n_found: int = 0
    n_loaded: int = 0
    n_rows: int = 0
    n_already: int = 0
    n_unopened: int = 0
    errors: list[str] = field(default_factory=list)
    kinds: dict[tuple[str, str, str], _Kind] = field(default_factory=dict)
    left: dict[str, _Left] = field(default_factory=dict)
    alerts: dict[str, _Alert] = field(default_factory=dict)
    of_harness: list[int] = field(default_factory=list)
    """The sources of the files that say what their harness made of answers."""

    def add(self, outcome: Outcome, *, verbose: bool) -> str | None:
        """Count a file; return what there is to print of it now, None: nothing."""
        report, path = outcome.report, outcome.file.path
        self.n_unopened += report is not None and report.unopened
        if report is not None and report.has_harness_facts and report.source_id is not None:
            self.of_harness.append(report.source_id)
        if outcome.file.named:
            if report is not None:
                return "\n".join(report.lines())
            return f"{path}: left: {outcome.left}"
        self.n_found += 1
        if outcome.left is not None:
            reason = next(
                (f"{word}another of the files" for word in _SAME if outcome.left.startswith(word)),
                outcome.left,
            )
            self.left.setdefault(reason, _Left(path)).n_files += 1
            return f"{path}: left: {outcome.left}" if verbose else None
        if report is None:
            self.errors.append(str(outcome.error))
            return f"{path}: failed" if verbose else None
        if report.already:
            self.n_already += 1
            if report.changed:
                return "\n".join(report.changed)
        else:
            self._count(report)
        return report.line() if verbose else None

    def unused(self, tasks: TaskMap) -> list[str]:
        """The entries of --map that no file used.

        None where files were there already with this same map: they may be what it is for, and when
        they were read this was said.
        """
        return [] if self.n_unopened else tasks.unused()

    def _count(self, report: Report) -> None:
        self.n_loaded += 1
        self.n_rows += report.n_rows
        kind = self.kinds.setdefault(_key(report), _Kind())
        kind.models.update(dict.fromkeys(report.models))
        kind.n_runs += report.n_runs - report.n_continued
        kind.n_files += 1
        kind.n_rows += report.n_rows
        for text in report.alerts:
            self.alerts.setdefault(text, _Alert(report.path)).n_files += 1

    def lines(self, *, verbose: bool) -> Iterator[str]:
        """What was recognised and left; with `verbose` each file had its line."""
        if self.kinds:
            yield render.render_frame(self._table(), "table")
        if not verbose:
            for reason, left in self.left.items():
                more = f"{left.n_files:,} files, such as " if left.n_files > 1 else ""
                yield f"left: {more}{left.first}: {reason}"
        for text, alert in self.alerts.items():
            more = f"{alert.n_files:,} files, such as " if alert.n_files > 1 else ""
            yield f"note: {more}{alert.first}: {text}"

    def total(self) -> str | None:
        """How many files there were, the last line of all; None: none in a folder or pattern."""
        if not self.n_found:
            return None
        n_left = sum(left.n_files for left in self.left.values())
        return (
            f"{counted(self.n_found, 'file')}: {self.n_loaded:,} loaded ({counted(self.n_rows, 'row')}), "
            f"{self.n_already:,} there already, {n_left:,} left, {len(self.errors):,} failed"
        )

    def _table(self) -> pl.DataFrame:
        return pl.DataFrame(
            [
                {
                    "harness": harness,
                    "format": name,
                    "dataset": datasets,
                    "model": shortened(list(kind.models), "models"),
                    "runs": kind.n_runs,
                    "files": kind.n_files,
                    "rows": kind.n_rows,
                }
                for (harness, name, datasets), kind in self.kinds.items()
            ]
        )


def _key(report: Report) -> tuple[str, str, str]:
    return report.harness or "", report.format, shortened(report.datasets, "datasets")

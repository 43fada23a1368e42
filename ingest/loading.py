"""What a file's parts are loaded with: where they belong, and the report that they add to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ingest.settings import Report, Settings


@dataclass(frozen=True)
class Loading:
    """A file on its way from staged rows to facts.

    Attributes:
        role: questions, predictions, judgments, subset or facts.
        benchmark: its id and name; None: the file is about none.
        label: the label of the file's runs.
        source_id: the file's, in `main.source`.
        report: gets what was loaded, and notes.
        has_questions: whether the file holds questions, also in addition to its role.
        has_judgments: whether it holds judgments.
        questions_are_seen: whether its questions were loaded before, word for word.
        also: the staging tables with rows of it, of those that few files have rows for.
    """

    path: Path
    settings: Settings
    role: str
    benchmark: tuple[int, str] | None
    label: str
    source_id: int
    report: Report
    has_questions: bool = False
    has_judgments: bool = False
    questions_are_seen: bool = False
    also: frozenset[str] = frozenset()

    @property
    def named_benchmark(self) -> tuple[int, str]:
        """The benchmark, of parts that always have one."""
        assert self.benchmark is not None
        return self.benchmark

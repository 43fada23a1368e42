"""What a file's parts are loaded with: where they belong, and the report that they add to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ingest.facts.seen_questions import Memory
from ingest.settings import Report, Settings


class OfBenchmark(NamedTuple):
    """The benchmark that a file is about, as the warehouse has it."""

    benchmark_id: int
    name: str
    task: str


@dataclass(frozen=True)
class Dataset:
    """The dataset of a file's split.

    Attributes:
        complete: a question file has defined all of it.
        note: what there is to say about the choice.
    """

    dataset_id: int
    name: str
    split_in_file: str | None
    complete: bool
    is_new: bool
    note: str | None = None


@dataclass(frozen=True)
class Answered:
    """How many answers a file has of a model in a split, and their sample numbers, sorted."""

    model: str
    split: str | None
    n: int
    samples: tuple[int, ...]


@dataclass(frozen=True)
class Understood:
    """What the judgments of a file are, once they are checked: the judges' task and names.

    `alerts` are those of the notes that are said of files in folders too.
    """

    task: str
    judges: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The further columns of a file of answers; see `facts.answer_columns`.

    Attributes:
        own: each answer's, by name or place.
        shared: the question's as long as no file contradicts another.
    """

    own: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        """All of them."""
        return self.own + self.shared


@dataclass(frozen=True)
class Loading:
    """A file on its way from staged rows to facts.

    Attributes:
        role: questions, predictions, judgments, subset or facts.
        benchmark: None: the file is about none.
        datasets: that of each split of the file.
        answered: what `run_facts.answered` says of the staged answers.
        understood: what its judgments are, where that was looked at ahead.
        memory: what earlier files left to know.
        label: the label of the file's runs.
        source_id: the file's, in `main.source`.
        report: gets what was loaded, and notes.
        has_questions: whether the file holds questions, also in addition to its role.
        has_judgments: whether it holds judgments.
        questions_are_seen: whether its questions were loaded before, word for word.
        columns: the further columns of its answers.
        also: the staging tables with rows of it, of those that not every file has rows for.
    """

    path: Path
    settings: Settings
    role: str
    benchmark: OfBenchmark | None
    label: str
    source_id: int
    report: Report
    memory: Memory
    datasets: tuple[Dataset, ...] = ()
    answered: tuple[Answered, ...] = ()
    understood: Understood | None = None
    has_questions: bool = False
    has_judgments: bool = False
    questions_are_seen: bool = False
    columns: Columns = Columns()
    also: frozenset[str] = frozenset()

    @property
    def may_have_choices(self) -> bool:
        """Whether its questions may have choices, be they in the file or the dataset."""
        is_open = self.named_benchmark.task == "open"
        return not (is_open and self.has_questions) or "stage_choice" in self.also

    @property
    def named_benchmark(self) -> OfBenchmark:
        """The benchmark, of parts that always have one."""
        assert self.benchmark is not None
        return self.benchmark

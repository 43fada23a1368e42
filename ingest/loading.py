"""What a file's parts are loaded with, and what earlier files of a command left to know.

A work dir holds a dataset's questions once per model. Where every row of a file says what a row of
an earlier file of the same dataset said, which was loaded without a note, there is nothing to add,
nothing to refuse and nothing to note. Nor does a benchmark change until a file brings questions that
were not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import duckdb

from ingest.settings import Report, Settings
from warehouse import statements

_SQL = statements.of_module(__file__)

_T = TypeVar("_T")
_MOST_ROWS = 200_000
"""Of a file; the questions of a longer one are compared each time."""
ALL = 0
"""What is about every benchmark together: it may change with any file of questions."""
NAMES = -1
"""Which benchmark a name means, and its task: neither changes once a file of it is stored."""


@dataclass
class Memory:
    """What earlier files of a command left to know.

    Attributes:
        of_datasets: what their rows said: by dataset, a number for each row.
        found: what was looked up and may be used again, by what it is about (`ALL`, `NAMES`, or a
            benchmark's id) and a key.
        contents: the content, format and its version of all that was read; None: not looked up yet.
        n_changes: how often something was stored that is no judgment: questions, runs, their answers.
    """

    of_datasets: dict[int, set[int]] = field(default_factory=dict)
    found: dict[int, dict[Hashable, Any]] = field(default_factory=dict)
    contents: set[tuple[str, str, int]] | None = None
    n_changes: int = 0

    def once(self, about: int, key: Hashable, find: Callable[[], _T]) -> _T:
        """What was found, looked up where nothing was, or where it may have changed."""
        known = self.found.setdefault(about, {})
        if key not in known:
            known[key] = find()
        found: _T = known[key]
        return found

    def changed(self, benchmark_id: int | None = None) -> None:
        """Look up again what is about a benchmark, and about all; None: everything."""
        self.n_changes += 1
        for about in [*self.found] if benchmark_id is None else (ALL, benchmark_id):
            self.found.pop(about, None)

    def forget(self, datasets: Iterable[tuple[str | None, int]]) -> None:
        """Compare rows of these datasets again: they are no longer what they were."""
        for _, dataset_id in datasets:
            self.of_datasets.pop(dataset_id, None)


@dataclass(frozen=True)
class Seen:
    """A file's questions, and those of the files before it.

    Attributes:
        of_splits: a number for each row, by the file's split; None: too many rows to remember.
    """

    memory: Memory
    of_splits: dict[str | None, set[int]] | None

    def all_of(self, dataset_id: int, split: str | None) -> bool:
        """Whether every row of a split was seen in a file of that dataset."""
        if self.of_splits is None:
            return False
        return self._of(split) <= self.memory.of_datasets.get(dataset_id, set())

    def remember(self, datasets: Iterable[tuple[str | None, int]]) -> None:
        """Keep what the rows of these splits said, now that their datasets hold it."""
        for split, dataset_id in datasets:
            self.memory.of_datasets.setdefault(dataset_id, set()).update(self._of(split))

    def _of(self, split: str | None) -> set[int]:
        return (self.of_splits or {}).get(split, set())


def sign(con: duckdb.DuckDBPyConnection, task: str) -> dict[str | None, set[int]] | None:
    """A number for each staged row of questions, of all that it says, by split; None: too many."""
    rows = con.execute(_SQL["sign"], {"task": task}).fetchmany(_MOST_ROWS + 1)
    if len(rows) > _MOST_ROWS:
        return None
    of_splits: dict[str | None, set[int]] = {}
    for split, number in rows:
        of_splits.setdefault(split, set()).add(number)
    return of_splits


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

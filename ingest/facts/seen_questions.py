"""Questions that stand next to answers in file after file: what was loaded once is not compared again.

A work dir holds a dataset's questions once per model. Where every row of a file says what a row of
an earlier file of the same dataset said, which was loaded without a note, there is nothing to add,
nothing to refuse and nothing to note. Nor does a benchmark change until a file brings questions that
were not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import duckdb

from warehouse import statements

_T = TypeVar("_T")
_SQL = statements.of_module(__file__)
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

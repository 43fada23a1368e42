"""From computed choice scores to a file, and from the file to a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from evalhouse.api import Warehouse
from evalhouse.printing import console, out
from local_models import output
from local_models.questions import Dataset
from warehouse.errors import EvalhouseError
from warehouse.wording import counted


@dataclass(frozen=True)
class Declared:
    """How the scores of a run came about, as `ingest` takes it."""

    method: str
    reduction: str | None = None
    scored: str | None = None

    @property
    def label(self) -> str:
        """The run's label where the user gives none."""
        return "-".join(part for part in (self.method, self.scored, self.reduction) if part)


@dataclass(frozen=True)
class Target:
    """Where scores go: the file, and the run in the warehouse."""

    house: Warehouse
    dataset: Dataset
    declared: Declared
    run: str
    file: Path
    replace: bool

    def finish(
        self,
        rows: Sequence[Mapping[str, object]],
        settings: Mapping[str, object],
        *,
        ingest: bool,
        refresh: bool,
    ) -> None:
        """Write the file, and read it into the warehouse or print how.

        Raises:
            EvalhouseError: the file cannot be written, or not be read into the warehouse.
        """
        output.write(self.file, rows, settings)
        out(f"  {self.file}: {counted(len(rows), 'choice score')}")
        stated = {
            "benchmark": self.dataset.benchmark,
            "version": self.dataset.version,
            "language": self.dataset.language,
            "method": self.declared.method,
            "reduction": self.declared.reduction,
            "scored": self.declared.scored,
            "run": self.run,
        }
        given: dict[str, Any] = {name: value for name, value in stated.items() if value is not None}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        by_hand = f"  to read it: {shlex.join(['ingest', str(self.file), *words])}"
        if not ingest:
            out(by_hand)
            return
        try:
            (report,) = self.house.ingest(self.file, replace=self.replace, refresh=refresh, **given)
        except EvalhouseError:
            # What took hours is in the file, such as where another process holds the warehouse.
            out(by_hand)
            raise
        out("\n".join(report.lines()))


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar; yields its callback, called with how much is done, of how much."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)

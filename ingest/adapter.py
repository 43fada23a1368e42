"""What an adapter is: a format's name, how to recognise it, and how to stage its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import duckdb

from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


class ByProductError(InputError):
    """A file that is known, and holds no answers. `problem` says what it is."""


class Place(IntEnum):
    """When a file is read among others of a folder: after what it refers to, whatever its name."""

    CONVENTIONS = 0
    """Models and taxonomies."""
    QUESTIONS = 1
    ANSWERS = 2
    """That carry their questions, or may."""
    BARE_ANSWERS = 3
    REFERRING = 4
    """Judgments, published scores and subsets."""
    FIGURES = 5
    """Of harnesses: many small files, which are read together."""


class Together(Protocol):
    """Several files whose rows are stored at once, all of it in one atomic transaction."""

    def stage(self, con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
        """Read a file, without `raw`; its part keeps the rows back when it is loaded."""

    def finish(self, con: duckdb.DuckDBPyConnection) -> frozenset[int]:
        """Store the rows that were kept back; return the sources with what a harness computed."""


@dataclass(frozen=True)
class Adapter:
    """One format.

    Attributes:
        name: what `--format` takes and `source.format` holds.
        version: raised when the same file would be read otherwise than before.
        description: one line for the list of formats.
        needs: the columns without which it cannot be this format.
        accepts: whether a file with all of these columns is this format rather than another.
        stage: fills the staging tables from `raw`, and says what the file is about and holds.
        place: when a file of this format is read, or a function of its columns.
        reads_itself: `stage` reads the records, a part at a time; there is no `raw`, and what it
            returns says how many there are.
        together: makes what reads several files of this format one after the other and stores their
            rows at once; None: each is read alone.
        stages_ahead: `stage` reads nothing of the warehouse but benchmarks' names and datasets'
            versions, to find them in the file's path, so that a file can be staged while the one
            before it is stored.
    """

    name: str
    version: int
    description: str
    needs: tuple[str, ...]
    accepts: Callable[[Probe], bool]
    stage: Callable[[duckdb.DuckDBPyConnection, Probe, Settings], Staged]
    place: Place | Callable[[Probe], Place] = Place.ANSWERS
    reads_itself: bool = False
    together: Callable[[], Together] | None = None
    stages_ahead: bool = False

    def place_of(self, probe: Probe) -> Place:
        """When this file is read among others."""
        return self.place if isinstance(self.place, Place) else self.place(probe)

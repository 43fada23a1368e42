"""What the pages are given: the warehouse to ask, and what stores a label."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from warehouse.connection import with_logs
from warehouse.images import Images


@dataclass(frozen=True)
class Label:
    """What a person said of an answer.

    Attributes:
        annotator: the person's name, which is a judge's.
        task: choice_extraction or soft_score.
        subject_hash: what was judged, by content.
        reply: a label of the question, X for none of them, or a soft score from 0 to 1.
        labels: what there was to choose from, X included; None: a soft score.
    """

    annotator: str
    task: str
    subject_hash: str
    reply: str
    labels: tuple[str, ...] | None


@dataclass(frozen=True)
class House:
    """A warehouse as pages see it: opened for each of them and closed again.

    Attributes:
        path: its file.
        reading: opens it for reading.
        sql: answers a query over the confined connection.
        store: stores a label at once; None: nobody labels.
        images: the pictures that are kept.
    """

    path: Path
    reading: Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]
    sql: Callable[[str], pl.DataFrame]
    store: Callable[[Label], None] | None
    images: Images

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """The state of the file; equal at two moments if nobody wrote in between."""
        found = []
        for file in with_logs(self.path.absolute())[:2]:
            if file.exists():
                seen = file.stat()
                found.append((seen.st_mtime_ns, seen.st_size))
        return tuple(found)

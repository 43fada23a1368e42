"""Many files over one connection, in an order that their names do not decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import duckdb

from ingest.byproducts import ByProductError
from ingest.finding import File, expand, repeated
from ingest.pipeline import ingest_file, prepare, read
from ingest.recognition import Recognised, look
from ingest.settings import Report, Settings
from warehouse.errors import UsageError

__all__ = ["File", "Outcome", "expand", "ingest_files"]


@dataclass(frozen=True)
class Outcome:
    """What came of a file: a report, why it could not be read, or why it holds nothing to read."""

    file: File
    report: Report | None = None
    error: UsageError | None = None
    left: str | None = None


def ingest_files(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[File],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Iterator[Outcome]:
    """Read files; those that were not named may be unreadable.

    Named files are read in their order. Of those between, what others refer to comes first:
    questions, then answers, then judgments of them.

    Raises:
        InputError: a file that was named cannot be read; those before it are in.
    """
    # A small file is a small part of the log; writing it into the tables can wait for others.
    prepare(con)
    con.execute("SET wal_autocheckpoint = '64MB'")
    for named, group in groupby(files, key=lambda file: file.named):
        if named:
            for file in group:
                try:
                    report = ingest_file(con, file.path, settings, step=_of(step, file))
                except ByProductError as error:
                    yield Outcome(file, left=error.problem)
                else:
                    yield Outcome(file, report)
        else:
            yield from _ingest_found(con, list(group), settings, step)


def _ingest_found(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[File],
    settings: Settings,
    step: Callable[[str], None],
) -> Iterator[Outcome]:
    """Look at every file once, and read them in the order of what they are."""
    waiting: list[tuple[File, Recognised]] = []
    left = repeated(files)
    # Most files have the same columns; one tuple of them is enough.
    columns: dict[tuple[str, ...], tuple[str, ...]] = {}
    for file in files:
        if file.path in left:
            yield Outcome(file, left=left[file.path])
            continue
        _of(step, file)("looking")
        try:
            found = look(con, file.path, settings)
        except ByProductError as error:
            yield Outcome(file, left=error.problem)
        except UsageError as error:
            yield Outcome(file, error=error)
        else:
            if isinstance(found, Report):
                yield Outcome(file, found)
            else:
                waiting.append((file, found.sharing(columns)))
    waiting.sort(key=lambda one: one[1].place)
    for file, found in waiting:
        try:
            report = read(con, replace(found, named=False), settings, step=_of(step, file))
        except UsageError as error:
            yield Outcome(file, error=error)
        else:
            yield Outcome(file, report)


def _of(step: Callable[[str], None], file: File) -> Callable[[str], None]:
    return partial(_report_step, step, file.path)


def _report_step(step: Callable[[str], None], path: Path, text: str) -> None:
    step(f"{path.name}: {text}")

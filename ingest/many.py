"""Many files over one connection, in an order that their names do not decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import duckdb

from ingest import together
from ingest.adapter import ByProductError
from ingest.ahead import MOST_AHEAD, SMALL_FILE, Ahead
from ingest.facts.seen_questions import Memory
from ingest.finding import File, aside, expand, repeated
from ingest.pipeline import ingest_file, prepare
from ingest.reading.unknown import UnknownFormatError
from ingest.recognition import Recognised, look
from ingest.settings import Report, Settings
from warehouse import sources
from warehouse.errors import InputError, UsageError
from warehouse.parsing import parsing_once

_MOST_KEPT = 100_000_000
"""Bytes of spreadsheets and pickles that are kept from looking at them until they are read."""
_MOST_TOGETHER = 200
"""Files in one transaction."""

__all__ = ["File", "Outcome", "expand", "ingest_files"]


@dataclass(frozen=True)
class Outcome:
    """What came of a file: a report, why it could not be read, or why it holds nothing to read."""

    file: File
    report: Report | None = None
    error: UsageError | None = None
    left: str | None = None


class _Threads:
    """How many threads the engine uses.

    Statements about a small file have nothing to share out, and waking other threads for each costs
    more than the statement.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        ((most,),) = con.execute("SELECT current_setting('threads')").fetchall()
        self.most = self.now = int(most)

    def suit(self, path: Path) -> None:
        """Use as many as a file is worth."""
        try:
            size = path.stat().st_size
        except OSError:
            # Reading it says what is wrong.
            return
        self.use(1 if size < SMALL_FILE else self.most)

    def use(self, n: int) -> None:
        """Use this many."""
        if n != self.now:
            self.con.execute(f"SET threads = {n}")
            self.now = n


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

    Args:
        step: callback, called with what is being done.

    Raises:
        InputError: a file that was named cannot be read; those before it are in.
    """
    settings.refuse_several(len(files))
    # A small file is a small part of the log; writing it into the tables can wait for others.
    con = parsing_once(con)
    prepare(con)
    con.execute("SET wal_autocheckpoint = '64MB'")
    threads = _Threads(con)
    memory = Memory()
    ahead = Ahead(con, settings, memory, threads=threads.most)
    try:
        for named, group in groupby(files, key=lambda file: file.named):
            if named:
                for file in group:
                    threads.suit(file.path)
                    try:
                        report = ingest_file(con, file.path, settings, memory, step=_of(step, file))
                    except ByProductError as error:
                        yield Outcome(file, left=error.problem)
                    else:
                        yield Outcome(file, report)
            else:
                yield from _ingest_found(con, list(group), settings, step, threads, ahead)
    finally:
        ahead.close()
        threads.use(threads.most)


def _ingest_found(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[File],
    settings: Settings,
    step: Callable[[str], None],
    threads: _Threads,
    ahead: Ahead,
) -> Iterator[Outcome]:
    """Look at every file once, and read them in the order of what they are."""
    waiting: list[tuple[File, Recognised]] = []
    left = repeated(files) | aside(files)
    # Most files have the same columns; one tuple of them is enough.
    columns: dict[tuple[str, ...], tuple[str, ...]] = {}
    read_before = sources.paths(con)
    room = _MOST_KEPT
    for file in files:
        if file.path in left:
            yield Outcome(file, left=left[file.path])
            continue
        _of(step, file)("looking")
        try:
            found = look(con, file.path, settings, read_before=read_before)
        except (ByProductError, UnknownFormatError) as error:
            yield Outcome(file, left=error.problem)
        except UsageError as error:
            yield Outcome(file, error=error)
        else:
            if isinstance(found, Report):
                yield Outcome(file, found)
            elif found.may_be_of_anything(settings):
                words = "; ".join(found.notes)
                reason = f"may be a table of your own, which --benchmark NAME reads: {words}"
                yield Outcome(file, left=reason)
            else:
                found = replace(found, named=False)
                size = found.size_of_content
                keeps_content = size <= room
                room -= size if keeps_content else 0
                waiting.append((file, found.sharing(columns, keeps_content=keeps_content)))
    waiting.sort(key=lambda one: one[1].place)
    waiting.reverse()
    while waiting:
        # Taken out, so that what was kept of it is gone when it is read.
        group = _next_of(waiting)
        threads.suit(group[0][0].path)
        if len(group) > 1:
            memory = ahead.memory
            reports = together.read(con, [found for _, found in group], settings, memory, step=step)
            if reports is not None:
                memory.changed()
                yield from map(Outcome, (file for file, _ in group), reports)
                continue
        while group:
            file, found = group.pop(0)
            threads.suit(file.path)
            try:
                upcoming = [] if group else [one for _, one in waiting[: -1 - MOST_AHEAD : -1]]
                report = ahead.read(found, upcoming, step=_of(step, file))
            except ByProductError as error:
                yield Outcome(file, left=error.problem)
            except UsageError as error:
                if isinstance(error, InputError) and not found.probe.is_sure:
                    yield Outcome(file, left=_taken_for(found, error))
                else:
                    yield Outcome(file, error=error)
            else:
                yield Outcome(file, report)


def _taken_for(found: Recognised, error: InputError) -> str:
    place = f"row {error.row}: " if error.row else ""
    return f"looks like the format {found.adapter.name}, but {place}{error.problem}"


def _next_of(waiting: list[tuple[File, Recognised]]) -> list[tuple[File, Recognised]]:
    """Take out the next file, and those after it that are read together with it."""
    group = [waiting.pop()]
    adapter = group[0][1].adapter
    while (
        adapter.together is not None
        and waiting
        and waiting[-1][1].adapter == adapter
        and len(group) < _MOST_TOGETHER
        and max(found.probe.path.stat().st_size for _, found in (group[-1], waiting[-1]))
        < SMALL_FILE
    ):
        group.append(waiting.pop())
    return group


def _of(step: Callable[[str], None], file: File) -> Callable[[str], None]:
    return partial(_report_step, step, file.path)


def _report_step(step: Callable[[str], None], path: Path, text: str) -> None:
    step(f"{path.name}: {text}")

"""Many files over one connection, in an order that their names do not decide.

Names, folders and patterns mean files, also through links; each file is read once. Small files of facts
alone are stored many in a transaction.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from glob import glob, has_magic
from itertools import groupby
from pathlib import Path

import duckdb

from ingest import pipeline, recognition
from ingest.adapter import ByProductError, Together
from ingest.ahead import MOST_AHEAD, SMALL_FILE, Ahead
from ingest.loading import Memory
from ingest.pipeline import ingest_file, prepare
from ingest.reading import contents
from ingest.reading.contents import UnknownFormatError
from ingest.recognition import DefectError, Recognised, attributing_errors, look
from ingest.settings import Report, Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, sources
from warehouse.connection import log_of, transaction
from warehouse.errors import EvalhouseError, FullDiskError, InputError, UsageError
from warehouse.parsing import parsing_once

_KEPT = frozenset({".bak", ".backup", ".old", ".orig"})


@dataclass(frozen=True)
class File:
    """A file to read. `named`: outright, so that it has to be one that can be read."""

    path: Path
    named: bool


def expand(words: Sequence[Path], warehouse: Path) -> list[File]:
    """The files that are meant, each path once.

    A folder means all files below it and a pattern the files and folders that it fits, sorted and
    without hidden ones, but for the files of a hidden folder; the warehouse itself is never meant.
    Links that lead nowhere and folders that cannot be opened are among them, so that they are named.

    Raises:
        InputError: a folder or a pattern without any file.
    """
    files: dict[Path, File] = {}
    house = _real(warehouse)
    own = {house, log_of(house)}
    for word in words:
        if word.is_dir():
            found = _below(word)
        elif has_magic(str(word)) and not word.exists():
            # Path.glob fits no absolute pattern, and ** only folders.
            fitting = map(Path, glob(str(word), recursive=True))  # noqa: PTH207
            found = [one for path in fitting for one in (_below(path) if path.is_dir() else [path])]
        else:
            files[word] = File(word, named=True)
            continue
        found = [path for path in found if _real(path) not in own]
        if not found:
            raise InputError(word, "no file there" if word.is_dir() else "fits no file")
        for path in sorted(found):
            files.setdefault(path, File(path, named=False))
    return list(files.values())


def _repeated(files: Sequence[File]) -> dict[Path, str]:
    """Of a file that has several paths, all paths except one; each with what it is.

    What counts is the file itself rather than a link to it, such as VLMEvalKit makes next to its
    work dirs; but of the hub's cache the link, which has the name.
    """
    by_target: dict[Path, list[Path]] = {}
    for file in files:
        by_target.setdefault(_real(file.path), []).append(file.path)
    left = {}
    for target, paths in by_target.items():
        if len(paths) == 1:
            continue
        own = [path for path in paths if not path.is_symlink()]
        if recognition.is_blob(target):
            kept = next((path for path in paths if path not in own), own[0])
        else:
            # The file by its own path rather than through a linked folder.
            kept = min(own or paths, key=lambda path: path.absolute() != target)
        for path in paths:
            if path != kept:
                word = "a link to" if path.is_symlink() else "the same file as"
                left[path] = f"{word} {kept}"
    return left


def _aside(files: Sequence[File]) -> dict[Path, str]:
    """What lies in folders and is no result whatever it is called, each with what it is.

    A link that leads nowhere, such as VLMEvalKit's in a work dir that was moved; a copy that was
    kept of a file; Excel's note of who has one open.
    """
    left = {}
    for file in files:
        path = file.path
        if path.is_symlink() and not path.is_file():
            left[path] = _lost(path)
        elif path.name.startswith("~$"):
            left[path] = "Excel's note of who has the file open"
        elif path.suffix.lower() in _KEPT and contents.may_hold_results(path.with_suffix("")):
            left[path] = f"a copy that was kept of {path.stem}"
    return left


def _lost(path: Path) -> str:
    """What a link is that leads nowhere, and where its file lies now: below it as it was elsewhere."""
    target = path.readlink()
    words = f"is a link to {target}, where no file is"
    for n in range(len(target.parts) - 1, 0, -1):
        here = Path(*target.parts[-n:])
        if (path.parent / here).is_file():
            return f"{words}; the file itself lies in {here}"
    return words


def _below(top: Path) -> list[Path]:
    """All files below a folder, also in folders that are linked to; hidden ones apart.

    Who names a hidden folder means its hidden files too, such as all that deepeval writes.
    No folder is looked into twice, which ends loops; its own path is taken rather than a link to
    it.
    """
    found: list[Path] = []
    seen: set[Path] = set()
    folders, links = [top], list[Path]()
    is_hidden = _real(top).name.startswith(".")
    while folders or links:
        folder = folders.pop() if folders else links.pop(0)
        if _real(folder) in seen:
            continue
        seen.add(_real(folder))
        try:
            there = sorted(folder.iterdir())
        except OSError:
            found.append(folder)
            continue
        for path in there:
            is_meant = folder == top and is_hidden and path.is_file()
            if path.name.startswith(".") and not is_meant:
                continue
            if path.is_dir():
                (links if path.is_symlink() else folders).append(path)
            elif path.is_file() or path.is_symlink():
                found.append(path)
    return found


def _real(path: Path) -> Path:
    # Path.resolve raises where links go in a circle.
    return Path(os.path.realpath(path))


def read_together(
    con: duckdb.DuckDBPyConnection,
    found: Sequence[Recognised],
    settings: Settings,
    memory: Memory,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> list[Report] | None:
    """Read files whose format has `together`, all of them or none.

    Args:
        con: a warehouse open for writing, prepared.
        found: the files, all of this format.
        settings: what the user said about them.
        memory: what earlier files left to know.
        step: callback, called with what is being done.

    Returns:
        a report of each; None: something is wrong with one, and nothing is stored. Read one by one,
        they say what.

    Raises:
        DefectError: an error that nothing foresaw. Read one by one, the files might hide it.
        FullDiskError: there is no room for them.
    """
    make = found[0].adapter.together
    if make is None:
        return None
    files = make()
    try:
        with transaction(con):
            reports = []
            for one in found:
                with attributing_errors(one.probe.path):
                    reports.append(_read_one(con, files, one, settings, memory, step))
            of_harness = files.finish(con)
            for report in reports:
                report.has_harness_facts = report.source_id in of_harness
    except (DefectError, FullDiskError):
        raise
    except EvalhouseError:
        known_benchmarks.reread(con)
        return None
    return reports


def _read_one(
    con: duckdb.DuckDBPyConnection,
    files: Together,
    one: Recognised,
    settings: Settings,
    memory: Memory,
    step: Callable[[str], None],
) -> Report:
    """Read a file, with its rows kept back."""
    step(f"{one.probe.path.name}: reading")
    staged = files.stage(con, one.probe, settings)
    pipeline.refuse_foreign_flags(settings, staged, one.adapter.name)
    n_rows = staged.n_rows or 0
    path = str(one.probe.path)
    report = Report(path=path, format=one.adapter.name, n_rows=n_rows)
    flags = pipeline.flags_of(one.probe, settings, staged, report, None)
    try:
        sha256 = sources.digest(one.probe.path)
        source_id = pipeline.add_source(con, one, sha256, n_rows, flags, memory)
    except pipeline.AlreadyThereError:
        return Report(path=path, format=one.adapter.name, already=True, n_rows=n_rows)
    report.source_id = source_id
    _keep_back(staged, report, source_id)
    pipeline.report_runs(con, staged, report, source_id)
    return report


def _keep_back(staged: Staged, report: Report, source_id: int) -> None:
    """Keep the rows of a file back: facts alone, which need no staging tables."""
    if staged.facts is None or staged.is_staged:
        raise ValueError("a format whose files are read together has facts of its own alone")
    report.loaded.extend(staged.facts.store(source_id))


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
    left = _repeated(files) | _aside(files)
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
            reports = read_together(con, [found for _, found in group], settings, memory, step=step)
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
                is_guess = found.probe.is_guess and settings.format is None
                if (
                    is_guess
                    and isinstance(error, InputError)
                    and not isinstance(error, DefectError)
                ):
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

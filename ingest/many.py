"""Files by name, folder or pattern over one connection, in an order that their names do not decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from glob import glob, has_magic
from itertools import groupby
from pathlib import Path

import duckdb

from ingest.byproducts import ByProductError
from ingest.pipeline import ingest_file, prepare, read
from ingest.recognition import Recognised, look
from ingest.settings import Report, Settings
from warehouse.errors import InputError, UsageError


@dataclass(frozen=True)
class File:
    """A file to read. `named`: outright, so that it has to be one that can be read."""

    path: Path
    named: bool


@dataclass(frozen=True)
class Outcome:
    """What came of a file: a report, why it could not be read, or why it holds nothing to read."""

    file: File
    report: Report | None = None
    error: UsageError | None = None
    left: str | None = None


def expand(words: Sequence[Path], warehouse: Path) -> list[File]:
    """The files that are meant, each once.

    A folder means all files below it and a pattern the files and folders that it fits, sorted and
    without hidden ones; the warehouse itself is never meant.

    Raises:
        InputError: a folder or a pattern without any file.
    """
    files: dict[Path, File] = {}
    own = {warehouse.absolute(), warehouse.with_name(f"{warehouse.name}.wal").absolute()}
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
        found = [path for path in found if path.is_file() and path.absolute() not in own]
        if not found:
            raise InputError(word, "no file there" if word.is_dir() else "fits no file")
        for path in sorted(found):
            files.setdefault(path, File(path, named=False))
    return list(files.values())


def ingest_files(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[File],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> Iterator[Outcome]:
    """Read files; those that were not named may be unreadable.

    Named files are read in their order. Of those between, what others refer to comes first: questions,
    then answers, then judgments of them.

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
    links = _links(files)
    # Most files have the same columns; one tuple of them is enough.
    columns: dict[tuple[str, ...], tuple[str, ...]] = {}
    for file in files:
        if file.path in links:
            yield Outcome(file, left=f"a link to {links[file.path]}")
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
            report = read(con, found, settings, step=_of(step, file))
        except UsageError as error:
            yield Outcome(file, error=error)
        else:
            yield Outcome(file, report)


def _links(files: Sequence[File]) -> dict[Path, Path]:
    """Links to other files of the same folders, which VLMEvalKit makes beside its work dirs."""
    links = {file.path: file.path.resolve() for file in files if file.path.is_symlink()}
    if not links:
        return {}
    own = {file.path.resolve(): file.path for file in files if file.path not in links}
    return {link: own[target] for link, target in links.items() if target in own}


def _of(step: Callable[[str], None], file: File) -> Callable[[str], None]:
    return partial(_tell, step, file.path)


def _tell(step: Callable[[str], None], path: Path, text: str) -> None:
    step(f"{path.name}: {text}")


def _below(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]

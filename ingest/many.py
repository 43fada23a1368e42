"""Files by name, folder or pattern, one after the other over one connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from glob import glob, has_magic
from pathlib import Path

import duckdb

from ingest.pipeline import ingest_file, prepare
from ingest.settings import Report, Settings
from warehouse.errors import InputError, UsageError


@dataclass(frozen=True)
class File:
    """A file to read. `named`: outright, so that it has to be one that can be read."""

    path: Path
    named: bool


@dataclass(frozen=True)
class Outcome:
    """What came of a file: a report, or why it was left out."""

    file: File
    report: Report | None = None
    error: UsageError | None = None


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
    """Read files in order, each whole or not at all; those that were not named may be unreadable.

    Raises:
        InputError: a file that was named cannot be read; those before it are in.
    """
    # A small file is a small part of the log; writing it into the tables can wait for others.
    prepare(con)
    con.execute("SET wal_autocheckpoint = '64MB'")
    for file in files:
        try:
            report = ingest_file(con, file.path, settings, step=partial(_tell, step, file.path))
        except UsageError as error:
            if file.named:
                raise
            yield Outcome(file, error=error)
        else:
            yield Outcome(file, report)


def _tell(step: Callable[[str], None], path: Path, text: str) -> None:
    step(f"{path.name}: {text}")


def _below(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]

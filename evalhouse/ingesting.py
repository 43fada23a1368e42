"""Reading folders: for real, as a rehearsal, or all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from evalhouse.api import Warehouse
from evalhouse.rehearsal import all_or_nothing, rehearsing
from ingest import many
from ingest.many import File, Outcome
from ingest.settings import Settings


class _SomethingFailedError(Exception):
    """Ends what is all or nothing."""


def ingest_each(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """Read files, folders and patterns, each file whole or not at all; one outcome per file.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read; those before it are in.
    """
    files = _files(house, words, begin)
    with house.changing(files=_paths(files), refresh=refresh, step=step) as con:
        yield from many.ingest_files(con, files, settings, step=step)


def rehearse(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """What `ingest_each` would do with the same files now; nothing is stored or refreshed.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read.
    """
    files = _files(house, words, begin)
    with rehearsing(house) as copy, copy.writing(files=_paths(files)) as con:
        yield from many.ingest_files(con, files, settings, step=step)


def ingest_all_or_nothing(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """Read files as `ingest_each` does, all of them atomic: where one cannot be read, nothing is stored.

    Their outcome is reported once it is stored.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read.
    """
    files = _files(house, words, begin)
    outcomes: list[Outcome] = []
    try:
        with all_or_nothing(house) as copy:
            paths = _paths(files)
            with copy.changing(files=paths, refresh=refresh, step=step) as con:
                outcomes.extend(many.ingest_files(con, files, settings, step=step))
                if any(outcome.error is not None for outcome in outcomes):
                    raise _SomethingFailedError
    except _SomethingFailedError:
        pass
    yield from outcomes


def _files(house: Warehouse, words: list[Path], begin: Callable[[int], None]) -> list[File]:
    files = many.expand(words, house.path)
    begin(len(files))
    return files


def _paths(files: list[File]) -> list[Path]:
    return [file.path for file in files]

"""Limits of DuckDB's memory and threads, given by the caller or the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from warehouse.errors import UsageError

_MEMORY = re.compile(r"0*[1-9]\d*(\.\d+)? ?[KMGT]i?B|0*\.0*[1-9]\d* ?[KMGT]i?B", re.IGNORECASE)


@dataclass(frozen=True)
class Resources:
    """Limits of a connection. None: not given, which leaves it to the environment, then to DuckDB.

    Raises:
        UsageError: a limit is no size with a unit, or there is not even one thread.
    """

    memory_limit: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        _check_memory("the memory limit", self.memory_limit)
        _check_threads("the number of threads", self.threads)


_given: ContextVar[Resources | None] = ContextVar("resources", default=None)


@contextmanager
def using(resources: Resources) -> Iterator[None]:
    """Limit connections that are opened inside; what is not given stays as it was."""
    outer = _given.get() or Resources()
    token = _given.set(
        Resources(
            resources.memory_limit or outer.memory_limit,
            resources.threads or outer.threads,
        )
    )
    try:
        yield
    finally:
        _given.reset(token)


def current() -> Resources:
    """The limits of a connection that is opened now.

    Raises:
        UsageError: EVALHOUSE_MEMORY_LIMIT or EVALHOUSE_THREADS holds no valid limit.
    """
    given = _given.get() or Resources()
    memory_limit, threads = given.memory_limit, given.threads
    if memory_limit is None:
        memory_limit = os.environ.get("EVALHOUSE_MEMORY_LIMIT", "").strip() or None
        _check_memory("EVALHOUSE_MEMORY_LIMIT", memory_limit)
    if threads is None:
        written = os.environ.get("EVALHOUSE_THREADS", "").strip()
        if written:
            threads = int(written) if written.isdecimal() else 0
            _check_threads("EVALHOUSE_THREADS", threads, written)
    return Resources(memory_limit, threads)


def _check_memory(name: str, value: str | None) -> None:
    if value is not None and not _MEMORY.fullmatch(value.strip()):
        raise UsageError(f"{name} is a size such as 8GB or 512MB, not {value!r}")


def _check_threads(name: str, value: int | None, written: str | None = None) -> None:
    if value is not None and value < 1:
        raise UsageError(f"{name} is 1 or more, not {written or value!r}")

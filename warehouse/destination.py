"""What tables as text are for: a terminal, with all columns or with those that fit, or a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_is_wide: ContextVar[bool] = ContextVar("is_wide", default=False)
_has_formats: ContextVar[bool] = ContextVar("has_formats", default=False)
_is_file: ContextVar[bool] = ContextVar("is_file", default=False)


def is_wide() -> bool:
    """Whether every column is to be printed, also where a terminal is too narrow for them."""
    return _is_wide.get()


def has_formats() -> bool:
    """Whether the command that prints has --format too."""
    return _has_formats.get()


def is_file() -> bool:
    """Whether what is rendered goes to a file, also where standard output is a terminal."""
    return _is_file.get()


@contextmanager
def a_terminal(*, wide: bool, has_formats: bool) -> Iterator[None]:
    """Tables are for a terminal, or for what standard output is instead.

    Args:
        wide: with every column and whole names.
        has_formats: the command has --format too.
    """
    tokens = _is_wide.set(wide), _has_formats.set(has_formats)
    try:
        yield
    finally:
        _is_wide.reset(tokens[0])
        _has_formats.reset(tokens[1])


@contextmanager
def a_file() -> Iterator[None]:
    """Tables are whole and without styles."""
    token = _is_file.set(True)
    try:
        yield
    finally:
        _is_file.reset(token)

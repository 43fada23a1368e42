"""Ctrl-C while judging: once to stop cleanly, twice not to wait."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts(handle: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls a function; the second one cancels the task, the third is Python's own."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def first() -> None:
        loop.add_signal_handler(signal.SIGINT, second)
        handle()

    def second() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        task.cancel()

    try:
        loop.add_signal_handler(signal.SIGINT, first)
    except (NotImplementedError, ValueError, RuntimeError):
        # Not the main thread, or a system without it: Ctrl-C is as usual there.
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)

"""What becomes of errors: one line, an exit code, and a traceback only on demand.

    1, 2   what the user can mend: `warehouse.errors`, a full disk, too little memory
    70     a defect of evalhouse
    130    Ctrl-C
    141    what read standard output is gone, as for other programs in a pipe

With EVALHOUSE_DEBUG=1 the traceback stands before the line, whatever the error is.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from evalhouse.printing import STDOUT, console, escaped
from warehouse.errors import EvalhouseError
from warehouse.files import writing

DEFECT, INTERRUPTED, PIPE = 70, 130, 141
DEBUG = "EVALHOUSE_DEBUG"
_MOST = 2_000
"""Characters of a message: what a file says of itself can be as long as the file."""


def run(command: Callable[[], Any]) -> None:
    """Run a command and end the process with its exit code."""
    _prepare_streams()
    code = _ended(command)
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up(1)
        if code in (None, 0):
            error.filename = STDOUT
            code = _report(error)
    with suppress(OSError):
        sys.stderr.flush()
    sys.exit(code)


def end_at_once(command: Callable[[], None]) -> None:
    """Run what ends with an exit code, and end the process.

    What is registered for the end is called, and other threads are waited for. But Python does not
    take every module and object apart, which takes a tenth of the time of a board.
    """
    try:
        command()
    except SystemExit as ended:
        if not (ended.code is None or isinstance(ended.code, int)) or threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(ended.code or 0)


def _ended(command: Callable[[], Any]) -> int | str | None:
    try:
        command()
    except SystemExit as ended:
        # The library ends with 1 and without a word where a pipe is closed.
        if isinstance(ended.__context__, BrokenPipeError):
            return _report(ended.__context__)
        return ended.code
    except BaseException as error:
        return _report(error)
    return 0


def _report(error: BaseException) -> int:
    """Say what happened, in one line; the exit code."""
    if isinstance(error, BrokenPipeError):
        _give_up(1)
        return PIPE
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        with suppress(Exception):
            traceback.print_exception(error)
    if _is_interrupt(error):
        _say("interrupted", "what was not finished is not stored")
        return INTERRUPTED
    known = _known(error)
    if known is not None:
        code, text = known
        _say("error", text)
        return code
    _say(
        "defect",
        f"{type(error).__name__}: {' '.join(str(error).split())}. This is a fault of evalhouse; what was not finished "
        f"is not stored. {DEBUG}=1 shows where it is, for a report",
    )
    return DEFECT


def _known(error: BaseException) -> tuple[int, str] | None:
    """The exit code and message of what a user can mend."""
    if isinstance(error, EvalhouseError):
        return error.exit_code, str(error)
    for one in _chain(error):
        if _is_engines(one) and writing.is_full(str(one)):
            return 1, f"the disk is full: {_first_line(one)}"
    if _is_engines(error, "OutOfMemoryException"):
        return 1, (
            f"out of memory: {_first_line(error)}; a higher --memory-limit or fewer --threads may do"
        )
    if isinstance(error, MemoryError):
        return 1, "out of memory: the input, or the result, is too large for this machine"
    if isinstance(error, RecursionError):
        return 1, "the input is nested too deeply"
    if isinstance(error, OSError):
        names = [repr(name)[1:-1] for name in (error.filename, error.filename2) if name is not None]
        return 1, ": ".join(
            [" → ".join(names), writing.reason(error)] if names else [writing.reason(error)]
        )
    if _is_engines(error, "IOException"):
        return 1, _first_line(error)
    # A name on the command line that is no UTF-8, or half of a sign.
    for one in _chain(error):
        if isinstance(one, UnicodeEncodeError) or "cannot encode str as UTF-8" in str(one):
            return 2, "a name or a text is no Unicode (half of a sign), so nothing can be called so"
    return None


def _is_interrupt(error: BaseException) -> bool:
    if isinstance(error, KeyboardInterrupt) or _is_engines(error, "InterruptException"):
        return True
    # What DuckDB makes of Ctrl-C while a query runs.
    return type(error) is RuntimeError and "interrupted" in str(error)


def _is_engines(error: BaseException, name: str = "Error") -> bool:
    """Whether it is an error of DuckDB's.

    By name, as its import takes longer than most commands do.
    """
    return any(
        (one.__name__, one.__module__.partition(".")[0].strip("_")) == (name, "duckdb")
        for one in type(error).__mro__
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came of."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _say(word: str, text: str) -> None:
    if len(text) > _MOST:
        text = f"{text[:_MOST]} … ({len(text) - _MOST:,} characters more)"
    try:
        console.print(f"[red]{word}[/red]: {escaped(text)}", soft_wrap=True)
    except Exception:
        # Standard error is gone or full: the exit code has to do.
        _give_up(2)


def _prepare_streams() -> None:
    """No text is unprintable; and no file that is opened gets the place of a closed stream."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _give_up(number: int) -> None:
    """Discard what is left to write to a stream, so that the process ends silently."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)

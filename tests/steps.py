"""The steps in which a command writes, as Python sees them, and dying at one of them.

A step is a file opened for writing below the command's folder, each write to it and its closing; a file
or folder that is made, renamed, linked or taken away; and each statement that ends a transaction, before
and after. What the engine writes by itself is seen from outside (see killing).
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

COUNT = "EVALHOUSE_TEST_STEPS"
"""Names a file for the number of steps that a command took."""
DIE_AT = "EVALHOUSE_TEST_DIE_AT"
"""The step before which a command is killed."""

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate"}
_CALLS = {"write", "writelines", "flush", "close", "__exit__", "copyfileobj", "sendfile"}
_CLOSES = {"close", "__exit__"}
_ENDS = re.compile(r"\s*(COMMIT|CHECKPOINT)\b", re.IGNORECASE)


@contextmanager
def counted(folder: str) -> Iterator[None]:
    """Count steps, or die at one, if the environment says so."""
    last, count = os.environ.get(DIE_AT), os.environ.get(COUNT)
    if last is None and count is None:
        yield
        return
    seen = 0

    def step() -> None:
        nonlocal seen
        seen += 1
        if last is not None and seen == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CHANGES:
            step()
        elif event == "open" and _writes(arguments, folder):
            step()
            sys.setprofile(profile)

    def profile(frame: object, event: str, argument: Any) -> None:
        if event in ("c_call", "c_return") and argument.__name__ in _CALLS:
            step()
            if event == "c_return" and argument.__name__ in _CLOSES:
                sys.setprofile(None)

    execute = duckdb.DuckDBPyConnection.execute

    def executed(con: duckdb.DuckDBPyConnection, query: Any, *more: Any, **named: Any) -> Any:
        ends = isinstance(query, str) and _ENDS.match(query)
        if ends:
            step()
        result = execute(con, query, *more, **named)
        if ends:
            step()
        return result

    duckdb.DuckDBPyConnection.execute = executed  # type: ignore[method-assign,assignment]
    sys.addaudithook(audit)
    try:
        yield
    finally:
        sys.setprofile(None)
        if count is not None:
            taken = seen
            Path(count).write_text(str(taken), "ascii")


def _writes(arguments: tuple[Any, ...], folder: str) -> bool:
    path, mode, flags = arguments
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    is_written = bool(flags & (os.O_WRONLY | os.O_RDWR)) or set(mode or "") & set("wax+")
    return bool(is_written) and os.path.abspath(os.fsdecode(path)).startswith(folder)

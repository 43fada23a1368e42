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
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

from evalhouse.cli import ingest_main, main
from tests import commands
from tests.commands import _PLAIN, Done

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate"}
_CALLS = {"write", "writelines", "flush", "close", "__exit__", "copyfileobj", "sendfile"}
_CLOSES = {"close", "__exit__"}
_ENDS = re.compile(r"\s*(COMMIT|CHECKPOINT)\b", re.IGNORECASE)


def begin(*words: object, cwd: Path, prints: Path, die_at: int | None = None) -> BaseProcess:
    """Start `evalhouse …` or `ingest …` in a folder, forked from a process that is warm.

    Args:
        prints: a folder for what it prints, and for the number of its steps.
        die_at: kill it before its step of this number, from 1.
    """
    with patch.dict(os.environ, _PLAIN):
        forkserver.ensure_running()
    arguments = (str(cwd), str(prints), die_at, os.environ | _PLAIN, *map(str, words))
    process = commands._WARM.Process(target=_command, args=arguments)
    process.start()
    return process


def ended(process: BaseProcess, prints: Path) -> Done:
    """How such a command ended, and what it printed."""
    process.join()
    assert process.exitcode is not None
    # One that was killed early has no files yet.
    out, err = (
        path.read_text("utf-8") if path.exists() else ""
        for path in (prints / "out", prints / "err")
    )
    return Done(process.exitcode, out, err)


def taken(prints: Path) -> int:
    """How many steps a command took that has ended."""
    return int((prints / "steps").read_text("ascii"))


def _command(
    cwd: str, prints: str, die_at: int | None, env: dict[str, str], name: str, *words: str
) -> None:
    for number, path in ((1, "out"), (2, "err")):
        file = os.open(Path(prints, path), os.O_WRONLY | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [name, *words]
    with _counted(cwd, Path(prints, "steps"), die_at):
        (main if name == "evalhouse" else ingest_main)()


@contextmanager
def _counted(folder: str, count: Path, die_at: int | None) -> Iterator[None]:
    """Count steps, and die at one."""
    seen = 0

    def step() -> None:
        nonlocal seen
        seen += 1
        if seen == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CHANGES and _is_below(arguments[0], folder):
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
        # Where many files are read, a statement is parsed once (see warehouse/parsing).
        text = query.query if isinstance(query, duckdb.Statement) else query
        ends = isinstance(text, str) and _ENDS.match(text)
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
        n = seen
        count.write_text(str(n), "ascii")


def _writes(arguments: tuple[Any, ...], folder: str) -> bool:
    path, mode, flags = arguments
    is_written = flags & (os.O_WRONLY | os.O_RDWR) or set(mode or "") & set("wax+")
    return bool(is_written) and _is_below(path, folder)


def _is_below(path: object, folder: str) -> bool:
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    return str(Path(os.fsdecode(path)).absolute()).startswith(folder)

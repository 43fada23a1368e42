"""One warehouse at a time stays open between the steps of a test.

Opening a file reads some 200 views, and closing it writes them again, which takes longer than most steps.
So the file of the last step stays open and each step gets a connection of its own upon it, with its own
temporary tables. Whoever else wants the file (a connection, another process, Python itself) finds it
closed: Python's audit events come before such a use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import duckdb

from warehouse import connection

_OF_FILES = frozenset(
    ["open", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.listdir",
     "shutil.copyfile", "shutil.copytree", "shutil.move"]
)  # fmt: skip
_OF_PROCESSES = frozenset({"os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"})
_OF_READERS = frozenset({"shutil.copyfile", "subprocess.Popen"})

_held: dict[str, duckdb.DuckDBPyConnection] = {}
_leaving: dict[str, Callable[[], None]] = {}
_users: list[int] = [0]
_connect = duckdb.connect
_open = connection._connect
_require_file = connection.require_file
_start = BaseProcess.start


@contextmanager
def using(
    path: Path,
    opened: Callable[[], duckdb.DuckDBPyConnection],
    leaving: Callable[[], None] = lambda: None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a file that is open already, or that `opened` opens and that stays so.

    Args:
        leaving: called before something else reads the file.
    """
    name = str(path.absolute())
    if name not in _held:
        close()
        _held[name] = opened()
    _leaving[name] = leaving
    con = _held[name].cursor()
    _users[0] += 1
    try:
        con.execute(f"USE {connection.CATALOG}")
        # What `warehouse.connection` sets is of its connection alone, not of others upon the same file.
        con.execute("SET enable_caching_operators = false")
        yield con
    finally:
        con.close()
        _users[0] -= 1
        _detach(_held.get(name))


def _detach(con: duckdb.DuckDBPyConnection | None) -> None:
    """Take away what a step attached, such as views that it computed: a new connection has none."""
    if con is not None and not _users[0]:
        for (other,) in con.execute(
            "SELECT database_name FROM duckdb_databases() WHERE NOT internal AND database_name <> ?",
            [connection.CATALOG],
        ).fetchall():
            con.execute(f'DETACH "{other}"')


@contextmanager
def looking(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to look at a file's rows with: upon the one that is open, or one that reads it."""
    if str(path.absolute()) in _held:
        with using(path, lambda: _connect(str(path))) as con:
            yield con
    else:
        with duckdb.connect(str(path), read_only=True) as con:
            yield con


def close() -> None:
    """Close the file that stayed open, unless a step is at work in it."""
    if not _users[0]:
        while _held:
            _, con = _held.popitem()
            con.close()


def _prepare(name: str) -> None:
    """Let who used a file last finish it, before something else reads it."""
    if not _users[0] and name in _leaving:
        _leaving[name]()


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not _held or event not in _OF_FILES | _OF_PROCESSES:
        return
    named = [str(arg) for arg in args if isinstance(arg, str | Path)]
    if event in _OF_PROCESSES or any(
        text.startswith(file) or file.startswith(text) for text in named for file in _held
    ):
        if event in _OF_READERS:
            for name in [*_held]:
                _prepare(name)
        close()


def _connecting(database: Any = ":memory:", *args: Any, **more: Any) -> duckdb.DuckDBPyConnection:
    if database != ":memory:":
        close()
    return _connect(database, *args, **more)


def _opening(path: Path, *args: Any, **more: Any) -> duckdb.DuckDBPyConnection:
    # A command that writes computes at its end what is out of date.
    if more["read_only"]:
        _prepare(str(path.absolute()))
    close()
    return _open(path, *args, **more)


def _requiring(path: Path) -> None:
    # It looks at the file's log, which closing takes away.
    close()
    _require_file(path)


def _starting(process: BaseProcess) -> None:
    # That of a fork server is forked elsewhere, where no event is seen here.
    close()
    _start(process)


def watch() -> None:
    """From now on close the file before anything else uses it."""
    sys.addaudithook(_watch)
    duckdb.connect = _connecting
    connection._connect = _opening
    connection.require_file = _requiring
    BaseProcess.start = _starting

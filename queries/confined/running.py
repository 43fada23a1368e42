"""Handing a user's query to a process that cannot write, and waiting for its rows."""

from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from queries.confined.wire import DONE, ERROR, HEADER, Request
from warehouse.connection import CATALOG
from warehouse.errors import EvalhouseError, UsageError

if TYPE_CHECKING:
    import pyarrow as pa

TIMEOUT = 600.0
"""Seconds a query may take where nothing else is said."""
MAX_ROWS = 10_000_000
"""Rows its result may have where nothing else is said."""

_ROOT = Path(__file__).parents[2]
# Arrow would import numpy for itself, which takes longer than all the rest.
_MAIN = "import sys; sys.modules['numpy'] = None; from queries.confined.worker import main; main()"
_INHERITED = {"HOME", "LANG", "PATH", "PYTHONHOME", "PYTHONUSERBASE", "TZ", "VIRTUAL_ENV"}
_INHERITED_KINDS = ("DYLD_", "LC_", "LD_")
_SPILLED_PART = 0.5
_ENDING = 5.0


@dataclass(frozen=True)
class Limits:
    """What a query may take.

    Args:
        timeout: seconds; None is no limit.
        max_rows: rows of the result; None is no limit.

    Raises:
        UsageError: a limit that is none.
    """

    timeout: float | None = TIMEOUT
    max_rows: int | None = MAX_ROWS

    def __post_init__(self) -> None:
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            raise UsageError(f"the timeout is seconds, more than 0, not {self.timeout!r}")
        if self.max_rows is not None and self.max_rows < 1:
            raise UsageError(f"the most rows are 1 or more, not {self.max_rows!r}")


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    control: socket.socket


_worker: _Worker | None = None
_lock = threading.Lock()


def start() -> None:
    """Start the process that those of the queries are forked from, if it is not there.

    It takes a fraction of a second, which can pass while something else is done.

    Raises:
        EvalhouseError: it does not start.
    """
    with _lock:
        _running()


def rows_of(
    sql: str,
    path: Path,
    *,
    settings: dict[str, str],
    attached: tuple[Path, str] | None = None,
    memory_limit: str | None,
    threads: int | None,
    limits: Limits,
) -> pa.Table:
    """A query's result, computed in a separate process (`queries.confined.worker`).

    Args:
        sql: one SELECT, or EXPLAIN of one.
        path: the warehouse.
        settings: of the connection, such as search_path.
        attached: a database next to the warehouse, and its name in queries.
        memory_limit: as DuckDB takes it; the result may take half of it once more.
        threads: of DuckDB.
        limits: of time and rows.

    Raises:
        UsageError: it is no query, or wrong; the message is the engine's.
        EvalhouseError: it takes more time, rows or memory than it may.
    """
    deadline = math.inf if limits.timeout is None else time.monotonic() + limits.timeout
    try:
        folder = tempfile.mkdtemp(prefix="evalhouse-")
    except OSError as error:
        raise EvalhouseError(f"no temporary folder for the query (TMPDIR): {error}") from error
    try:
        request = Request(
            sql=sql,
            path=str(path.absolute()),
            catalog=CATALOG,
            folder=folder,
            spill_size=int(shutil.disk_usage(folder).free * _SPILLED_PART),
            settings=settings,
            attached=None if attached is None else (str(attached[0].absolute()), attached[1]),
            timeout=limits.timeout,
            max_rows=limits.max_rows,
            memory_limit=memory_limit,
            threads=threads,
        )
        with _connected() as connection:
            try:
                return _answer(connection, request, deadline)
            except TimeoutError as error:
                raise EvalhouseError(
                    f"the query took longer than {limits.timeout:g} seconds (--timeout SECONDS, "
                    "timeout in Python) and was stopped"
                ) from error
            except (EOFError, ConnectionError) as error:
                raise EvalhouseError(_why_it_ended()) from error
            finally:
                _end(connection)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _answer(connection: socket.socket, request: Request, deadline: float) -> pa.Table:
    written = json.dumps(asdict(request)).encode()
    connection.sendall(HEADER.pack(DONE, len(written)) + written)
    # Imported while the worker computes, and only where there is a query.
    import pyarrow as pa

    parts: list[pa.Table] = []
    while True:
        kind, size = HEADER.unpack(_received(connection, HEADER.size, deadline))
        said = _received(connection, size, deadline)
        if kind == DONE:
            return pa.concat_tables(parts)
        if kind == ERROR:
            raise _error(**json.loads(bytes(said)))
        with pa.ipc.open_stream(pa.py_buffer(said)) as reader:
            parts.append(reader.read_all())


def _error(kind: str, text: str) -> EvalhouseError:
    if kind == "memory":
        return EvalhouseError(
            f"out of memory: {text.splitlines()[0] if text else 'the query'}; a higher "
            "--memory-limit or fewer --threads may do"
        )
    return UsageError(text) if kind == "usage" else EvalhouseError(text)


def _why_it_ended() -> str:
    with _lock:
        is_there = _worker is not None and _worker.process.poll() is None
    if is_there:
        return (
            "the query's process ended before the query did: it may need more memory than "
            "--memory-limit allows, or it met a fault of the engine"
        )
    return "the process that queries run in does not start; EVALHOUSE_DEBUG=1 shows why"


def _received(connection: socket.socket, size: int, deadline: float) -> bytearray:
    said = bytearray(size)
    view = memoryview(said)
    while view:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(None if left == math.inf else left)
        n_bytes = connection.recv_into(view)
        if not n_bytes:
            raise EOFError
        view = view[n_bytes:]
    return said


def _end(connection: socket.socket) -> None:
    """Let the process end, and wait until it has: it may be writing in the folder still."""
    try:
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(_ENDING)
        while connection.recv(2**16):
            pass
    except OSError:
        pass


def _connected() -> socket.socket:
    """A socket to a new process for a query."""
    ours, theirs = socket.socketpair()
    with theirs, _lock:
        try:
            socket.send_fds(_running().control, [b"q"], [theirs.fileno()])
        except ConnectionError:
            _stop()
            socket.send_fds(_running().control, [b"q"], [theirs.fileno()])
    return ours


def _running() -> _Worker:
    global _worker
    if _worker is None or _worker.process.poll() is not None:
        ours, theirs = socket.socketpair()
        is_debugged = os.environ.get("EVALHOUSE_DEBUG") == "1"
        try:
            with theirs:
                process = subprocess.Popen(
                    # -P: nothing is imported from the folder where the user happens to be. -B: on a
                    # full disk it would leave half a compiled module, which nothing can import
                    # again.
                    [sys.executable, "-P", "-B", "-c", _MAIN],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=None if is_debugged else subprocess.DEVNULL,
                    cwd="/",
                    env=_environment(),
                )
        except OSError as error:
            ours.close()
            raise EvalhouseError(f"no process for the query can be started: {error}") from error
        _worker = _Worker(process, ours)
    return _worker


def _environment() -> dict[str, str]:
    """Without any key or token, so that none is in the memory of the query's process."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _INHERITED or name.startswith(_INHERITED_KINDS)
    }
    path = [str(_ROOT), *(str(Path(folder).absolute()) for folder in sys.path if folder)]
    return kept | {
        "PYTHONPATH": os.pathsep.join(path),
        # It counts for the limit of memory; another one would reserve more than it uses.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }


def _stop() -> None:
    global _worker
    if _worker is not None:
        _worker.control.close()
        _worker.process.wait()
        _worker = None


def _forget() -> None:
    """In a fork of this process: the other one's is not ours."""
    global _worker, _lock
    _lock = threading.Lock()
    if _worker is not None:
        _worker.control.close()
        # It is no child of ours to wait for.
        _worker.process.returncode = 0
        _worker = None


atexit.register(_stop)
os.register_at_fork(after_in_child=_forget)

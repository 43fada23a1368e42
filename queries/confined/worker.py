"""The process that runs one query: what it may do, and how its rows get out.

It is no child of the client's process but forked from one that has only imported what it needs
(`main`), which takes milliseconds. Two guards are there before any of the user's text is looked at:

- The kernel (`forbid_writing`): nothing is written, made or removed but in a folder of the
  query's own, which is gone after it; queries that need more than memory spill there. Where the
  kernel cannot, the engine's access to files is switched off whole once the warehouse is open
  (`disabled_filesystems`), nothing may be written to any file (RLIMIT_FSIZE), and such queries end.
- The engine: the warehouse is opened read-only, no other file, extension, setting or variable of
  this program can be reached (`enable_external_access`, `lock_configuration`).

Neither knows statements, which is how none is forgotten: not by kind but by what it does to files.
By itself `enable_external_access` is not enough: it leaves open the warehouse, its log and the
folder for spilling, for reading and for writing. `statement.checked` comes on top of them.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any

import duckdb
import pyarrow as pa

from queries.confined.statement import NoQueryError, checked
from queries.confined.wire import DONE, ERROR, HEADER, ROWS, Request

# <linux/landlock.h>; the numbers of the calls are the same on every architecture of today.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ONLY_VERSION = 1
_PATH_BENEATH = 1
_SET_NO_NEW_PRIVILEGES = 38

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_IOCTL_DEV = 1 << 15
_ALL_OF_VERSION_3 = (1 << 15) - 1
_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE, _TRUNCATE = (
    1 << bit for bit in (1, 4, 5, 7, 8, 14)
)
_TCP = 0b11
_OLDEST_VERSION = 3
"""The first one that also forbids to truncate: Linux 6.2, and older ones of distributions."""


def forbid_writing(but_in: str) -> bool:
    """Let nothing be written, made, renamed, truncated or removed but below one folder.

    Nor is a program run or a TCP connection made. It holds for this thread and those that it
    starts, for good: it has to come before the engine has threads.

    Args:
        but_in: the folder where files may be.

    Returns:
        Whether the kernel sees to it. False is another system than Linux, or a Linux without
        Landlock; nothing is forbidden then.
    """
    if sys.platform != "linux":
        return False
    version = _call(_CREATE_RULESET, None, 0, _ONLY_VERSION)
    if version < _OLDEST_VERSION:
        return False
    # Reading is left to the engine, which has to read what it needs to start.
    handled = _ALL_OF_VERSION_3 & ~(_READ_FILE | _READ_DIR)
    attributes = struct.pack("=Q", handled | (_IOCTL_DEV if version >= 5 else 0))
    if version >= 4:
        attributes += struct.pack("=Q", _TCP)
    rules = _call(_CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    folder = os.open(but_in, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        allowed = _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _TRUNCATE
        beneath = struct.pack("=Qi", allowed, folder)
        return (
            _call(_ADD_RULE, rules, _PATH_BENEATH, beneath, 0) == 0
            and ctypes.CDLL(None).prctl(_SET_NO_NEW_PRIVILEGES, *_longs(1, 0, 0, 0)) == 0
            and _call(_RESTRICT_SELF, rules, 0) == 0
        )
    finally:
        os.close(folder)
        os.close(rules)


def _call(*arguments: int | bytes | None) -> int:
    syscall = ctypes.CDLL(None).syscall
    syscall.restype = ctypes.c_long
    return int(syscall(*_longs(*arguments)))


def _longs(*arguments: int | bytes | None) -> list[Any]:
    return [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]


def _limit_resources(*, memory: int, file_size: int | None) -> None:
    """Bound what the process may take; a system without such a limit goes without.

    Args:
        memory: bytes, beyond what the process has already.
        file_size: bytes of the largest file it may write; None is no bound.
    """
    _lower(resource.RLIMIT_DATA, _data() + memory)
    # Where a process that fails leaves its memory is a file, too.
    _lower(resource.RLIMIT_CORE, 0)
    if file_size is not None:
        _lower(resource.RLIMIT_FSIZE, file_size)


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(which, (value, value))


def _data() -> int:
    """Bytes of memory that RLIMIT_DATA counts now."""
    with suppress(OSError), open("/proc/self/status", encoding="ascii") as file:  # noqa: PTH123
        for line in file:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


_BATCH_ROWS = 4096
_MORE_THAN_ITS_LIMIT = 1.1
_BESIDES = 192 * 2**20
"""DuckDB keeps to its limit except for what it does not count: stacks, catalogs, values being
made."""
_RESERVED = 2.5
"""Memory that is reserved and memory that is used differ by this much in long sorts."""
_LOOK_MS = 50
_GRACE = 10.0

_sending = threading.Lock()


class ResourceError(Exception):
    """The query wants more than it may have."""


def main() -> None:
    """Fork a process for each socket that comes in on standard input, until that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    control = socket.socket(fileno=os.dup(0))
    while True:
        said, sockets, _, _ = socket.recv_fds(control, 1, 1)
        if not said:
            return
        if os.fork() == 0:
            control.close()
            os.close(0)
            try:
                _serve(socket.socket(fileno=sockets[0]))
            except Exception:
                # Seen with EVALHOUSE_DEBUG=1; without it, the query's process just ended.
                traceback.print_exc()
            finally:
                # Nothing to put away: what is written is in the folder, which the client removes.
                os._exit(0)
        os.close(sockets[0])


def _serve(client: socket.socket) -> None:
    with client.makefile("rb") as file:
        _, size = HEADER.unpack(file.read(HEADER.size))
        request = Request(**json.loads(file.read(size)))
    # Not even what holds the interpreter outlives its time.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if request.timeout is not None:
        signal.setitimer(signal.ITIMER_REAL, request.timeout + _GRACE)
    # Before anything has threads.
    guarded = forbid_writing(request.folder)
    try:
        answer(request, client, guarded=guarded)
        _send(client, DONE, b"")
    except NoQueryError as error:
        _fail(client, "usage", str(error))
    except ResourceError as error:
        _fail(client, "resources", str(error))
    except (duckdb.OutOfMemoryException, pa.ArrowMemoryError, MemoryError) as error:
        _fail(client, "memory", str(error))
    except duckdb.Error as error:
        _fail(client, "memory" if "std::bad_alloc" in str(error) else "usage", str(error))
    except pa.ArrowException as error:
        _fail(client, "usage", f"the result has a type that cannot be shown: {error}")


def answer(request: Request, client: socket.socket, *, guarded: bool) -> None:
    """Run a query and send its rows.

    Args:
        request: the query.
        client: where they go.
        guarded: whether the kernel forbids to write.

    Raises:
        NoQueryError: it is none.
        ResourceError: its result is too large.
        duckdb.Error: the query is wrong, or takes more memory than it may.
    """
    parser = duckdb.connect(":memory:", config=_config(request, guarded=guarded) | {"threads": 1})
    memory = _memory(parser)
    most = int(memory * _MORE_THAN_ITS_LIMIT) + _BESIDES
    _limit_resources(memory=int(most * _RESERVED), file_size=None if guarded else 0)
    threading.Thread(target=_watch, args=(client, most), daemon=True).start()
    sql = checked(parser, request.sql)
    parser.close()
    send_rows(opened(request, guarded=guarded), sql, client, request.max_rows, memory // 2)


def opened(request: Request, *, guarded: bool) -> duckdb.DuckDBPyConnection:
    """The warehouse, on a connection from which nothing else can be reached.

    Args:
        request: which one, and its limits.
        guarded: whether the kernel forbids to write, so that the engine may spill.
    """
    config = _config(request, guarded=guarded)
    con = duckdb.connect(":memory:", config=config)
    con.execute(f"ATTACH {_quoted(request.path)} AS {request.catalog} (TYPE duckdb, READ_ONLY)")
    if request.attached is not None:
        path, name = request.attached
        con.execute(f"ATTACH {_quoted(path)} AS {name} (TYPE duckdb, READ_ONLY)")
    con.execute(f"USE {request.catalog}")
    con.execute("DETACH memory")
    for name, value in request.settings.items():
        con.execute(f"SET {name} = {_quoted(value)}")
    con.execute("SET enable_progress_bar = false")
    con.execute("SET python_enable_replacements = false")
    con.execute("SET enable_external_access = false")
    if not guarded:
        con.execute("SET disabled_filesystems = 'LocalFileSystem'")
    con.execute("SET lock_configuration = true")
    return con


def send_rows(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    client: socket.socket,
    max_rows: int | None,
    max_bytes: int,
) -> None:
    """Run one statement and send what it gives, in parts that are Arrow streams by themselves.

    Raises:
        ResourceError: it is more than so many rows or bytes.
    """
    relation = con.sql(sql)
    if relation is None:
        raise NoQueryError("the query gives no result")
    n_rows = n_bytes = 0
    with relation.to_arrow_reader(_BATCH_ROWS) as reader:
        _send(client, ROWS, _packed(reader.schema))
        for batch in reader:
            n_rows += batch.num_rows
            if max_rows is not None and n_rows > max_rows:
                raise ResourceError(
                    f"the result has more than {max_rows:,} rows (--max-rows, max_rows in Python); "
                    "LIMIT, a condition or a sum makes it smaller"
                )
            packed = _packed(reader.schema, batch)
            n_bytes += len(packed)
            if n_bytes > max_bytes:
                raise ResourceError(
                    f"the result takes more than {max_bytes / 1e6:,.0f} MB, half of what memory it "
                    "may have (--memory-limit)"
                )
            _send(client, ROWS, packed)


def _packed(schema: pa.Schema, *batches: pa.RecordBatch) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue()


def _config(request: Request, *, guarded: bool) -> dict[str, Any]:
    config: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        # Empty is nowhere: what would have to spill ends as what takes too much memory.
        "temp_directory": os.path.join(request.folder, "spill") if guarded else "",  # noqa: PTH118
        "max_temp_directory_size": f"{request.spill_size}B",
    }
    if request.memory_limit is not None:
        config["memory_limit"] = request.memory_limit
    if request.threads is not None:
        config["threads"] = request.threads
    return config


def _memory(con: duckdb.DuckDBPyConnection) -> int:
    """Bytes that DuckDB may take."""
    sql = "SELECT parse_formatted_bytes(current_setting('memory_limit'))"
    ((size,),) = con.execute(sql).fetchall()
    return int(size)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _send(client: socket.socket, kind: bytes, said: Any) -> None:
    with _sending:
        client.sendall(HEADER.pack(kind, len(said)))
        client.sendall(said)


def _fail(client: socket.socket, kind: str, text: str) -> None:
    _send(client, ERROR, json.dumps({"kind": kind, "text": text}).encode())


def _watch(client: socket.socket, most: int) -> None:
    """End when the client ends or closes the connection, or when memory is used up."""
    poll = select.poll()
    poll.register(client, select.POLLIN)
    try:
        used = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        poll.poll()
        os._exit(1)
    page = os.sysconf("SC_PAGE_SIZE")
    while not poll.poll(_LOOK_MS):
        if int(os.pread(used, 200, 0).split()[1]) * page > most:
            # A thread that is sending just now may never finish.
            if _sending.acquire(timeout=1):
                _sending.release()
                _fail(client, "memory", f"the query uses more than {most / 1e6:,.0f} MB")
            break
    os._exit(1)

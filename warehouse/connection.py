"""Opening the file: for reading, for writing, or for a stranger's SQL. Nothing else opens DuckDB.

A file may come from anybody, and the SQL in it too: its views, defaults and macros. So no
connection reaches anything outside but the warehouse, its own temporary files, and the files that a
command is about. None loads an extension. A file is attached under a name of ours, as its own would
else be taken for a schema's, and is not used before its tables are found to be as they should be.

The file's logs lie next to it; what they are is seen from their names and first bytes.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from warehouse import migrate, resources, shape, statements
from warehouse.errors import BusyError, EvalhouseError, FullDiskError
from warehouse.files import writing
from warehouse.transactions import transaction as transaction

_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
"""The files that DuckDB writes next to a file, by the suffix of its name."""

_LOG_BEGINS = b"d\x00be\x00"
"""The first bytes of such a log: an entry with its version."""


def with_logs(path: Path) -> list[Path]:
    """A DuckDB file and the logs next to it; of a link, also those of its target."""
    return [
        file
        for one in dict.fromkeys((path, path.resolve()))
        for file in (one, *(log_of(one, kind) for kind in _LOGS))
    ]


def log_of(path: Path, kind: str = ".wal") -> Path:
    """Where DuckDB keeps what it has not stored in a file yet.

    It takes the first question mark of a path for the beginning of a URL's parameters, and puts the
    kind before it.
    """
    before, mark, after = str(path.absolute()).partition("?")
    return Path(f"{before}{kind}{mark}{after}") if mark else path.with_name(f"{path.name}{kind}")


def require_file(path: Path) -> None:
    """Refuse a path that cannot be a warehouse, and a log next to it that is none.

    The file itself is not opened: closing it here would release the locks that a connection of
    this process has on it.

    Raises:
        EvalhouseError: with what it is. Where there is nothing yet, there is nothing to refuse.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise EvalhouseError(f"{path!a}: a name that is not UTF-8 cannot be opened") from error
    if "\0" in str(path):
        raise EvalhouseError(f"{str(path)!r}: a name with a NUL cannot be opened")
    try:
        log = log_of(path)
        if path.is_symlink() and not path.exists():
            raise EvalhouseError(f"{path}: is a link to {path.readlink()}, where no file is")
        if path.exists():
            _require_regular(path)
        if log.exists() and path.exists():
            _require_log(log)
    except OSError as error:
        raise EvalhouseError(f"{path}: cannot be opened: {error.strerror or error}") from error


def _require_regular(path: Path) -> None:
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise EvalhouseError(f"{path}: is a folder, not a warehouse")
    if not stat.S_ISREG(found.st_mode):
        raise EvalhouseError(f"{path}: is no file, but a pipe, device or socket")
    if found.st_size == 0:
        raise EvalhouseError(f"{path}: is empty, and so not a valid DuckDB database file")


def _require_log(log: Path) -> None:
    if not log.is_file():
        raise EvalhouseError(f"{log}: is no file, and stands where a warehouse's log would")
    with log.open("rb") as opened:
        begins = opened.read(len(_LOG_BEGINS))
    # A process that was killed may have left the first bytes alone.
    if not _LOG_BEGINS.startswith(begins):
        raise EvalhouseError(
            f"{log}: is no log of a DuckDB file, and stands where a warehouse's would. Move it away"
        )


STORAGE_VERSION = "v1.4.0"
"""The storage format of a new file: DuckDB 1.5 and 2.0 read and write it, and neither makes the file
smaller with a later one. An older file keeps its own."""

CATALOG = "_warehouse"
"""The catalog's name on every connection, whatever the file is called.

No release can be called so.
"""

_LOCK_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")
_sound: set[tuple[object, ...]] = set()
"""Files whose shape this process has seen, as they were then; several calls in a row open one."""

_HERE_ALREADY = "Unique file handle conflict"


def default_path() -> Path:
    """The warehouse of a command without --db: EVALHOUSE_DB, else warehouse.duckdb."""
    return Path(os.environ.get("EVALHOUSE_DB") or "warehouse.duckdb")


def open_for_reading(
    path: Path, *, wait: float = 0, files: Iterable[Path] = (), folders: Iterable[Path] = ()
) -> duckdb.DuckDBPyConnection:
    """Open an existing warehouse read-only.

    Args:
        path: the DuckDB file.
        wait: seconds to wait while another process holds the file.
        files: what the connection may read or write besides.
        folders: the same of everything in a folder.

    Raises:
        EvalhouseError: there is no such file, it is no warehouse, or damaged.
        SchemaVersionError: an older or newer evalhouse made it.
        BusyError: another process still holds it after `wait` seconds.
    """
    require_file(path)
    if not path.exists():
        raise EvalhouseError(
            f"{path}: no warehouse there. `ingest FILE --db {path}` makes one from results, "
            "`evalhouse demo` one to look at."
        )
    con = _connect(path, wait, read_only=True, files=files, folders=folders)
    try:
        with errors_naming(path):
            migrate.require_current(con, path)
    except BaseException:
        con.close()
        raise
    return con


def open_for_writing(
    path: Path,
    *,
    wait: float = 0,
    schema_version: int | None = None,
    files: Iterable[Path] = (),
    folders: Iterable[Path] = (),
    then: Callable[[duckdb.DuckDBPyConnection], None] = lambda con: None,
) -> duckdb.DuckDBPyConnection:
    """Open a warehouse to write to, made or upgraded first where need be.

    Args:
        path: the DuckDB file.
        wait: seconds to wait while another process holds the file.
        schema_version: an older schema to make or upgrade it to, for what is of that version.
        files: what the connection may read or write besides.
        folders: the same of everything in a folder.
        then: callback, called to add what belongs to making or upgrading it, in the same transaction.

    Raises:
        EvalhouseError: the file is something else than a warehouse, or damaged.
        SchemaVersionError: a newer evalhouse made it.
        BusyError: another process still holds it after `wait` seconds.
    """
    require_file(path)
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    con = _connect(path, wait, read_only=False, files=files, folders=folders)
    try:
        with errors_naming(path):
            migrate.upgrade(con, path, to=schema_version, then=then)
    except BaseException:
        con.close()
        raise
    return con


def in_memory(files: Iterable[Path] = ()) -> duckdb.DuckDBPyConnection:
    """A connection without a warehouse, which reaches nothing but these files."""
    con = duckdb.connect(config=_settings(None))
    _close_in(con, files, ())
    return con


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Turn an error of the engine into one line that names the file, and the place in our SQL.

    Too little memory and an interrupted query are no errors of the file, and pass unchanged.

    Raises:
        EvalhouseError: in place of the engine's own errors.
        FullDiskError: the disk is full, that of the file or of temporary folders.
    """
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        if "cannot encode str as UTF-8" in str(error):
            # A word of the user's that is no Unicode: no error of the file either.
            raise
        if writing.is_full(str(error)):
            raise FullDiskError(f"the disk is full: {first_line(error)}") from error
        place = statements.place_of(error)
        where = f" ({place})" if place else ""
        raise EvalhouseError(f"{path}: {first_line(error)}{where}") from error


def first_line(error: BaseException) -> str:
    """What an error of the engine says, without its stack and its advice."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip()


def allowed(path: Path) -> list[str]:
    """A path as the engine takes it: to the letter, and as a pattern that matches it alone."""
    # From the root on: a name that begins with ~ would be somebody's home.
    name = str(path.absolute())
    return [name, "".join(f"[{c}]" if c in "*?[" else c for c in name)]


def is_unicode(text: str) -> bool:
    """Whether a text has a form in UTF-8: half of a surrogate pair has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _settings(path: Path | None) -> dict[str, str | bool | int | float | list[str]]:
    limits = resources.current()
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
    }
    if path is not None:
        # Next to the warehouse, where there is room; DuckDB removes it at the end.
        settings["temp_directory"] = f"{path}.tmp"
    if limits.memory_limit is not None:
        settings["memory_limit"] = limits.memory_limit
    if limits.threads is not None:
        settings["threads"] = limits.threads
    return settings


def _close_in(
    con: duckdb.DuckDBPyConnection, files: Iterable[Path], folders: Iterable[Path]
) -> None:
    """From now on nothing outside but these files and folders, and no extension."""
    for setting, paths in (("allowed_paths", files), ("allowed_directories", folders)):
        # What is no Unicode the engine could not open either; who reads the file says so.
        names = dict.fromkeys(name for path in paths for name in allowed(path) if is_unicode(name))
        con.execute(f"SET {setting} = ?", [list(names)])
    con.execute("SET enable_external_access = false")
    # DuckDB 1.5.1 to 2.0.0 can answer wrongly where this one finds a plan's parts twice
    # (duckdb issues 24624, 25819); the views avoid what was seen, a user's own join may not.
    con.execute("SET disabled_optimizers = 'common_subplan'")
    _switch_off_caching_operators(con)
    # The engine's own bar would stand among the results of what takes longer.
    con.execute("SET enable_progress_bar = false")


def _switch_off_caching_operators(con: duckdb.DuckDBPyConnection) -> None:
    # DuckDB 2.0.0 ends some queries over many runs in an internal error where its operators keep small
    # batches back ("dict-surviving cache: global dictionary column … changed identity").
    with suppress(duckdb.CatalogException):
        con.execute("SET enable_caching_operators = false")


def another(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Another connection to the same warehouse, with temporary tables of its own, for another thread."""
    other = con.cursor()
    _switch_off_caching_operators(other)
    other.execute(f"USE {CATALOG}")
    return other


def _connect(
    path: Path, wait: float, *, read_only: bool, files: Iterable[Path], folders: Iterable[Path]
) -> duckdb.DuckDBPyConnection:
    file = path.absolute()
    settings = _settings(file)
    reached = [*files, *with_logs(file)]
    options = ["TYPE duckdb"]
    if read_only:
        options.append("READ_ONLY")
    elif not path.exists():
        options.append(f"STORAGE_VERSION '{STORAGE_VERSION}'")
    name = statements.literal(str(file))

    def attempt() -> duckdb.DuckDBPyConnection:
        try:
            con = duckdb.connect(config=settings)
        except duckdb.OutOfMemoryException as error:
            raise _too_little_memory(path, settings) from error
        try:
            _close_in(con, reached, folders)
            con.execute(f"ATTACH {name} AS {CATALOG} ({', '.join(options)})")
            # After the lock is held, so that nobody changes it any more.
            seen = _seen(file)
            if seen not in _sound:
                shape.require(con, path, CATALOG, current_only=read_only)
                _sound.add(seen)
            con.execute(f"USE {CATALOG}")
            con.execute("DETACH memory")
        except duckdb.OutOfMemoryException as error:
            con.close()
            raise _too_little_memory(path, settings) from error
        except duckdb.Error as error:
            con.close()
            raise _unopened(path, error) from error
        except BaseException:
            con.close()
            raise
        return con

    retrying = Retrying(
        retry=retry_if_exception_type(BusyError),
        stop=stop_after_delay(wait),
        wait=wait_fixed(0.2),
        reraise=True,
    )
    return retrying(attempt)


def _seen(path: Path) -> tuple[object, ...]:
    """The state of a file and its log; equal at two moments if nobody wrote in between."""
    seen: list[object] = [path]
    for file in with_logs(path.resolve())[:2]:
        with suppress(OSError):
            found = file.stat()
            seen += [
                found.st_dev,
                found.st_ino,
                found.st_size,
                found.st_mtime_ns,
                found.st_ctime_ns,
            ]
    return tuple(seen)


def _too_little_memory(path: Path, settings: Mapping[str, object]) -> EvalhouseError:
    return EvalhouseError(
        f"{path}: cannot be opened with {settings.get('memory_limit')} of memory (--memory-limit)"
    )


def _unopened(path: Path, error: duckdb.Error) -> EvalhouseError:
    text = str(error)
    if "Could not set lock" in text or "Conflicting lock" in text or _HERE_ALREADY in text:
        return BusyError(_busy_message(path, text))
    line = first_line(error)
    if writing.is_full(text):
        return FullDiskError(f"{path}: cannot be opened, the disk is full: {line}")
    if "not a valid DuckDB database file" in text:
        return EvalhouseError(f"{path}: exists, but it is not a valid DuckDB database file")
    if "newer version" in text:
        return EvalhouseError(f"{path}: {line}")
    if "WAL" in text:
        return EvalhouseError(
            f"{log_of(path)}: cannot be replayed: {line} Where it belongs to another file, move it away; it "
            "holds what was written last and not stored yet"
        )
    return EvalhouseError(f"{path}: cannot be opened: {line}")


def _busy_message(path: Path, text: str) -> str:
    if _HERE_ALREADY in text:
        return f"{path}: in use by this very process"
    found = _LOCK_HOLDER.search(text)
    holder = f"{found['program']} (PID {found['pid']})" if found else "another process"
    return f"{path}: in use by {holder}. Try again when it is done, or with --wait SECONDS."

"""A warehouse's file and the logs next to it, as they lie on disk: nothing here opens DuckDB."""

from __future__ import annotations

import stat
from pathlib import Path

from warehouse.errors import EvalhouseError

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

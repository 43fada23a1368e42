"""The one way of writing files: atomic, whole or not at all.

A file is written under another name in its own folder, brought to disk, and then takes its place in
one step (an atomic rename). So an error, a full disk or a kill leaves what was there before. A kill can leave the
unfinished file, whose name begins with `.evalhouse-` and ends in `.part`: it can be removed.

A link stays a link: the file it leads to is replaced. The mode of a replaced file is kept, and its
owner where that is allowed; other hard links keep the old content. What is no regular file (a FIFO,
/dev/null, /dev/stdout) is written directly, which is not atomic, as nothing can take its place.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from warehouse.errors import UsageError

PREFIX, SUFFIX = ".evalhouse-", ".part"
_OPEN_FILES = re.compile("/proc/[^/]+(/task/[^/]+)?/fd")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write(path: Path, content: bytes | str) -> None:
    """Let a file have a content, by an atomic replace. Text is UTF-8.

    Raises:
        UsageError: it cannot be written; what was there is as it was.
    """
    with opened(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, atomic: it is in its place when the `with` ends without an error.

    Raises:
        UsageError: it cannot be written; what was there is as it was.
    """
    with _named(path):
        before = _before(path)
        descriptor = _descriptor(path, before)
        if descriptor is not None:
            with os.fdopen(descriptor, "wb") as file:
                yield file
            return
    with unfinished(path) as new, new.open("wb") as file:
        yield file


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """An empty file next to a regular file, or to one that is to be; an atomic replace at the end.

    Raises:
        UsageError: it cannot be written; what was there is as it was.
    """
    with _named(path):
        before = _before(path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "Is no regular file")
        target = Path(os.path.realpath(path))
        new = target.with_name(_name())
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        with _named(path, new):
            yield new
            if before is not None:
                with suppress(OSError):
                    os.chown(new, before.st_uid, before.st_gid)
                new.chmod(stat.S_IMODE(before.st_mode))
            _bring_to_disk(new)
            new.replace(target)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    with suppress(OSError):
        _bring_to_disk(target.parent)


@contextmanager
def folder(path: Path, *, last: str | None = None) -> Iterator[Path]:
    """A folder to write files into, which are in `path` when the `with` ends without an error.

    Where there is no `path` yet, or an empty folder, the whole one takes its place in one atomic
    step. Else each file does, after all of them were written.

    Args:
        last: the file that comes last, as it says that all others are there.

    Raises:
        UsageError: it cannot be written; what was there is as it was.
    """
    with _named(path):
        target = Path(os.path.realpath(path))
        made = [one for one in (target, *target.parents) if not one.exists()]
        if made:
            target.parent.mkdir(parents=True, exist_ok=True)
        new = place_of(path) / _name()
        try:
            new.mkdir()
        except OSError:
            _forget(made)
            raise
    try:
        with _named(path, new):
            yield new
            files = sorted(one for one in new.rglob("*") if not one.is_dir())
            for file in files:
                _bring_to_disk(file)
            if made:
                new.rename(target)
            elif new.parent == target or not _replaced(target, new):
                _move(sorted(files, key=lambda file: file.name == last), new, target)
        with suppress(OSError):
            _bring_to_disk(target.parent if made else target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        _forget(made)
        raise
    shutil.rmtree(new, ignore_errors=True)


def place_of(path: Path) -> Path:
    """The folder below which `folder(path)` writes, which a connection has to reach."""
    target = Path(os.path.realpath(path))
    return target if target.exists() and not _is_replaceable(target) else target.parent


def require_room(path: Path, what: str) -> None:
    """Before work is done: see that a folder is empty, or not there yet.

    Raises:
        UsageError: it holds something, or cannot be read.
    """
    with _named(path):
        if os.path.lexists(path) and next(path.iterdir(), None) is not None:
            raise UsageError(f"{path}: is not empty; {what} wants a folder of its own")


def fill(path: Path, content: bytes | str) -> None:
    """Write a file inside of what `folder` gives, which sees to it that it is whole.

    Raises:
        UsageError: it cannot be written.
    """
    with _named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def reason(error: OSError) -> str:
    """Why a file cannot be written or read, in words."""
    said = error.strerror or str(error)
    return f"the disk is full ({said})" if error.errno in _FULL else said


def is_full(text: str) -> bool:
    """Whether an engine's message says that the disk is full."""
    return any(os.strerror(number) in text for number in _FULL)


def _before(path: Path) -> os.stat_result | None:
    """What is there; None: nothing, or a link to nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _descriptor(path: Path, before: os.stat_result | None) -> int | None:
    """Where to write directly, if nothing can take the file's place."""
    if before is None:
        return None
    is_open_file = _OPEN_FILES.fullmatch(os.path.realpath(path.parent)) and path.name.isdigit()
    if not stat.S_ISREG(before.st_mode):
        return os.open(path, os.O_WRONLY | os.O_NOCTTY)
    # /dev/stdout can be a file: what else is printed stands before and after the result.
    for number in (1, 2, *([int(path.name)] if is_open_file else [])):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), before):
                sys.stdout.flush()
                return os.dup(number)
    return None


def _move(files: list[Path], new: Path, target: Path) -> None:
    """Let written files take their places; if one cannot, those that are new go again."""
    fresh = []
    try:
        for file in files:
            place = target / file.relative_to(new)
            above = [one for one in place.parents if not one.exists()]
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh += above
            before = _before(place)
            if before is not None and (place.is_symlink() or not stat.S_ISREG(before.st_mode)):
                with file.open("rb") as source, opened(place) as copy:
                    shutil.copyfileobj(source, copy)
                continue
            if before is not None:
                file.chmod(stat.S_IMODE(before.st_mode))
            else:
                fresh.append(place)
            file.replace(place)
    except BaseException:
        for place in reversed(fresh):
            with suppress(OSError):
                place.rmdir() if place.is_dir() else place.unlink()
        raise


def _is_replaceable(target: Path) -> bool:
    """Whether another folder may take the place of one: it is empty, and not the current one."""
    return (
        target.is_dir()
        and os.access(target, os.R_OK | os.W_OK | os.X_OK)
        and os.access(target.parent, os.W_OK | os.X_OK)
        and next(target.iterdir(), None) is None
        and not target.is_mount()
        and not os.path.samestat(target.stat(), Path().stat())
    )


def _replaced(target: Path, new: Path) -> bool:
    """Put a whole folder in the place of an empty one, if the system lets us."""
    before = target.stat()
    try:
        with suppress(OSError):
            os.chown(new, before.st_uid, before.st_gid)
        new.chmod(stat.S_IMODE(before.st_mode))
        new.rename(target)
    except OSError:
        # The parent may be another's (a sticky one), or something has come into the folder
        # meanwhile.
        return False
    return True


def _forget(made: list[Path]) -> None:
    """Take away folders that were made for nothing, if they are empty."""
    for path in made:
        with suppress(OSError):
            path.rmdir()


def _bring_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems know this of no folder.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _name() -> str:
    return f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"


@contextmanager
def _named(path: Path, new: Path | None = None) -> Iterator[None]:
    """Errors of the system as ours, which name the requested file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        ours = {str(path), os.path.realpath(path), str(new), None}
        if (
            error.filename not in ours
            and new is not None
            and not str(error.filename).startswith(str(new))
        ):
            raise
        raise UsageError(f"{path}: cannot be written: {reason(error)}") from error

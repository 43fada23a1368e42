"""What the kernel forbids and limits for this process and its threads."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from contextlib import suppress
from typing import Any

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


def limit(*, memory: int, file_size: int | None) -> None:
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

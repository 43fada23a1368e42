"""Commands as they print to a terminal of some width: a pseudo-terminal, in the test's own process."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import threading
from collections.abc import Callable
from unittest.mock import patch

import typer

from evalhouse.cli import app

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(width: int, *words: object) -> list[str]:
    """The lines that `evalhouse …` prints to a terminal of so many columns, without styles."""

    def command() -> None:
        typer.main.get_command(app).main(
            [str(word) for word in words], "evalhouse", standalone_mode=False
        )

    return printed_on(width, command)


def printed_on(width: int, prints: Callable[[], None]) -> list[str]:
    """The lines that a function prints to a terminal of so many columns, without styles."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    read: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, read))
    reader.start()
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    try:
        with (
            open(theirs, "w", encoding="utf-8") as terminal,  # noqa: PTH123
            patch.dict(os.environ, env | {"TERM": "xterm"}, clear=True),
            patch.object(sys, "stdout", terminal),
        ):
            prints()
    finally:
        reader.join()
        os.close(ours)
    return _STYLE.sub("", b"".join(read).decode().replace("\r\n", "\n")).splitlines()


def _read(file: int, into: list[bytes]) -> None:
    while True:
        try:
            found = os.read(file, 65536)
        except OSError:  # the other end is closed
            return
        if not found:
            return
        into.append(found)

"""What can be in place of a file in a folder that comes from anywhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

Damage = Callable[[Path], object]
SECRET = "the content of another file"


@contextmanager
def in_time(seconds: int = 20) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 * 2**30)


def _link(path: Path) -> None:
    (path.parents[2] / "secret").write_text(SECRET, "utf-8")
    path.symlink_to(path.parents[2] / "secret")


IN_PLACE_OF_A_FILE: dict[str, tuple[Damage, str]] = {
    "a FIFO": (os.mkfifo, "regular file|cannot be read"),
    "a folder": (lambda path: path.mkdir(), "is a folder|no regular file|cannot be read"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "cannot be read|not there|No such"),
    "a link to itself": (lambda path: path.symlink_to(path), "cannot be read|not there|symbolic"),
    "a link out of the folder": (_link, "leads out of|no regular file in|no Parquet file in|no file in"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "leads out of|no regular|no Parquet file|no file in"),
    "10 GB of nothing": (_sparse, "10,737,418,240 bytes|no Parquet"),
    "bytes that are no text": (lambda path: path.write_bytes(b"\xff\xfe\0"), "UTF-8|3 bytes"),
    "a NUL": (lambda path: path.write_bytes(b"a = \0"), "TOML|JSON|is no|5 bytes|nothing else|is one CREATE MACRO"),
    "brackets by the "
    "thousand": (lambda path: path.write_bytes(b"a = " + b"[" * 100_000), "deep|JSON|bytes|Expected|pars"),
    "nothing": (lambda path: path.write_bytes(b""), "."),
}  # fmt: skip

"""A file that was made beside its place, into it: never half of one, and never over another's."""

from __future__ import annotations

import os
from pathlib import Path


def put(new: Path, path: Path) -> None:
    """Let a finished file be at a path where nothing is yet.

    Raises:
        FileExistsError: something is there.
    """
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system knows links: the place is taken, and the file gets there in one step.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        try:
            new.replace(path)
        except BaseException:
            path.unlink()
            raise

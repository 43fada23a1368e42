"""A file that was made beside its place, into it: never half of one, and never over another's."""

from __future__ import annotations

import os
import shutil
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
        # Not every file system knows links.
        with path.open("xb") as target:
            try:
                with new.open("rb") as source:
                    shutil.copyfileobj(source, target)
            except BaseException:
                path.unlink()
                raise

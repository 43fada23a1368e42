"""The Hugging Face hub's cache: `datasets--OWNER--NAME/snapshots/COMMIT/…`, links to `blobs/SHA`.

Only the link has the file's name, and with it the dataset and split that it holds.
"""

from __future__ import annotations

from pathlib import Path

_BEGINS = ("datasets--", "models--", "spaces--")


def is_blob(path: Path) -> bool:
    """Whether a file lies where the cache keeps the content of its files."""
    return path.parent.name == "blobs" and path.parent.parent.name.startswith(_BEGINS)


def is_sidecar(path: Path) -> str | None:
    """What a file of the cache is that holds no data: the commit that a branch is at."""
    for folder in list(path.absolute().parents)[:4]:
        if folder.name == "refs" and folder.parent.name.startswith(_BEGINS):
            return "the hub cache's note of a commit"
    return None

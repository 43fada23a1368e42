"""Files that harnesses write beside their answers and that hold nothing to read.

Each harness's module says which ones are its own, and why they are left; add its `is_sidecar` here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ingest import vlmevalkit_files
from warehouse.errors import InputError

_RECOGNISERS: tuple[Callable[[Path], str | None], ...] = (vlmevalkit_files.is_sidecar,)


class ByProductError(InputError):
    """A file that is known, and holds no answers. `problem` says what it is."""


def refuse(path: Path) -> None:
    """Refuse a by-product.

    Raises:
        ByProductError: it is one.
    """
    for recognise in _RECOGNISERS:
        words = recognise(path)
        if words is not None:
            raise ByProductError(path, words)

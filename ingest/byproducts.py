"""Files that harnesses write next to their answers and that hold nothing to read.

Each harness's module says which files are its own and why they are skipped, as readers do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ingest import readers
from ingest.adapter import ByProductError
from ingest.official import hub_cache
from ingest.reading.probe import Probe
from ingest.vlmevalkit import vlmevalkit_files

_RECOGNISERS: tuple[Callable[[Path], str | None], ...] = (
    vlmevalkit_files.is_sidecar,
    hub_cache.is_sidecar,
    *(reader.sidecar for reader in readers.every()),
)


def describe(path: Path) -> str | None:
    """What a by-product is, and why it is skipped; None: it may hold something to read."""
    return next(
        (words for words in (is_sidecar(path) for is_sidecar in _RECOGNISERS) if words), None
    )


def describe_columns(probe: Probe) -> str | None:
    """What a by-product is that has no name of its own, by its columns; None: it may be read."""
    return vlmevalkit_files.is_verdicts(probe)


def refuse(path: Path, probe: Probe | None = None) -> None:
    """Refuse a by-product.

    Args:
        probe: what its columns are, where that is known already.

    Raises:
        ByProductError: it is one.
    """
    words = describe(path) if probe is None else describe_columns(probe)
    if words is not None:
        raise ByProductError(path, words)

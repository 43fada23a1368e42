"""Files that harnesses write beside their answers and that hold nothing to read.

Each harness's module says which ones are its own, and why they are left; add its `is_sidecar` here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ingest import harness_results
from ingest.every_eval_ever import eee_scores
from ingest.llava import llava_questions
from ingest.lmms_eval import lmms_submission
from ingest.official import hub_cache
from ingest.vlmevalkit import vlmevalkit_files
from warehouse.errors import InputError

_RECOGNISERS: tuple[Callable[[Path], str | None], ...] = (
    vlmevalkit_files.is_sidecar,
    harness_results.is_sidecar,
    lmms_submission.is_sidecar,
    eee_scores.is_sidecar,
    llava_questions.is_sidecar,
    hub_cache.is_sidecar,
)


def told_of(path: Path) -> str | None:
    """What a file is, and why it is left; None: it may hold something to read."""
    return next((words for words in (ask(path) for ask in _RECOGNISERS) if words), None)


class ByProductError(InputError):
    """A file that is known, and holds no answers. `problem` says what it is."""


def refuse(path: Path) -> None:
    """Refuse a by-product.

    Raises:
        ByProductError: it is one.
    """
    words = told_of(path)
    if words is not None:
        raise ByProductError(path, words)

"""Mutations of every real and example file through ingest: no traceback, no hang, no half file, right rows.

Seeds that once failed are in fuzz/seeds.txt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import fuzz, made
from tests.conftest import ROOT
from tests.fuzz import corpus, running

_SEEDS = ROOT / "tests/fuzz/seeds.txt"
_LEAST_ACCEPTED = 0.15
"""Of the inputs; if fewer are, the mutations say nothing about what ingest makes of rows."""


@pytest.fixture(scope="session")
def prepared(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, and the warehouse that knows it."""
    return made.once(tmp_path_factory, "fuzz", lambda folder: corpus.prepare(shared, folder))


def _kept() -> list[int]:
    lines = _SEEDS.read_text("utf-8").splitlines()
    return [int(line) for line in lines if line and not line.startswith("#")]


def _read(prepared: Path, seeds: Sequence[int]) -> None:
    """Read the inputs and print what came of them.

    Raises:
        AssertionError: naming each input that failed, with its seed.
    """
    kinds: Counter[str] = Counter()
    failed = []
    for result in running.results(prepared, seeds):
        kinds[result.kind] += 1
        if result.problem:
            failed.append(running.described(result))
    print(f"\n{len(seeds):,} inputs: {dict(kinds)}, {len(failed):,} failed")
    assert not failed, "\n".join(failed)
    assert kinds.total() == len(seeds)
    if len(seeds) >= 100:
        assert kinds["accepted"] > _LEAST_ACCEPTED * len(seeds)


@pytest.mark.long
def test_what_once_failed(prepared: Path) -> None:
    _read(prepared, _kept())


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(fuzz.CHUNKS))
def test_inputs(prepared: Path, chunk: int) -> None:
    _read(prepared, fuzz.seeds(chunk))

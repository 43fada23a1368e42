"""Inputs made at random from a seed each: how many, and where they begin.

`make test-long` gives 500 of each kind, `make fuzz` 10,000 (2,500 damaged warehouses, each of which four
commands get); EVALHOUSE_FUZZ is another number and EVALHOUSE_FUZZ_SEED one seed, which is one input again.
"""

from __future__ import annotations

import os

N = int(os.environ.get("EVALHOUSE_FUZZ") or 500)
CHUNKS = 8
"""Into which the inputs of one kind are divided, so that several processes share them."""


def seeds(chunk: int, *, begin: int = 0, n: int = N) -> range:
    """The seeds of a chunk, of n seeds from `begin` on."""
    one = os.environ.get("EVALHOUSE_FUZZ_SEED")
    if one:
        return range(int(one), int(one) + (chunk == 0))
    return range(begin + chunk, begin + n, CHUNKS)

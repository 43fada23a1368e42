"""A process that reads the inputs of seeds, one line of JSON for each: `python -m tests.fuzz.worker`.

A process of its own, since an input may hang or end it; the process that started it sees at which seed.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from tests.fuzz.one import Bench

_MAX_ADDRESSES = 16_000_000_000


def main(prepared: str, work: str, seeds: Iterable[int]) -> None:
    """Read the inputs of the seeds, each announced before."""
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_ADDRESSES, _MAX_ADDRESSES))
    bench = Bench(Path(prepared), Path(work))
    for seed in seeds:
        print(json.dumps({"begin": seed}), flush=True)
        print(json.dumps(asdict(bench.run(seed))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.stdin.readline()))

"""Many inputs over worker processes: what came of each, and which of them hung or ended their process."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.one import Result

MAX_SECONDS = 120.0
"""After which a worker hangs. The machine may be busy: `one.MAX_SECONDS` is about the processor's time."""


def results(prepared: Path, seeds: Sequence[int], *, start: float = 60.0) -> Iterator[Result]:
    """Read the inputs of seeds.

    Args:
        prepared: what `corpus.prepare` made.
        start: seconds that a worker may take to begin.
    """
    left = list(seeds)
    while left:
        with tempfile.TemporaryDirectory() as work:
            for result in _of_worker(prepared, Path(work), left, start):
                yield result
                left = left[left.index(result.seed) + 1 :]


def _of_worker(prepared: Path, work: Path, seeds: list[int], start: float) -> Iterator[Result]:
    """The results of one worker; the last one may be that it hung or ended."""
    with (work.parent / f"{work.name}.err").open("w+b") as errors:
        Path(errors.name).unlink()
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker", str(prepared), str(work)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            env=os.environ | {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(seeds).encode() + b"\n")
        worker.stdin.close()
        current = seeds[0]
        try:
            seconds = start
            pending = b""
            while True:
                ready, _, _ = select.select([worker.stdout], [], [], seconds)
                if not ready:
                    yield Result(current, "defect", "?", problem=f"it hung for {seconds} seconds")
                    return
                chunk = os.read(worker.stdout.fileno(), 1 << 20)
                if not chunk:
                    break
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    seconds = MAX_SECONDS
                    if "begin" in message:
                        current = message["begin"]
                    else:
                        yield Result(**message)
            if worker.wait():
                errors.seek(0)
                said = errors.read().decode("utf-8", "replace")[-1500:]
                yield Result(
                    current,
                    "defect",
                    "?",
                    problem=f"the process ended with {worker.returncode}: {said}",
                )
        finally:
            worker.kill()
            worker.wait()


def described(result: Result) -> str:
    """A failed input as a line that says how to have it again."""
    shown = replace(result, words="")
    return f"EVALHOUSE_FUZZ_SEED={result.seed}: {shown.path}: {result.problem}"

"""Measuring: whole processes with their time and memory, and two things in turn.

A whole process is what a user waits for: start, imports, work and end. Peaks of memory are the
kernel's, so each thing whose memory is reported runs in a separate process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
_LAUNCHER = Path(__file__).with_name("launch.py")
EVALHOUSE = (sys.executable, "-c", "from evalhouse.cli import main; main()")


class Failed(Exception):
    """A measured command did not succeed; its output is in the message."""


@dataclass(frozen=True)
class Cost:
    """What something took: seconds on the clock, seconds of processor, peak of memory in bytes."""

    wall: float
    cpu: float
    peak: int
    output: str = ""


def process(
    command: Sequence[str | Path], *, env: dict[str, str] | None = None, cwd: Path = ROOT
) -> Cost:
    """Run a command as a separate process, in the checkout, whose packages Python finds there.

    Raises:
        Failed: it did not end with 0.
    """
    whole = {**os.environ, **(env or {})}
    with tempfile.TemporaryDirectory() as name:
        cost, out = Path(name) / "cost", Path(name) / "out"
        launcher = [sys.executable, "-I", "-S", str(_LAUNCHER), str(cost)]
        with out.open("w", encoding="utf-8") as file:
            ended = subprocess.run(
                [*launcher, *map(str, command)],
                stdout=file,
                stderr=subprocess.STDOUT,
                env=whole,
                cwd=cwd,
                check=False,
            )
        text = out.read_text(encoding="utf-8", errors="replace")
        if ended.returncode:
            raise Failed(f"{' '.join(map(str, command))} failed:\n{text[-4000:]}")
        wall, cpu, peak = cost.read_text(encoding="utf-8").split()
    return Cost(float(wall), float(cpu), int(peak), text)


def evalhouse(*words: str | Path) -> Cost:
    """Run an `evalhouse` command as a separate process."""
    return process([*EVALHOUSE, *words])


def seconds(work: Callable[[], object]) -> float:
    """How long a call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def in_turn(n: int, *works: Callable[[], float]) -> list[list[float]]:
    """Each work's figures over n rounds; every round does all of them, in turning order.

    What disturbs the machine for a while so disturbs all of them, and none profits from being
    first.
    """
    figures: list[list[float]] = [[] for _ in works]
    for round_number in range(n):
        for place in range(len(works)):
            which = (place + round_number) % len(works)
            figures[which].append(works[which]())
    return figures


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Ours over theirs, pair by pair."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def spread(values: Sequence[float], unit: str = "s") -> str:
    """Median, and least to greatest: `1.23 s (1.20–1.31)`."""
    middle, least, most = median(values), min(values), max(values)
    digits = 3 if middle < 0.1 else 2 if middle < 10 else 1
    return f"{middle:,.{digits}f} {unit} ({least:,.{digits}f}–{most:,.{digits}f})"


def gigabytes(n_bytes: int) -> str:
    """Memory or disk, in GiB."""
    return f"{n_bytes / 2**30:.2f} GiB"

"""The options of measurements, and a table of figures and their targets."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from bench.measure import ROOT

PASS, SHORT = "pass", "falls short"
_CPUINFO = Path("/proc/cpuinfo")


def parser(description: str | None) -> argparse.ArgumentParser:
    """Make a parser with the options of every measurement."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--folder", type=Path, default=ROOT / ".bench", help="for the data")
    made.add_argument("--large", action="store_true", help="the sizes of make bench-large")
    made.add_argument("--scale", type=float, default=1.0, help="a share of the sizes, to try out")
    made.add_argument(
        "--pairs", "--rounds", type=int, default=5, help="rounds that a median is over"
    )
    return made


def data_folder(given: argparse.Namespace) -> Path:
    """Where a scale's data lie: sizes are never mixed."""
    folder: Path = given.folder.absolute()
    return folder if given.scale == 1 else folder / f"scale-{given.scale:g}"


def spread(values: Sequence[float], unit: str = "s") -> str:
    """Median, and least to greatest: `1.23 s (1.20–1.31)`; of one value, that alone."""
    middle, least, most = median(values), min(values), max(values)
    digits = 4 if middle < 0.01 else 3 if middle < 0.1 else 2 if middle < 10 else 1
    around = f" ({least:,.{digits}f}–{most:,.{digits}f})" if len(values) > 1 else ""
    return f"{middle:,.{digits}f} {unit}{around}"


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Ours over theirs, pair by pair."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


@dataclass
class Report:
    """What one measurement found out: its title, rows of figures, and notes."""

    title: str
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def section(self, title: str) -> None:
        """What the rows from here on are about."""
        self.rows.append((title,))

    def text(self, what: str, said: str, verdict: str = "") -> None:
        """What is no number, or none with a target."""
        self.rows.append((what, said, "", verdict))

    def figure(
        self,
        what: str,
        values: float | Sequence[float],
        unit: str = "s",
        *,
        most: float | None = None,
        least: float | None = None,
        note: str = "",
    ) -> None:
        """A figure, the median of its values, which passes up to its target or from it on."""
        values = [values] if isinstance(values, int | float) else values
        target, verdict = "", ""
        if most is not None:
            target, verdict = f"≤ {most:.3g} {unit}", PASS if median(values) <= most else SHORT
        if least is not None:
            target, verdict = f"≥ {least:,g} {unit}", PASS if median(values) >= least else SHORT
        self.rows.append((what, f"{spread(values, unit)}{note}", target, verdict))

    def memory(self, what: str, n_bytes: int, most: float | None = None) -> None:
        """A peak of memory, and the most GiB that it should be."""
        self.figure(what, n_bytes / 2**30, "GiB", most=most)

    def show(self, folder: Path) -> None:
        """Print it, and what it ran on."""
        # Wide enough for what is read from a log, where there is no terminal.
        console = Console(highlight=False, width=None if Console().is_terminal else 150)
        table = Table("", "figure", "target", "", title=self.title, title_justify="left")
        for row in self.rows:
            if len(row) == 1:
                table.add_section()
            table.add_row(*(row if len(row) > 1 else (f"[bold]{row[0]}[/bold]",)))
        console.print(table)
        for note in (*self.notes, machine(folder)):
            console.print(note, soft_wrap=True)


def machine(folder: Path) -> str:
    """Describe it: date, processor, memory, versions, and the disk of a folder."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    found = re.search(r"model name\s*: (.+)", _CPUINFO.read_text()) if _CPUINFO.exists() else None
    words = [
        time.strftime("%Y-%m-%d"),
        f"{len(os.sched_getaffinity(0))} cores ({found[1] if found else platform.machine()})",
        f"{memory:.1f} GiB, load {os.getloadavg()[0]:.1f}",
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("duckdb", "polars", "pyarrow")),
        f"{shutil.disk_usage(ROOT if not folder.is_dir() else folder).free / 1e9:,.0f} GB free",
    ]
    return " · ".join(words)

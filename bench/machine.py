"""What a benchmark ran on: date, processor, memory, disk, versions.

python -m bench.machine
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import time
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

PACKAGES = ("duckdb", "polars", "pyarrow")


def describe(folder: Path | None = None) -> str:
    """One paragraph about the machine.

    Args:
        folder: where the data lie, whose free space is reported.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    words = [
        time.strftime("%Y-%m-%d"),
        f"{len(os.sched_getaffinity(0))} cores ({_processor()})",
        f"{memory:.1f} GiB",
        f"{platform.system()} {platform.release()}",
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in PACKAGES),
    ]
    if folder is not None and folder.is_dir():
        words.append(f"{shutil.disk_usage(folder).free / 1e9:,.0f} GB free")
    return " · ".join(words)


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", cpuinfo.read_text()) if cpuinfo.exists() else None
    return found[1] if found else platform.machine()


def main() -> None:
    """Print it."""
    Console(soft_wrap=True, highlight=False).print(describe())


if __name__ == "__main__":
    main()

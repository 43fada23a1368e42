"""The options of every benchmark."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Options:
    """The options of a benchmark.

    Attributes:
        folder: where data are made, and found again.
        large: the sizes of `make bench-large` rather than `make bench`.
        scale: a share of those sizes, to try the scripts out; figures of less than 1 mean nothing.
        pairs: rounds that a median is over.
        profile: whether the engine's profile of each query is written to `profiles`.
    """

    folder: Path
    large: bool
    scale: float
    pairs: int
    profile: bool

    @property
    def data(self) -> Path:
        """Where this scale's data lie: sizes are never mixed."""
        return self.folder if self.scale == 1 else self.folder / f"scale-{self.scale:g}"

    @property
    def profiles(self) -> Path | None:
        """Where profiles go; None: nowhere."""
        return self.folder / "profiles" if self.profile else None

    def words(self) -> list[str]:
        """The options as they are given on a command line."""
        flags = [f"--{name}" for name in ("large", "profile") if getattr(self, name)]
        return [
            *("--folder", str(self.folder), "--scale", f"{self.scale:g}"),
            *("--pairs", str(self.pairs), *flags),
        ]


def read(description: str | None) -> Options:
    """The options of this process's command line."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench", help="for the data")
    parser.add_argument("--large", action="store_true", help="the sizes of make bench-large")
    parser.add_argument("--scale", type=float, default=1.0, help="a share of the sizes, to try out")
    parser.add_argument("--pairs", type=int, default=5, help="rounds that a median is over")
    parser.add_argument("--profile", action="store_true", help="write the engine's profiles")
    given = parser.parse_args()
    return Options(given.folder.absolute(), given.large, given.scale, given.pairs, given.profile)

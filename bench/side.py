"""A checkout with an environment of its own, which makes warehouses and runs commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import measure


class Side:
    """One of two revisions that are compared.

    Attributes:
        checkout: where it is; its environment is its `.venv`.
        python: the Python of that.
        folder: where the files that it makes are to lie.
    """

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.checkout = checkout.resolve()
        self.python = self.checkout / ".venv" / "bin" / "python"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def command(self, *words: str | Path) -> measure.Cost:
        """Run an `evalhouse` command in its folder.

        Raises:
            Failed: it did not end with 0.
        """
        return measure.process([self.python.with_name("evalhouse"), *words], cwd=self.folder)

    def demo(self, preamble: str = "") -> Path:
        """Make the demo, where it is not there; return its warehouse.

        Args:
            preamble: Python that runs before it.
        """
        db = self.folder / "evalhouse-demo" / "demo.duckdb"
        if not db.exists():
            words = f"{preamble}\nfrom evalhouse.cli import main; main()"
            measure.process([self.python, "-P", "-c", words, "demo"], cwd=self.folder)
        return db

    def answers(self, million: float) -> Path:
        """Make so many million generated answers, and their results; return their warehouse."""
        db = self.folder / f"{million:g}-million.duckdb"
        if db.exists():
            return db
        data: Sequence[str | Path] = ("-m", "bench.data", "--million", f"{million:g}", "--direct")
        # Under another name until it is whole: what is there is used again.
        part = db.with_suffix(".part.duckdb")
        part.unlink(missing_ok=True)
        measure.process([self.python, *data, "--db", part], cwd=self.checkout)
        self.command("refresh", "--db", part)
        return part.rename(db)

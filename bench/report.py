"""A table of figures and their targets."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import machine

PASS, SHORT = "pass", "falls short"


@dataclass
class Report:
    """What one script found out.

    Args:
        title: what is measured.
        folder: where the data lie.
    """

    title: str
    folder: Path | None = None
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def section(self, title: str) -> None:
        """What the rows from here on are about."""
        self.rows.append((title,))

    def figure(self, what: str, figure: str) -> None:
        """A figure without a target."""
        self.rows.append((what, figure, "", ""))

    def at_most(self, what: str, figure: str, value: float, target: float, unit: str = "×") -> None:
        """A figure that should not be more than its target."""
        self.rows.append((what, figure, f"≤ {target:g} {unit}", PASS if value <= target else SHORT))

    def at_least(
        self, what: str, figure: str, value: float, target: float, unit: str = "×"
    ) -> None:
        """A figure that should not be less than its target."""
        self.rows.append(
            (what, figure, f"≥ {target:,g} {unit}", PASS if value >= target else SHORT)
        )

    def missing(self, what: str, why: str) -> None:
        """What could not be measured."""
        self.rows.append((what, "-", "", f"not measured: {why}"))

    def show(self) -> None:
        """Print it."""
        # Wide enough for what is read from a log, where there is no terminal.
        console = Console(highlight=False, width=None if Console().is_terminal else 150)
        table = Table("", "figure", "target", "", title=self.title, title_justify="left")
        for row in self.rows:
            if len(row) == 1:
                table.add_section()
                table.add_row(f"[bold]{row[0]}[/bold]")
            else:
                table.add_row(*row)
        console.print(table)
        for note in self.notes:
            console.print(note, soft_wrap=True)
        console.print(machine.describe(self.folder), soft_wrap=True)

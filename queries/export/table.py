"""A file of rows and columns, before it is written."""

from __future__ import annotations

from dataclasses import dataclass, field

# What pandas takes for nothing when it reads a table.
_NOTHING = frozenset(
    [
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "None",
        "n/a",
        "nan",
        "null",
    ]
)


@dataclass(frozen=True)
class Table:
    """A file to be written.

    Attributes:
        stem: its name without what is behind the dot.
        summary: what it holds, in one line.
        notes: what it does not hold, or holds otherwise.
    """

    stem: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | str | None, ...], ...]
    summary: str
    notes: tuple[str, ...] = field(default=())

    @property
    def n_taken_for_nothing(self) -> int:
        """Cells with a word that pandas, and so the harness, takes for an empty cell."""
        return sum(cell in _NOTHING for row in self.rows for cell in row if isinstance(cell, str))

"""Questions that stand next to answers in file after file: what was loaded once is not compared again.

A work dir holds a dataset's questions once per model. Where every row of a file says what a row of
an earlier file of the same dataset said, which was loaded without a note, there is nothing to add,
nothing to refuse and nothing to note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import duckdb

from warehouse import statements

KEPT = "seen_question"
"""The temporary table of what was seen, which files after this one need."""
_SQL = statements.of_module(__file__)


@dataclass
class Seen:
    """What of a file's questions was seen, for datasets by the file's split."""

    con: duckdb.DuckDBPyConnection
    found: dict[tuple[int, str | None], bool] = field(default_factory=dict)

    def all_of(self, dataset_id: int, split: str | None) -> bool:
        """Whether every row of a split was seen in a file of that dataset."""
        key = (dataset_id, split)
        if key not in self.found:
            ((self.found[key],),) = self.con.execute(
                _SQL["are_all_seen"], {"dataset_id": dataset_id, "split": split}
            ).fetchall()
        return self.found[key]


def prepare(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table of what was seen, empty."""
    con.execute(_SQL["prepare"])


def sign(con: duckdb.DuckDBPyConnection, task: str) -> Seen:
    """Reduce each staged row of questions to a number of all that it says, in `stage_signed`."""
    con.execute(_SQL["sign"], {"task": task})
    return Seen(con)


def remember(con: duckdb.DuckDBPyConnection, datasets: Sequence[tuple[str | None, int]]) -> None:
    """Keep what the rows of these splits said, now that their datasets hold it."""
    for split, dataset_id in datasets:
        con.execute(_SQL["remember"], {"split": split, "dataset_id": dataset_id})


def forget(con: duckdb.DuckDBPyConnection, datasets: Sequence[tuple[str | None, int]]) -> None:
    """Compare rows of these datasets again: they are no longer what they were."""
    for _, dataset_id in datasets:
        con.execute(_SQL["forget"], {"dataset_id": dataset_id})

"""Of which dataset a file is where the harness takes a sample of one, and may mix up its choices.

The file names a dataset, and its questions are a part of it: they add to those that are there. But
where some of its keys are those of other questions, or the choices of a question stand in another
order, so that letters mean something else, it is a dataset of its own, `NAME/sample-HASH` or
`NAME/order-HASH`, which further files like it are of too. A dataset that a question file defined takes
no other questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from ingest.facts import same_content
from warehouse import statements

_SQL = statements.of_module(__file__)
_KINDS = ("order", "sample")


@dataclass(frozen=True)
class Fitting:
    """What was found: the row of a dataset, or the version of one to be made, and what to say."""

    row: Sequence[Any] | None = None
    version: str | None = None
    note: str | None = None


def find(
    con: duckdb.DuckDBPyConnection,
    rows: Sequence[Sequence[Any]],
    identity: tuple[str | None, str | None, str | None],
    split: str | None,
) -> Fitting | None:
    """The dataset that the staged questions are of; None: none of that name is there.

    Args:
        rows: the benchmark's datasets, as the statement datasets_of_benchmark gives them.
        identity: version, split and language, as the file says.
        split: the split in the file.
    """
    plain = next((row for row in rows if tuple(row[2:5]) == identity), None)
    if plain is None:
        return None
    reason = _misfit(con, plain, split)
    if reason is None:
        return Fitting(plain)
    if reason == "sample" and plain[5]:
        return None
    begin = f"{identity[0]} " if identity[0] else ""
    words = {
        "order": f"choices stand in another order than in {plain[1]}, so letters mean something else",
        "sample": f"some of its ids are those of other questions in {plain[1]}",
    }
    for row in rows:
        version = str(row[2] or "")
        is_own = version.startswith(tuple(f"{begin}{kind}-" for kind in _KINDS))
        if is_own and tuple(row[3:5]) == identity[1:] and _misfit(con, row, split) is None:
            return Fitting(row, note=f"{words[reason]}; it is of {row[1]}")
    ((digest,),) = con.execute(_SQL["digest"], {"split": split}).fetchall()
    version = f"{begin}{reason}-{digest[:8]}"
    return Fitting(None, version, f"{words[reason]}; it is a dataset of its own")


def _misfit(con: duckdb.DuckDBPyConnection, row: Sequence[Any], split: str | None) -> str | None:
    """Why the staged questions are not a dataset's: their order of choices, or what they ask."""
    of = {"dataset_id": row[0], "split": split}
    if con.execute(_SQL["is_reordered"], of).fetchall() == [(True,)]:
        return "order"
    ((n_known, n_other),) = con.execute(_SQL["overlap"], of).fetchall()
    # A question file may write a text a little otherwise.
    is_other = n_other * 2 > n_known if row[5] else n_other > 0
    if is_other and not same_content.are_all_of(con, row[0], split):
        return "sample"
    return None

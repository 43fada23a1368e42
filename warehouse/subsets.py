"""Named subsets of a dataset's questions, such as MM-Vet's Bard set."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from warehouse import sources, statements
from warehouse.errors import UsageError
from warehouse.wording import counted

RESERVED = "all"
"""What views call the whole dataset."""

_SQL = statements.of_module(__file__)


def create(
    con: duckdb.DuckDBPyConnection,
    name: str,
    dataset_id: int,
    question_ids: Sequence[int],
    *,
    source_id: int,
    replace: bool = False,
) -> int | None:
    """Name a set of questions; return its id, or None if the dataset has the same set by that name.

    Args:
        question_ids: questions of the dataset, each once.
        replace: whether a set of the same name with other questions is superseded. Its rows stay.

    Raises:
        UsageError: the name is blank, reserved or taken, or the set is empty.
    """
    if not name.strip():
        raise UsageError("a subset's name cannot be blank")
    if name.strip().lower() == RESERVED:
        raise UsageError(f"a subset cannot be named {name}: that is the whole dataset")
    if not question_ids:
        raise UsageError(f"the subset {name} would have no questions")
    there = con.execute(_SQL["live_subset"], {"dataset_id": dataset_id, "name": name}).fetchone()
    if there is not None:
        if sorted(there[2]) == sorted(question_ids):
            return None
        if not replace:
            raise UsageError(
                f"there is a subset {there[1]} with {counted(len(there[2]), 'question')} already, and these "
                f"{len(question_ids):,} are not the same; --replace supersedes it, another name keeps "
                "both"
            )
        con.execute(_SQL["supersede"], {"subset_id": there[0], "source_id": source_id})
    subset_id = sources.next_id(con, "dataset_subset")
    con.execute(
        _SQL["add_subset"],
        {"subset_id": subset_id, "dataset_id": dataset_id, "name": name, "source_id": source_id},
    )
    con.execute(
        _SQL["add_questions"],
        {"subset_id": subset_id, "question_ids": list(question_ids), "source_id": source_id},
    )
    return subset_id


def names(con: duckdb.DuckDBPyConnection, dataset_id: int) -> tuple[str, ...]:
    """The names of a dataset's subsets, in order."""
    rows = con.execute(_SQL["names"], {"dataset_id": dataset_id}).fetchall()
    return tuple(str(name) for (name,) in rows)

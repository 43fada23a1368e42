"""Questions that a file numbers otherwise than the dataset: the same by their content.

Harnesses number documents in their own way. A question whose key is not the dataset's, or is the key of
a question with another text, is looked for by its text, choices (in any order) and images, where both
tell images. It must be the only one like it, in the file and in the dataset.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.settings import Staged
from warehouse import statements

_SQL = statements.beside(__file__)
_KEYED = (
    "stage_question",
    "stage_choice",
    "stage_attribute",
    "stage_ability",
    "stage_prediction",
    "stage_score",
    "stage_reference",
    "stage_component",
    "stage_judgment",
    "stage_log",
)


def count(con: duckdb.DuckDBPyConnection, dataset_id: int, split: str | None) -> int:
    """How many of a split's staged questions are a dataset's, by key and content or by content alone."""
    _say_datasets(con, [(split, dataset_id)])
    _find(con)
    ((n,),) = con.execute("SELECT count(*) FROM stage_same").fetchall()
    return int(n)


def use_known_keys(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    staged: Staged,
    datasets: Sequence[tuple[str | None, int]],
) -> str | None:
    """Give staged rows the dataset's keys of their questions; return a note if any changed.

    Args:
        datasets: the file's splits, and the id of the dataset that each belongs to.

    Raises:
        InputError: a key means one question in the file and another one in the dataset.
    """
    _say_datasets(con, datasets)
    if con.execute(_SQL["are_others"]).fetchall() == [(False,)]:
        return None
    _find(con)
    ((n, example),) = con.execute(_SQL["count_renamed"]).fetchall()
    if not n:
        return None
    refuse_first(
        con,
        path,
        _SQL["taken_keys"],
        staged.fields["question_key"],
        lambda row: (
            f"question {row[1]} is no question of the dataset by text and choices, and the dataset's "
            f"{row[1]} is the file's {row[2]}: the file numbers questions otherwise"
        ),
    )
    for table in _KEYED:
        con.execute(_SQL["rename"].format(table=table))
    here, there = example
    return (
        f"{n:,} questions have other keys in the dataset (such as {here}, which is {there} there); "
        "they are the same by text and choices"
    )


def _say_datasets(
    con: duckdb.DuckDBPyConnection, datasets: Sequence[tuple[str | None, int]]
) -> None:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_aligned_dataset (split_key VARCHAR, dataset_id INTEGER)"
    )
    con.executemany(
        "INSERT INTO stage_aligned_dataset VALUES (?, ?)",
        [[split or "", dataset_id] for split, dataset_id in datasets],
    )


def _find(con: duckdb.DuckDBPyConnection) -> None:
    for name in ("find_told", "find_known", "find_same"):
        con.execute(_SQL[name])

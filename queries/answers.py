"""What runs made of questions, pass by pass and judge by judge: the same for `show` and for pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from queries import session


def of_runs(
    con: duckdb.DuckDBPyConnection, task: str, runs: Sequence[int], question_ids: Sequence[int]
) -> list[dict[str, Any]]:
    """The answers of some runs to some questions; many take about as long as one.

    The release is in use. `attributes` of each are what stood next to it, reasoning first; not its prompt.

    Args:
        task: of their benchmark.
        runs: their numbers; none: there is no answer.
    """
    if not runs:
        return []
    query = "answers" if task == "choice" else "answers_in_words"
    given = {"questions": list(question_ids), **between(runs)}
    said = session.frame(con, query, given).to_dicts()
    of_each: dict[tuple[int, ...], list[dict[str, Any]]] = {}
    for one in session.frame(con, "answer_attributes", given).to_dicts():
        of_each.setdefault(_place(one), []).append(one)
    return [row | {"attributes": of_each.get(_place(row), [])} for row in said]


def _place(row: dict[str, Any]) -> tuple[int, ...]:
    return row["run_id"], row["question_id"], row["pass"], row["sample"]


def between(runs: Sequence[int]) -> dict[str, Any]:
    """Runs as queries want them: with the first and the last, which the engine looks at before it reads."""
    return {"runs": list(runs), "first": min(runs), "last": max(runs)}

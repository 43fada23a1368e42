"""What runs made of questions, pass by pass and judge by judge: the same for `show` and for pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from queries import few_runs


def of_runs(
    con: duckdb.DuckDBPyConnection, task: str, runs: Sequence[int], question_ids: Sequence[int]
) -> list[dict[str, Any]]:
    """The answers of some runs to some questions; many take about as long as one.

    The release is in use.

    Args:
        task: of their benchmark.
        runs: their numbers; none: there is no answer.
    """
    if not runs:
        return []
    query = "answers" if task == "choice" else "answers_in_words"
    given = {"questions": list(question_ids), **between(runs)}
    return few_runs.frame_of_runs(con, query, runs, given).to_dicts()


def between(runs: Sequence[int]) -> dict[str, Any]:
    """Runs as queries want them: with the first and the last, which the engine looks at before it reads."""
    return {"runs": list(runs), "first": min(runs), "last": max(runs)}

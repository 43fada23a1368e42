"""What `ingest` says in the end: how far our figures are from those that the harness wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from evalhouse.api import Warehouse
from queries import differences
from warehouse.connection import first_line
from warehouse.errors import EvalhouseError

_MOST_SCORES = 200_000
"""Scores of samples that are compared while the user waits."""
_MOST_RUNS = 5
_MOST_FIGURES = 3
_NOTHING_OF_OURS = "no figure of ours for this metric"


def lines(house: Warehouse, source_ids: Sequence[int]) -> list[str]:
    """The lines; none and a note where it cannot be said now: the facts are stored all the same.

    Args:
        source_ids: of files that say what their harness made of answers.
    """
    try:
        return list(_lines(house, source_ids))
    except (EvalhouseError, duckdb.Error) as error:
        house.note(
            f"the facts are stored, but not compared with the harness's ({first_line(error)}); "
            "`evalhouse differences` does that later"
        )
        return []


def _lines(house: Warehouse, source_ids: Sequence[int]) -> Iterator[str]:
    """A line for each run of the files whose figures differ, and one in total where there are several."""
    if not source_ids:
        return
    with house.reading() as con:
        news = differences.news(con, source_ids)
        if not news.run_ids or news.n_scores > _MOST_SCORES:
            yield (
                f"the harness's own figures and scores are stored ({_counted(news)}): "
                "`evalhouse differences` compares them with ours"
            )
            return
        rows = differences.figures(con, news.run_ids).to_dicts()
    # Standard errors and the like: there is nothing of ours to compare them with.
    rows = [row for row in rows if row["reason"] != _NOTHING_OF_OURS]
    runs: dict[int, list[dict[str, Any]]] = {run_id: [] for run_id in news.run_ids}
    for row in rows:
        runs[row["run_id"]].append(row)
    differing = {
        run_id: of_run
        for run_id, of_run in runs.items()
        if any(not row["is_same"] or row["n_unread"] for row in of_run)
    }
    if len(runs) > 1:
        n_same = sum(row["is_same"] for row in rows)
        yield (
            f"the harness's figures: {n_same:,} of {len(rows):,} are the same here, of {len(runs):,} runs"
            + ("; one run differs:" if len(differing) == 1 else "")
            + (f"; {len(differing):,} runs differ:" if len(differing) > 1 else "")
        )
    shown = list(differing)[:_MOST_RUNS] if len(runs) > 1 else list(runs)
    for run_id in shown:
        yield ("  " if len(runs) > 1 else "") + _of_run(run_id, runs[run_id])
    if len(differing) > len(shown):
        yield f"  and {len(differing) - len(shown):,} more: `evalhouse differences`"


def _of_run(run_id: int, rows: Sequence[Mapping[str, Any]]) -> str:
    n_same = sum(row["is_same"] for row in rows)
    noun = "figure" if len(rows) == 1 else "figures"
    text = f"run {run_id} agrees with the harness in {n_same:,} of {len(rows):,} {noun}"
    other = [row for row in rows if not row["is_same"]]
    # First those whose answers are scored otherwise, not only their mean.
    other.sort(key=lambda row: not row["n_differ"])
    for row in other[:_MOST_FIGURES]:
        text += f"; {_difference(row)}"
    if len(other) > _MOST_FIGURES:
        text += f"; and {len(other) - _MOST_FIGURES:,} more"
    n_unread = max((row["n_unread"] or 0 for row in rows), default=0)
    if n_unread and not any("no rule of ours reads" in (row["reason"] or "") for row in other[:_MOST_FIGURES]):  # fmt: skip
        text += f"; {n_unread:,} answers that the harness read are read by no rule of ours"
    return text + (f" (`evalhouse differences {run_id}`)" if other or n_unread else "")


def _difference(row: Mapping[str, Any]) -> str:
    name = f"{row['metric']},{row['filter']}" if row["filter"] else row["metric"]
    there, here = (_number(row[column]) for column in ("published", "ours"))
    return f"{name} is {there} there, {here} here: {row['reason']}"


def _number(value: float | None) -> str:
    if value is None:
        return "none"
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:.2f}"


def _counted(news: differences.News) -> str:
    counts = (news.n_figures, "figure", ""), (news.n_scores, "score", " of answers")
    return ", ".join(f"{n:,} {what}{'s' * (n > 1)}{rest}" for n, what, rest in counts if n)

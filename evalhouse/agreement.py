"""What `ingest` says in the end: how far our figures are from those that the harness wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb

from evalhouse.api import Warehouse
from queries import differences
from warehouse.connection import first_line
from warehouse.errors import EvalhouseError
from warehouse.wording import counted

_MOST_SCORES = 200_000
"""Scores of samples that are compared while the user waits."""
_MOST_FIGURES_ALONE = 20_000
"""The same of figures of runs without such scores."""
_MOST_RUNS = 5
_MOST_FIGURES = 3
_NOTHING_OF_OURS = "nothing_of_ours"
"""The kind of reason of figures such as BLEU, which nothing of ours measures."""


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
        if not news.run_ids and not news.n_figures:
            return
        if news.n_scores > _MOST_SCORES or news.n_figures > _MOST_FIGURES_ALONE:
            yield (
                f"the harness's own figures and scores are stored ({_counted(news)}): "
                "`evalhouse differences` compares them with ours"
            )
            return
        alone = differences.alone(con, source_ids) if news.n_alone else []
        rows = differences.figures(con, news.run_ids).to_dicts() if news.run_ids else []
    yield from map(_of_figures, alone)
    if rows:
        yield from _of_scored(rows, news.run_ids)
    elif not alone:
        yield (
            f"the harness's own figures and scores are stored ({_counted(news)}), and no run here is theirs"
        )


def _of_figures(alone: differences.Alone) -> str:
    """The line on figures without scores of answers."""
    text = (
        f"the harness's figures: {alone.n_same:,} of {alone.n_figures:,} are the same here, of "
        + ("one run" if alone.n_runs == 1 else f"{alone.n_runs:,} runs")
    )
    if alone.n_without:
        text += f"; {alone.n_without:,} have none of ours"
    if alone.n_same == alone.n_figures:
        return text
    text += "; `evalhouse differences` names each"
    peer = differences.PEERS.get(alone.harness or "")
    return f"{text}, with `--release {peer}` under the rules of {alone.harness}" if peer else text


def _of_scored(rows: Sequence[dict[str, Any]], run_ids: Sequence[int]) -> Iterator[str]:
    """The lines on runs whose answers the harness scored one by one."""
    runs: dict[int, list[dict[str, Any]]] = {run_id: [] for run_id in run_ids}
    for row in rows:
        runs[row["run_id"]].append(row)
    comparable = [row for row in rows if _is_comparable(row)]
    differing = {
        run_id: of_run
        for run_id, of_run in runs.items()
        if any(
            (not row["is_same"] and _is_comparable(row)) or row["n_unread"] or row["note"]
            for row in of_run
        )
    }
    if len(runs) > 1:
        n_same = sum(row["is_same"] for row in comparable)
        yield (
            f"the harness's figures: {n_same:,} of {len(comparable):,} are the same here, of {len(runs):,} runs"
            + _uncompared(len(rows) - len(comparable))
            + _to_look_at(differing)
        )
    shown = list(differing)[:_MOST_RUNS] if len(runs) > 1 else list(runs)
    for run_id in shown:
        yield ("  " if len(runs) > 1 else "") + _of_run(run_id, runs[run_id])
    if len(differing) > len(shown):
        yield f"  and {len(differing) - len(shown):,} more: `evalhouse differences`"


def _to_look_at(runs: Mapping[int, Sequence[Mapping[str, Any]]]) -> str:
    """Which runs' lines follow."""
    if not runs:
        return ""
    n = len(runs)
    if any(
        not row["is_same"] and _is_comparable(row) for of_run in runs.values() for row in of_run
    ):
        return "; one run differs:" if n == 1 else f"; {n:,} runs differ:"
    return f"; rules alone differ in {'one run' if n == 1 else f'{n:,} runs'}:"


def _is_comparable(row: Mapping[str, Any]) -> bool:
    return bool(row["reason_kind"] != _NOTHING_OF_OURS)


def _uncompared(n: int) -> str:
    """How many figures nothing of ours compares with."""
    return f"; nothing of ours compares with {n:,} more" if n else ""


def _of_run(run_id: int, every: Sequence[Mapping[str, Any]]) -> str:
    rows = [row for row in every if _is_comparable(row)]
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
    notes = dict.fromkeys(
        (row["filter"] or row["metric"], row["note"]) for row in rows if row["note"]
    )
    several = len({note for _, note in notes}) > 1
    for metric, note in list(notes)[:_MOST_FIGURES] if several else list(notes)[:1]:
        text += f"; of {metric} {note}" if several else f"; {note}"
    n_unread = max((row["n_unread"] or 0 for row in rows), default=0)
    if (
        n_unread
        and not notes
        and not any(
            "no rule of ours reads" in (row["reason"] or "") for row in other[:_MOST_FIGURES]
        )
    ):
        text += (
            "; "
            f"{counted(n_unread, 'answer that the harness read is', 'answers that the harness read are')} "
            "read by no rule of ours"
        )
    text += _uncompared(len(every) - len(rows))
    return text + (f" (`evalhouse differences {run_id}`)" if other or n_unread or notes else "")


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

"""What a page about a question shows: each pass with its answer, and why it counts as it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]

WHY = {
    "rule": "the rules read the answer",
    "judge": "the rules read none, and the judge's reply names one",
    "none": "the rules read none, and the judge says that it is none of the choices",
    "random": "no attempt of the judge could be read, so a label was drawn",
    "unresolved": "nothing read an answer",
    "pending": "the rules read none, and the judge has not replied yet",
    "missing": "there is no answer",
    "ranked": "the choice with the best score was taken",
    "graded": "the judge's score",
}


def passes_of(question: Row, run: int, judge: str) -> list[Row]:
    """Each pass and sample of a run: the choices, and what each judge makes of it, the chosen one first."""
    found: dict[tuple[int, int, str], list[Row]] = {}
    for row in (one for one in question["answers"] if one["run_id"] == run):
        found.setdefault((row["sample"], row["pass"], row["component"]), []).append(row)
    return [
        {
            "pass": number,
            "sample": sample,
            "component": component,
            "choices": question["choices"].get(number, ()),
            "hidden": number in question["hidden"],
            "rows": _chosen_first(rows, judge),
            "main": _main(rows, judge),
        }
        for (sample, number, component), rows in found.items()
    ]


def _main(rows: Sequence[Row], judge: str) -> Row:
    return next((row for row in rows if row["judge"] == judge), rows[0])


def _chosen_first(rows: Sequence[Row], judge: str) -> list[Row]:
    return sorted(rows, key=lambda row: (row["judge"] != judge, row["judge"], row["judge_sample"]))

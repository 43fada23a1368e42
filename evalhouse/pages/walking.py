"""From a question of a list to the next one, in a report; on live pages SQL knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """Where a question is in a list, from 1, and what is next to it; None: it is not, or there is none."""

    place: int | None
    row: Row | None
    previous: Row | None
    next: Row | None
    next_wrong: Row | None


def step_of(found: Sequence[Row], question_id: int) -> Step:
    """A question's neighbours, and the next one after it that is wrong."""
    place = next((n for n, row in enumerate(found) if row["question_id"] == question_id), None)
    if place is None:
        return Step(None, None, None, None, None)
    after = found[place + 1 :]
    return Step(
        place + 1,
        found[place],
        found[place - 1] if place else None,
        after[0] if after else None,
        next((row for row in after if row["score"] is not None and row["score"] <= 0), None),
    )

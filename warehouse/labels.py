"""Plans of what people should label: strata, how many of each are drawn, and the draws as facts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import duckdb

from warehouse import sources, statements
from warehouse.errors import UsageError
from warehouse.tables import WORDS
from warehouse.wording import counted

ALLOCATIONS = tuple(WORDS["label_plan.allocation"])
LEAST = 2
"""Draws from each stratum that has as many: with fewer its spread is unknown."""
_LEAST_SPREAD = 0.1
"""What Neyman's allocation takes a stratum's spread for where the judge scores all of it alike."""

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Stratum:
    """A part of what can be labelled: its questions of runs, and the judge's spread over them."""

    name: str
    n: int
    spread: float


@dataclass(frozen=True)
class Plan:
    """What a plan is: everything but what it drew from.

    Attributes:
        n: how many questions of runs to draw.
        divided_by: model, ability, verdict; none: one stratum.
        allocation: one of ALLOCATIONS.
        seed: what the hash of the order begins with.
    """

    judge_id: int
    benchmark_id: int
    n: int
    divided_by: tuple[str, ...]
    allocation: str
    seed: int


def allocate(strata: Sequence[Stratum], n: int, allocation: str) -> dict[str, int]:
    """How many to draw of each stratum: proportional to its size, or to its size and spread (Neyman 1934).

    At least LEAST of each, as far as it has them; what a stratum cannot give goes to the others.

    Raises:
        UsageError: n is too small for that.
    """
    least = {one.name: min(LEAST, one.n) for one in strata}
    if n < sum(least.values()):
        raise UsageError(
            f"{counted(len(strata), 'stratum', 'strata')} want at least "
            f"{counted(sum(least.values()), 'label')}, {LEAST} each, and --n is {n:,}: "
            "divide by less, or label more"
        )
    weights = {
        one.name: one.n * (max(one.spread, _LEAST_SPREAD) if allocation == "neyman" else 1.0)
        for one in strata
    }
    sizes = {one.name: one.n for one in strata}
    drawn = dict(least)
    left = min(n, sum(sizes.values())) - sum(drawn.values())
    # One at a time to where most is owed, which is the largest remainder with floors and ceilings.
    while left > 0:
        name = max(
            (one for one in weights if drawn[one] < sizes[one]),
            key=lambda one: (weights[one] / (drawn[one] + 1), one),
        )
        drawn[name] += 1
        left -= 1
    return drawn


def add(
    con: duckdb.DuckDBPyConnection, plan: Plan, drawn: Mapping[str, int], *, rows: str
) -> tuple[int, int] | None:
    """Store a plan; return its id and how many it drew, or None where the same one is there and holds.

    Where a later plan holds, the same one is stored again, so that it holds.

    Args:
        drawn: how many of each stratum.
        rows: a query of run_id, question_id, stratum and place, the place within the stratum from 1.
    """
    con.execute(
        _SQL["frame"].format(rows=rows), {"names": list(drawn), "counts": list(drawn.values())}
    )
    ((content,),) = con.execute(_SQL["content"]).fetchall()
    ((judge,),) = con.execute(_SQL["judge"], {"judge_id": plan.judge_id}).fetchall()
    which = {"judge_id": plan.judge_id, "benchmark_id": plan.benchmark_id}
    ((latest,),) = con.execute(_SQL["latest"], which).fetchall()
    # A plan that is stored again is a source of its own: its content has how often it was before.
    for n_before in count():
        text = json.dumps([judge, plan.seed, content, *([n_before] if n_before else [])])
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        found = con.execute(_SQL["there"], {"sha256": sha256}).fetchall()
        if not found:
            break
        if found[0][0] == latest:
            return None
    source = sources.Source(
        path="evalhouse:label plan",
        sha256=sha256,
        bytes=len(text),
        format="label_plan",
        adapter_version=1,
        flags={
            "n": plan.n,
            "by": list(plan.divided_by),
            "allocate": plan.allocation,
            "seed": plan.seed,
        },
        n_rows=sum(drawn.values()),
    )
    source_id = sources.add(con, source)
    plan_id = sources.next_id(con, "label_plan")
    con.execute(
        _SQL["add_plan"],
        {
            "plan_id": plan_id,
            "judge_id": plan.judge_id,
            "benchmark_id": plan.benchmark_id,
            "n": plan.n,
            "divided_by": ",".join(plan.divided_by),
            "allocation": plan.allocation,
            "seed": plan.seed,
            "source_id": source_id,
        },
    )
    con.execute(_SQL["add_units"], {"plan_id": plan_id})
    return plan_id, sum(drawn.values())

"""What a plan of labels draws from: the questions of runs that a judge decides, in strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from queries import studies
from queries.install import LATEST
from warehouse import judges, labels, statements
from warehouse.errors import UsageError

DIVISIONS = ("model", "ability", "verdict")

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Frame:
    """A plan, its strata with how many of each it draws, and the query of its questions of runs."""

    plan: labels.Plan
    benchmark: str
    strata: tuple[labels.Stratum, ...]
    drawn: dict[str, int]
    rows: str


def make(
    con: duckdb.DuckDBPyConnection,
    judge: str,
    *,
    n: int,
    benchmark: str | None = None,
    divided_by: Sequence[str] = (),
    allocation: str = labels.ALLOCATIONS[0],
    seed: int = 0,
    release: str = LATEST,
) -> Frame:
    """Draw: each stratum in the order of a hash of the seed and of what a question of a run is called.

    Args:
        con: a connection that may make temporary tables.
        judge: whose verdicts are to be checked.
        n: how many questions of runs.
        benchmark: by default the only one of which the judge decides any.
        divided_by: some of DIVISIONS.

    Raises:
        UsageError: no such judge, benchmark or division, or the judge decides nothing.
    """
    for one in divided_by:
        if one not in DIVISIONS or list(divided_by).count(one) > 1:
            raise UsageError(f"--by is some of {','.join(DIVISIONS)}, each once, not {one!r}")
    if allocation not in labels.ALLOCATIONS:
        raise UsageError(f"--allocate is {' or '.join(labels.ALLOCATIONS)}, not {allocation!r}")
    judge_id, known = judges.known(con, judge)
    if known.kind == "human":
        raise UsageError(f"{judge} is a person: a plan is for the verdicts of a judge that is none")
    source = studies.sources(con, ["judged_question"], release)["judged_question"]
    name, benchmark_id = _benchmark(con, source, judge_id, judge, benchmark)
    con.execute(
        _SQL["units"].format(source=source),
        {
            "judge_id": judge_id,
            "benchmark_id": benchmark_id,
            "by_model": "model" in divided_by,
            "by_ability": "ability" in divided_by,
            "by_verdict": "verdict" in divided_by,
            "seed": seed,
        },
    )
    strata = tuple(labels.Stratum(*row) for row in con.execute(_SQL["strata"]).fetchall())
    plan = labels.Plan(judge_id, benchmark_id, n, tuple(divided_by), allocation, seed)
    return Frame(plan, name, strata, labels.allocate(strata, n, allocation), _SQL["rows"])


def _benchmark(
    con: duckdb.DuckDBPyConnection, source: str, judge_id: int, judge: str, benchmark: str | None
) -> tuple[str, int]:
    """The benchmark's name and id."""
    rows = con.execute(_SQL["benchmarks"].format(source=source), {"judge_id": judge_id}).fetchall()
    found = [row for row in rows if benchmark is None or row[0].lower() == benchmark.lower()]
    if len(found) == 1:
        return str(found[0][0]), int(found[0][1])
    offered = ", ".join(row[0] for row in rows)
    if not rows:
        raise UsageError(f"{judge} decides no question here whose score is known")
    if benchmark is None:
        raise UsageError(
            f"{judge} decides questions of several benchmarks: say --benchmark, one of {offered}"
        )
    raise UsageError(f"{judge} decides nothing of {benchmark}, only of {offered}")

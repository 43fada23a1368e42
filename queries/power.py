"""How large a difference has to be to be seen, and how many questions or answers a difference takes.

From what this warehouse's own runs differ by, question by question: the normal approximation of a two-sided
paired test (Miller, arXiv 2411.00640, Section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist, median
from typing import Any

import duckdb

from queries import session, studies
from queries.choosing import NONE, choose_benchmark, choose_strategy, judges_of_datasets
from queries.comparison import Comparison
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.later import pl

LEVEL = 0.05
POWER = 0.8


@dataclass(frozen=True)
class Spread:
    """What two runs differ by over questions.

    Attributes:
        n: questions that both answered.
        difference: the first one's mean less the second's.
        variance: of the difference of one question, so that the squared standard error is variance / n.
        of_answers: what of it is which answers the two happened to give; None: it is not known, as one of
            the two has one answer to a question.
        n_answers: how many answers to a question both have.
    """

    n: int
    difference: float
    variance: float
    of_answers: float | None = None
    n_answers: int = 1

    def least(self, n: int | None = None, power: float = POWER) -> float:
        """The smallest difference that n questions (by default these) show."""
        return _reach(power) * sqrt(self.variance / (n or self.n))

    def questions(self, effect: float, power: float = POWER) -> int | None:
        """How many questions of this kind a difference takes; None: no difference."""
        return ceil(self.variance * (_reach(power) / effect) ** 2) if effect else None

    def answers(self, effect: float, power: float = POWER) -> int | None:
        """How many answers to each question it takes over these questions; None: no number is enough, or
        that is not known."""
        if self.of_answers is None:
            return None
        allowed = self.n * (effect / _reach(power)) ** 2
        # An estimate of what is left below 0 would have a few answers show any difference.
        settled = max(0.0, self.variance - self.of_answers)
        if allowed <= settled or self.of_answers <= 0:
            return None
        return ceil(self.of_answers * self.n_answers / (allowed - settled))


def of_pair(con: duckdb.DuckDBPyConnection, found: Comparison) -> Spread:
    """The spread between two runs that were compared, with the release in use that they were compared in.

    Raises:
        UsageError: every question came out alike, or there is one alone.
    """
    row = found.frame.row(0, named=True)
    if not row["stderr"]:
        raise UsageError("the two runs differ alike on every question: there is no spread to go by")
    parts = [_answers(con, side.run_id, found.judge, found.release) for side in (found.a, found.b)]
    known = [part for part in parts if part is not None]
    is_known = len(known) == 2 and known[0][1] == known[1][1]
    return Spread(
        n=row["n"],
        difference=row["difference"],
        variance=row["stderr"] ** 2 * row["n"],
        of_answers=sum(part[0] for part in known) if is_known else None,
        n_answers=known[0][1] if is_known else 1,
    )


def of_benchmark(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    *,
    judge: str | None = None,
    release: str = LATEST,
) -> tuple[str, int, Spread]:
    """The median spread between the latest runs of a benchmark's models, by pair; and how many pairs.

    Returns:
        what it is of, the pairs, and the spread, with the median number of questions.

    Raises:
        UsageError: no such benchmark or judge, or no pair of runs.
    """
    session.use_release(con, release)
    name, strategy, _, task, benchmark_id = choose_benchmark(con, benchmark)
    strategy = choose_strategy(strategy, task, name)
    judges = judges_of_datasets(con, judge, benchmark_id, task, strategy)
    parameters: dict[str, Any] = {"benchmark_id": benchmark_id, "strategy": strategy}
    parameters |= {"datasets": list(judges), "judges": list(judges.values())}
    pairs = session.frame(con, "power_pairs", parameters).rows()
    under = " or ".join(dict.fromkeys(judges.values()))
    if not pairs:
        raise UsageError(f"{name} has no two runs that can be compared under {under or NONE}")
    spread = Spread(
        n=round(median(n for n, _, _ in pairs)),
        difference=median(abs(difference) for _, difference, _ in pairs),
        variance=median(stderr**2 * n for n, _, stderr in pairs),
    )
    return f"{name} · {strategy} · judge {under}", len(pairs), spread


def table(spread: Spread, effects: Sequence[float], power: float = POWER) -> pl.DataFrame:
    """What each difference takes, in percentage points; and the smallest difference of some numbers of questions."""
    return pl.DataFrame(
        [
            {
                "difference": f"{100 * effect:.2f}",
                "questions": spread.questions(effect, power),
                "answers to each": spread.answers(effect, power),
            }
            for effect in effects
        ],
        schema={"difference": pl.String, "questions": pl.Int64, "answers to each": pl.Int64},
    )


def _answers(
    con: duckdb.DuckDBPyConnection, run_id: int, judge: str, release: str
) -> tuple[float, int] | None:
    """What a run's answers vary by within a question, per mean over its answers, and how many there are."""
    (source,) = studies.sources(con, ["variance_part"], release).values()
    rows = con.execute(
        f"SELECT variance, n FROM {source} WHERE run_id = ? AND judge = ? AND part = 'answers'",
        [run_id, judge],
    ).fetchall()
    if not rows or rows[0][0] is None:
        return None
    variance, n = rows[0]
    return max(variance, 0.0) / n, n


def _reach(power: float) -> float:
    """How many standard errors a difference has to be for that power."""
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / 2) + normal.inv_cdf(power)

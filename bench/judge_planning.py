"""Planning for a judge: `judge_todo` where 5 % of the answers wait and many are cached already.

    python -m bench.judge_planning [--large]

12 million predictions with 0.5 million judgments; with --large 220 million with 10 million, from kept
results alone. The judgments go into a copy of the warehouse by SQL. All rows of `judge_todo` are fetched
over an open connection; 2 threads, 8 GB.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from statistics import median

from bench import asking, data, growth, measure, options
from bench.asking import LIMITS
from bench.options import Options
from bench.report import Report
from queries import session
from queries.install import LATEST
from warehouse import judges, sources, statements
from warehouse.connection import transaction

SMALL, LARGE = (12.0, 0.5), (220.0, 10.0)
"""Million predictions, million judgments."""
NAME = "bench"
MOST_RAW = 8.0
"""GiB."""
MOST_KEPT, SECONDS_KEPT = 2.0, 5.0
_SQL = statements.of_module(__file__)


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    million, judged = LARGE if chosen.large else SMALL
    n_runs = data.n_runs(million * chosen.scale)
    n_judgments = max(1, round(judged * 1e6 * chosen.scale))
    db = _judged(chosen, n_runs, n_judgments)
    title = f"judge_todo: {n_runs * data.PASSES:,} predictions, {n_judgments:,} judgments"
    report = Report(title, chosen.folder)
    asking.drop_results(db)
    ask = partial(asking.ask, db, ["judge_todo"], chosen.pairs, profiles=chosen.profiles)
    if not chosen.large:
        _rows(report, "raw text", ask(suffix=f"-{n_runs}-runs-raw"), MOST_RAW)
    refreshed = measure.evalhouse("refresh", "--db", db, *LIMITS)
    kept = ask(suffix=f"-{n_runs}-runs-fresh")
    _rows(report, "kept", kept, MOST_KEPT)
    seconds = median(kept.seconds["judge_todo"])
    report.at_most("median", f"{seconds:.2f} s", seconds, SECONDS_KEPT, "s")
    report.figure(
        "keeping it, once", f"{refreshed.wall:.1f} s, {measure.gigabytes(refreshed.peak)}"
    )
    report.notes.append(f"Medians of {chosen.pairs} after a first one that does not count.")
    report.show()


def _rows(report: Report, state: str, cost: asking.QueryCost, most: float) -> None:
    report.section(state)
    report.figure("subjects to be judged now", f"{cost.n_rows['judge_todo']:,}")
    report.figure("judge_todo", measure.spread(cost.seconds["judge_todo"]))
    peak = cost.peak / 2**30
    report.at_most("peak of memory", measure.gigabytes(cost.peak), peak, most, "GiB")


def _judged(chosen: Options, n_runs: int, n_judgments: int) -> Path:
    """A copy of the warehouse of so many runs, with judgments."""
    folder = chosen.data / "judge"
    folder.mkdir(parents=True, exist_ok=True)
    db = folder / f"runs-{n_runs:05d}-judged.duckdb"
    if db.exists():
        return db
    plain = growth.ensure(chosen, n_runs)
    part = folder / f"part-{db.name}"
    shutil.copy(plain, part)
    asking.drop_results(part)
    with asking.house(part).writing() as con:
        con.execute(f"SET memory_limit = '{data.MEMORY_LIMIT}'")
        con.execute(f"SET threads = {data.THREADS}")
        # All at once they want several times the memory.
        con.execute(_SQL["make_subjects"])
        session.use_release(con, LATEST)
        con.execute(_SQL["add_subjects"])
        with transaction(con):
            source = sources.Source(
                "evalhouse:bench/judgments", "-", 0, "bench", 1, {}, n_judgments
            )
            source_id = sources.add(con, source)
            judge = judges.Judge(NAME, "choice_extraction", "llm", model="bench", max_attempts=3)
            judge_id = judges.register(con, judge, source_id=source_id)
            judges.plan_samples(con, judge_id, 1, source_id=source_id)
            con.execute(
                _SQL["insert_judgments"],
                {"judge_id": judge_id, "source_id": source_id, "n": n_judgments},
            )
    part.rename(db)
    return db


if __name__ == "__main__":
    main()

"""A board corrected by a person: what `evalhouse leaderboard --corrected` computes.

    python -m bench.corrected_board

1 million predictions with a judge's verdict on every answer that no rule reads, and 10,000 labels by a
person, from kept results. The board is made over an open connection, which computes the studies that it
needs; 2 threads, 8 GB. Seconds are of the wall, and of the processor, which other work on the machine does not change.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from bench import asking, data, growth, measure, options
from bench.options import Options
from bench.report import Report
from queries import corrected
from warehouse import judges, sources, statements
from warehouse.connection import transaction

MILLION, LABELS = 1.0, 10_000
TARGET = 2.0
"""Seconds."""
_SQL = statements.of_module(str(Path(__file__).with_name("judge_planning.py")))


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    n_runs = data.n_runs(MILLION * chosen.scale)
    n_labels = max(20, round(LABELS * chosen.scale))
    db = _labelled(chosen, n_runs, n_labels)
    report = Report(
        f"corrected board: {n_runs * data.PASSES:,} predictions, {n_labels:,} labels", chosen.folder
    )
    walls, processor = [], []
    for method in corrected.METHODS:
        for _ in range(chosen.pairs):
            with asking.reading(db) as con:
                con.execute("SELECT 1")
                begun, used = time.perf_counter(), time.process_time()
                (board,) = corrected.boards(
                    con, "MMBench", person="person", judge="bench", correction=method
                )
                walls.append(time.perf_counter() - begun)
                processor.append(time.process_time() - used)
    report.figure("rows of the board", f"{board.frame.height:,}")
    report.figure("seconds of the processor, over 2 threads", measure.spread(processor))
    wall = sorted(walls)[len(walls) // 2]
    report.at_most("the board", measure.spread(walls), wall, TARGET, "s")
    report.show()


def _labelled(chosen: Options, n_runs: int, n_labels: int) -> Path:
    """A copy of the warehouse of so many runs, judged and labelled."""
    folder = chosen.data / "corrected"
    folder.mkdir(parents=True, exist_ok=True)
    db = folder / f"runs-{n_runs:05d}-labelled.duckdb"
    if db.exists():
        return db
    part = folder / f"part-{db.name}"
    shutil.copy(growth.ensure(chosen, n_runs), part)
    asking.drop_results(part)
    with asking.house(part).writing() as con:
        con.execute(f"SET memory_limit = '{data.MEMORY_LIMIT}'")
        con.execute(f"SET threads = {data.THREADS}")
        with transaction(con):
            source = sources.Source("evalhouse:bench/labels", "-", 0, "bench", 1, {}, n_labels)
            source_id = sources.add(con, source)
            for name, kind, n in (("bench", "llm", 10**9), ("person", "human", n_labels)):
                judge = judges.Judge(name, "choice_extraction", kind, model=name, max_attempts=3)
                judge_id = judges.register(con, judge, source_id=source_id)
                judges.plan_samples(con, judge_id, 1, source_id=source_id)
                con.execute(
                    _SQL["insert_judgments"],
                    {"judge_id": judge_id, "source_id": source_id, "n": n},
                )
    measure.evalhouse("refresh", "--db", part, *asking.LIMITS)
    part.rename(db)
    return db


if __name__ == "__main__":
    main()

"""What grows with the warehouse: 2, 20 and, with --large, 220 million predictions.

    python -m bench.growth [--large]

For each size: ingest of its files by one command, a bare GROUP BY, the refresh that computes all
results, the leaderboard and a slice of it from those, and five more runs, one at a time: the
command that ingests 11,000 rows, the leaderboard's query, which computes the run next to the file,
the command that prints it, and the refresh. 2 threads, 8 GB, each step in a separate process.
Warehouses are kept: the date of an ingest is when it was measured.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

from bench import data, measure
from bench.measure import LIMITS
from bench.report import Report, data_folder, parser

MEMORY = 8
"""GiB."""
NOISE = 1.1
"""By how much a time per prediction may seem to grow."""


@dataclass
class Size:
    """A size, and the seconds of each step in its warehouse."""

    n_runs: int
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    peaks: dict[str, int] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Predictions."""
        return self.n_runs * data.PASSES

    def per_prediction(self, step: str) -> float:
        """The seconds of a step, by prediction."""
        return median(self.seconds[step]) / self.n

    def ask(self, db: Path, query: str, rounds: int) -> None:
        """Note what a query took."""
        cost = measure.ask(db, query, rounds)
        self.seconds[query], self.peaks[query] = cost.seconds, cost.peak

    def run(self, what: str, *words: str | Path) -> float:
        """Note what a command took, as one of several; return its seconds."""
        cost = measure.evalhouse(*words, *LIMITS)
        self.seconds[what].append(cost.wall)
        self.peaks[what] = max(cost.peak, self.peaks.get(what, 0))
        return cost.wall


def measured(given: Namespace, report: Report, n_runs: int) -> Size:
    """Take the figures of one size, and put them into the report."""
    size, db = Size(n_runs), data.warehouse(data_folder(given), n_runs)
    ingest = json.loads(db.with_suffix(".ingest.json").read_text(encoding="utf-8"))
    size.seconds["ingest"], size.peaks["ingest"] = [ingest["wall"]], ingest["peak"]
    measure.drop_results(db)
    size.ask(db, "bare", 1)
    size.run("refresh", "refresh", "--db", db)
    size.ask(db, "leaderboard", given.pairs)
    size.ask(db, "slice", given.pairs)
    _add_runs(given, size, db)
    report.section(f"{size.n:,} predictions, {n_runs:,} runs")
    for step, found in size.seconds.items():
        what = f"ingest ({ingest['date']})" if step == "ingest" else step
        report.figure(what, found, most=0.5 if step == "slice" else None)
    for step, most in (("refresh", 3.0), ("leaderboard", 0.1)):
        ratio = median(size.seconds[step]) / median(size.seconds["bare"])
        report.figure(f"{step}, against the bare GROUP BY", ratio, "×", most=most)
    report.memory("ingest, peak of memory", size.peaks["ingest"], MEMORY)
    what, peak = max(size.peaks.items(), key=lambda item: item[1])
    report.memory(f"greatest peak of memory ({what})", peak, MEMORY)
    return size


def _add_runs(given: Namespace, size: Size, db: Path) -> None:
    """Add runs one at a time, each a command; then take them out of the views again.

    Their names begin after those of every size, and after those of earlier measurements.
    """
    house = measure.house(db)
    added = f"FROM main.run WHERE run_id > {size.n_runs}"
    known = house.sql(f"SELECT count(*) {added}").item()
    for run in range(90_001 + known, 90_001 + known + given.pairs):
        file = data.write_predictions(db.parent / f"added-{run}.parquet", run, 1)
        words = ("ingest", "--no-refresh", file, "--benchmark", "MMBench", "--db", db)
        ingest = size.run("one run more, ingest", *words)
        cost = measure.ask(db, "leaderboard", 0)
        query = "one run more, ingest and the leaderboard's query"
        size.seconds[query].append(ingest + cost.seconds[0])
        size.peaks[query] = max(cost.peak, size.peaks.get(query, 0))
        board = ("leaderboard", "MMBench", "--judge", "none", "--db", db)
        size.run("the printed board of all runs, by command", *board)
        file.unlink()
        size.run("one run more, refresh after that", "refresh", "--db", db)
    for run_id in house.sql(f"SELECT run_id {added} AND retracted_at IS NULL")["run_id"]:
        house.retract_run(run_id)


def main() -> None:
    """Measure and print."""
    given = parser(__doc__).parse_args()
    report = Report("Growth")
    millions = (2, 20, 220) if given.large else (2, 20)
    sizes = [measured(given, report, data.n_runs(one * given.scale)) for one in millions]
    for small, big in pairwise(sizes):
        report.section(f"{small.n:,} to {big.n:,}")
        for step in ("ingest", "refresh"):
            ratio = big.per_prediction(step) / small.per_prediction(step)
            report.figure(f"{step} per prediction", ratio, "×", most=NOISE)
    step = "one run more, ingest and the leaderboard's query"
    ratio = median(sizes[-1].seconds[step]) / median(sizes[0].seconds[step])
    report.section(f"{sizes[0].n:,} to {sizes[-1].n:,}")
    report.figure(step, ratio, "×", most=2)
    report.notes.append(
        f"Ingest and refresh once each; slices and added runs are medians of {given.pairs}. "
        f"A time per prediction passes up to {NOISE:g} times that of the size before."
    )
    report.show(given.folder)


if __name__ == "__main__":
    main()

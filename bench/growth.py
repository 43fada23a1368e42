"""What grows with the warehouse: 2, 20 and, with --large, 220 million predictions.

    python -m bench.growth [--large]

For each size: ingest of its files by one command, the leaderboard from raw text, a bare GROUP BY,
the results materialised, the leaderboard and a slice of it from those, and five more runs, one at a
time: the command that ingests 11,000 rows, the leaderboard's query, and the command that prints it.
2 threads, 8 GB, each step in a separate process.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

from bench import asking, data, measure, options
from bench.asking import LIMITS
from bench.measure import Cost
from bench.options import Options
from bench.report import Report

SMALL, LARGE = (2.0, 20.0), (2.0, 20.0, 220.0)
MEMORY = 8 * 2**30
SLICE_SECONDS = 0.5
RAW_RATIO, FRESH_RATIO = 3.0, 0.1
NOISE = 1.1
"""By how much a time per prediction may seem to grow."""
STEP_GROWTH = 2.0
"""By how much adding one run may, between the smallest and the largest warehouse."""


@dataclass
class Size:
    """What one size cost."""

    million: float
    n_runs: int
    ingest: Cost | None = None
    ingested_on: str = ""
    raw: float | None = None
    bare: float | None = None
    refresh: Cost | None = None
    peaks: dict[str, int] = field(default_factory=dict)
    fresh: float | None = None
    slices: dict[str, list[float]] = field(default_factory=dict)
    steps: list[float] = field(default_factory=list)
    step_ingests: list[float] = field(default_factory=list)
    step_boards: list[float] = field(default_factory=list)
    step_refreshes: list[float] = field(default_factory=list)

    @property
    def n(self) -> int:
        """Predictions."""
        return self.n_runs * data.PASSES

    @property
    def title(self) -> str:
        """For the report."""
        return f"{self.n / 1e6:,.0f} M" if self.n >= 1e6 else f"{self.n:,}"


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    report = Report("Growth", chosen.folder)
    sizes = []
    for million in LARGE if chosen.large else SMALL:
        size = Size(million, data.n_runs(million * chosen.scale))
        measure_size(chosen, size)
        show_size(report, size)
        sizes.append(size)
    for small, big in pairwise(sizes):
        compare(report, small, big)
    compare_steps(report, sizes[0], sizes[-1])
    report.notes.append(
        "Warehouses are kept: the date of an ingest is when it was measured. Ingest, refresh and "
        "the leaderboard from raw text once "
        f"each; slices are medians of {chosen.pairs}, added runs of {chosen.pairs}. Peaks are of "
        "whole processes. A time per "
        f"prediction passes up to {NOISE:g} times that of the size before."
    )
    report.show()


def warehouse_of(chosen: Options, n_runs: int) -> Path:
    """Where the warehouse of so many runs is kept."""
    return chosen.data / "growth" / f"runs-{n_runs:05d}.duckdb"


def ensure(chosen: Options, n_runs: int) -> Path:
    """The warehouse of so many runs, made if it is not there; what that cost is kept in a file next
    to it."""
    db = warehouse_of(chosen, n_runs)
    if not db.exists():
        _make(db, n_runs)
    return db


def _make(db: Path, n_runs: int) -> None:
    folder = db.parent
    questions = data.write_questions(folder / "mmbench.tsv")
    files = data.prediction_files(folder, n_runs)
    part = db.with_name(f"part-{db.name}")
    part.unlink(missing_ok=True)
    part.with_name(f"{part.name}.wal").unlink(missing_ok=True)
    measure.evalhouse(
        "ingest", "--no-refresh", questions, "--benchmark", "MMBench", "--db", part, *LIMITS
    )
    cost = measure.evalhouse(
        "ingest", "--no-refresh", *files, "--benchmark", "MMBench", "--db", part, *LIMITS
    )
    record = {"wall": cost.wall, "cpu": cost.cpu, "peak": cost.peak}
    made = {"date": time.strftime("%Y-%m-%d"), **record}
    db.with_suffix(".ingest.json").write_text(json.dumps(made), encoding="utf-8")
    part.rename(db)


def measure_size(chosen: Options, size: Size) -> None:
    """Take the figures of one size."""
    db = ensure(chosen, size.n_runs)
    record = db.with_suffix(".ingest.json")
    if record.exists():
        recorded = json.loads(record.read_text(encoding="utf-8"))
        size.ingested_on = recorded.pop("date")
        size.ingest = Cost(**recorded)
    asking.drop_results(db)
    # The first answer counts: the second would take minutes more and say the same.
    raw = _ask(chosen, size, db, "leaderboard", 0, "raw")
    size.raw = raw.seconds["leaderboard"][0]
    size.bare = median(_ask(chosen, size, db, "bare", 1, "raw").seconds["bare"])
    size.slices["raw text"] = _ask(chosen, size, db, "slice", 0, "raw").seconds["slice"]
    size.refresh = measure.evalhouse("refresh", "--db", db, *LIMITS)
    fresh = _ask(chosen, size, db, "leaderboard", chosen.pairs, "fresh")
    size.fresh = median(fresh.seconds["leaderboard"])
    cost = _ask(chosen, size, db, "slice", chosen.pairs, "fresh")
    size.slices["materialised"] = cost.seconds["slice"]
    _add_runs(chosen, size, db)


def _ask(
    chosen: Options, size: Size, db: Path, query: str, rounds: int, state: str
) -> asking.QueryCost:
    cost = asking.ask(
        db, [query], rounds, profiles=chosen.profiles, suffix=f"-{size.n_runs}-runs-{state}"
    )
    size.peaks[f"{query}, {state}"] = cost.peak
    return cost


def _add_runs(chosen: Options, size: Size, db: Path) -> None:
    """Add runs one at a time, each a command; then take them out of the views again.

    Their names begin after those of every size, and after those of earlier measurements.
    """
    with asking.reading(db) as con:
        ((known,),) = con.execute(
            "SELECT count(*) FROM main.run WHERE run_id > ?", [size.n_runs]
        ).fetchall()
    for number in range(chosen.pairs):
        run = 90_001 + known + number
        file = data.write_predictions(db.parent / f"added-{run}.parquet", run, 1)
        ingest = measure.evalhouse(
            "ingest", "--no-refresh", file, "--benchmark", "MMBench", "--db", db, *LIMITS
        )
        cost = asking.ask(db, ["leaderboard"], 0)
        board = measure.evalhouse("leaderboard", "MMBench", "--judge", "none", "--db", db, *LIMITS)
        file.unlink()
        refresh = measure.evalhouse("refresh", "--db", db, *LIMITS)
        size.step_refreshes.append(refresh.wall)
        size.step_ingests.append(ingest.wall)
        size.steps.append(ingest.wall + cost.seconds["leaderboard"][0])
        size.step_boards.append(board.wall)
        size.peaks["adding a run"] = max(ingest.peak, cost.peak, board.peak)
    house = asking.house(db)
    for run_id in house.sql(
        f"SELECT run_id FROM main.run WHERE run_id > {size.n_runs} AND retracted_at IS NULL"
    )["run_id"]:
        house.retract_run(run_id)


def show_size(report: Report, size: Size) -> None:
    """The rows of one size."""
    report.section(f"{size.title} predictions, {size.n_runs:,} runs")
    if size.ingest is None:
        report.missing("ingest", "the warehouse was made in another way")
    else:
        rate = size.n / size.ingest.wall
        report.figure(
            f"ingest ({size.ingested_on})",
            f"{size.ingest.wall:,.1f} s, {rate:,.0f} predictions/s",
        )
        report.at_most(
            "ingest, peak of memory",
            measure.gigabytes(size.ingest.peak),
            size.ingest.peak / 2**30,
            MEMORY / 2**30,
            "GiB",
        )
    if size.raw is not None:
        rate = size.n / size.raw
        report.figure("leaderboard from raw text", f"{size.raw:,.2f} s, {rate:,.0f} predictions/s")
    if size.bare is not None:
        report.figure("bare GROUP BY run_id, question_id", f"{size.bare:,.2f} s")
    if size.raw is not None and size.bare is not None:
        ratio = size.raw / size.bare
        report.at_most("leaderboard from raw text against it", f"{ratio:.2f} ×", ratio, RAW_RATIO)
    if size.refresh is not None:
        size.peaks["refresh"] = size.refresh.peak
        report.figure("refresh", f"{size.refresh.wall:,.1f} s")
    if size.fresh is not None:
        report.figure("leaderboard, materialised", f"{size.fresh:,.3f} s")
        if size.bare is not None:
            ratio = size.fresh / size.bare
            report.at_most("materialised against it", f"{ratio:.3f} ×", ratio, FRESH_RATIO)
    for state, found in size.slices.items():
        report.at_most(
            f"slice by ability of one model, {state}",
            measure.spread(found),
            median(found),
            SLICE_SECONDS,
            "s",
        )
    report.figure("one run more, ingest", measure.spread(size.step_ingests))
    report.figure("one run more, ingest and the leaderboard's query", measure.spread(size.steps))
    report.figure("the printed board of all runs, by command", measure.spread(size.step_boards))
    if size.step_refreshes:
        report.figure("one run more, refresh after that", measure.spread(size.step_refreshes))
    what, peak = max(size.peaks.items(), key=lambda item: item[1])
    report.at_most(
        f"greatest peak of memory ({what})",
        measure.gigabytes(peak),
        peak / 2**30,
        MEMORY / 2**30,
        "GiB",
    )


def compare(report: Report, small: Size, big: Size) -> None:
    """Rows that compare a size with the next smaller one."""
    report.section(f"{small.title} to {big.title}")
    if small.ingest is not None and big.ingest is not None:
        growth = big.ingest.wall / big.n / (small.ingest.wall / small.n)
        report.at_most("ingest per prediction", f"{growth:.2f} ×", growth, NOISE)
    if small.raw is not None and big.raw is not None:
        growth = big.raw / big.n / (small.raw / small.n)
        report.at_most("scoring per prediction", f"{growth:.2f} ×", growth, NOISE)


def compare_steps(report: Report, small: Size, big: Size) -> None:
    """What one run more costs in the largest warehouse compared with the smallest."""
    report.section(f"One run more, {small.title} to {big.title}")
    growth = median(big.steps) / median(small.steps)
    report.at_most("ingest and the leaderboard's query", f"{growth:.2f} ×", growth, STEP_GROWTH)


if __name__ == "__main__":
    main()

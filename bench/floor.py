"""evalhouse against the engine's own floor, with 10 million predictions.

    python -m bench.floor

Ingest of a Parquet, CSV and JSONL file against `CREATE TABLE AS SELECT * FROM` the same file, both
as whole processes that end with a file on disk; and scoring against a bare GROUP BY on the same
table, over one open connection each, with nothing materialised and then with fresh results. 2
threads, 8 GB.
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path
from statistics import median

from bench import asking, data, measure, options
from bench.asking import LIMITS
from bench.options import Options
from bench.report import Report

MILLION = 10.0
READERS = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    n = data.n_runs(MILLION * chosen.scale)
    report = Report(f"Against the engine's floor: {n * data.PASSES:,} predictions", chosen.folder)
    folder = chosen.data / "floor"
    for kind in READERS:
        _ingest(report, chosen, folder, kind, n)
    _scoring(report, chosen, folder, n)
    report.notes.append(
        f"Medians of {chosen.pairs} pairs in turn, least to greatest in brackets. Ingest: whole "
        "processes; scoring: open connections, the answer fetched."
    )
    report.show()


def _ingest(report: Report, chosen: Options, folder: Path, kind: str, n: int) -> None:
    file = data.write_predictions(folder / f"predictions.{kind}", 1, n)
    template = questions_only(folder)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    peaks: dict[str, int] = {}

    def ours() -> float:
        db = _anew(scratch / "ours.duckdb")
        shutil.copy(template, db)
        cost = measure.evalhouse(
            "ingest", "--no-refresh", file, "--benchmark", "MMBench", "--db", db, *LIMITS
        )
        peaks["ours"] = max(peaks.get("ours", 0), cost.peak)
        return cost.wall

    def bare() -> float:
        db = _anew(scratch / "bare.duckdb")
        cost = measure.process([sys.executable, "-c", _BARE, db, file, READERS[kind]])
        peaks["bare"] = max(peaks.get("bare", 0), cost.peak)
        return cost.wall

    mine, theirs = measure.in_turn(chosen.pairs, ours, bare)
    shutil.rmtree(scratch)
    middle = median(measure.ratios(mine, theirs))
    report.section(f"Ingest, {kind}, {file.stat().st_size / 1e6:,.0f} MB")
    report.figure(
        "CREATE TABLE AS SELECT",
        f"{measure.spread(theirs)}, {measure.gigabytes(peaks['bare'])}",
    )
    report.figure(
        "evalhouse ingest",
        f"{measure.spread(mine)}, {measure.gigabytes(peaks['ours'])}",
    )
    report.at_most("ratio", measure.spread(measure.ratios(mine, theirs), "×"), middle, 2.0)


_BARE = f"""
import sys, duckdb
con = duckdb.connect(sys.argv[1], config={{"memory_limit": "{data.MEMORY_LIMIT}", "threads": {data.THREADS}}})
con.execute(f"CREATE TABLE t AS SELECT * FROM {{sys.argv[3]}}('{{sys.argv[2]}}')")
con.close()
"""


def questions_only(folder: Path) -> Path:
    """A warehouse that holds the questions, to be copied."""
    db = folder / "questions.duckdb"
    if not db.exists():
        part = _anew(folder / "questions-part.duckdb")
        asking.house(part).ingest(data.write_questions(folder / "mmbench.tsv"), benchmark="MMBench")
        part.rename(db)
    return db


def _scoring(report: Report, chosen: Options, folder: Path, n: int) -> None:
    db = folder / f"floor-{n}.duckdb"
    if not db.exists():
        part = _anew(folder / "floor-part.duckdb")
        shutil.copy(questions_only(folder), part)
        file = data.write_predictions(folder / "predictions.parquet", 1, n)
        measure.evalhouse(
            "ingest", "--no-refresh", file, "--benchmark", "MMBench", "--db", part, *LIMITS
        )
        part.rename(db)
    asking.drop_results(db)
    ask = partial(asking.ask, db, ("leaderboard", "bare"), chosen.pairs, profiles=chosen.profiles)
    _score_rows(report, "raw text", ask(suffix="-10m-raw"), 3.0)
    board: list[str | Path] = ["leaderboard", "MMBench", "--judge", "none", "--db", db, *LIMITS]
    raw_command = measure.evalhouse(*board)
    report.figure("the command evalhouse leaderboard, once", _cost(raw_command))
    report.figure(
        "evalhouse refresh, once", _cost(measure.evalhouse("refresh", "--db", db, *LIMITS))
    )
    _score_rows(report, "materialised", ask(suffix="-10m-fresh"), 0.1)
    report.figure("the command evalhouse leaderboard, once", _cost(measure.evalhouse(*board)))


def _score_rows(report: Report, state: str, cost: asking.QueryCost, target: float) -> None:
    board, bare = cost.seconds["leaderboard"], cost.seconds["bare"]
    ratios = measure.ratios(board, bare)
    report.section(f"Scoring, {state}")
    report.figure("bare GROUP BY run_id, question_id", measure.spread(bare))
    report.figure(
        f"leaderboard, three levels, ranks ({cost.n_rows['leaderboard']:,} rows)",
        f"{measure.spread(board)}, {measure.gigabytes(cost.peak)}",
    )
    report.at_most("ratio", measure.spread(ratios, "×"), median(ratios), target)


def _cost(cost: measure.Cost) -> str:
    return f"{cost.wall:,.1f} s, {measure.gigabytes(cost.peak)}"


def _anew(db: Path) -> Path:
    """The path of a database that is not there (any more)."""
    for path in (db, db.with_name(f"{db.name}.wal")):
        path.unlink(missing_ok=True)
    return db


if __name__ == "__main__":
    main()

"""evalhouse against Inspect: a log of 5,000 graded samples, from the file to rows that can be
queried.

    python -m bench.inspect_logs

The log is made by Inspect itself with mock models (minutes, once), and read by `evalhouse ingest`,
by Inspect's `samples_df(full=True)`, and by a bare loop that unpacks and parses each member.
Inspect is installed into a separate environment under `.bench`: 0.6 GB. The figure that Inspect
wrote into the log has to be ours, or the script fails.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench import measure, options, peer_environment
from bench.asking import LIMITS
from bench.measure import Cost
from bench.options import Options
from bench.report import Report
from evalhouse import Warehouse
from ingest.reading.json_zip import JsonZip

N_SAMPLES = 5_000
OVER_BARE = 2.0
SECONDS, MEGABYTES = 2.5, 300.0
"""The targets: times the bare loop, and what the command may take."""
_WORKER = Path(__file__).with_name("inspect_worker.py")


class Differ(Exception):
    """Our figure is not the one in the log."""


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    python = peer_environment.python_of_inspect(chosen.folder / "inspect" / "venv")
    report = Report(f"Against Inspect ({peer_environment.INSPECT})", chosen.folder)
    folder = chosen.data / "inspect"
    n = max(20, round(N_SAMPLES * chosen.scale))
    log = graded_log(folder, python, n)
    _compare(report, chosen, python, folder, log, n)
    report.show()


def graded_log(folder: Path, python: Path, n: int) -> Path:
    """A log of so many samples, made where it is not there."""
    found = sorted((folder / f"log-{n}").glob("*.eval"))
    if found and (folder / f"log-{n}" / ".ready").exists():
        return found[0]
    print(f"making a log of {n:,} samples in {folder} (minutes)", file=sys.stderr)
    shutil.rmtree(folder / f"log-{n}", ignore_errors=True)
    cost = measure.process(
        [python, _WORKER, "make", folder / f"log-{n}", str(n)], cwd=_made(folder)
    )
    path = Path(cost.output.splitlines()[-1].removeprefix("file://"))
    (path.parent / ".ready").touch()
    return path


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _compare(
    report: Report, chosen: Options, python: Path, folder: Path, log: Path, n: int
) -> None:
    empty, db = folder / "empty.duckdb", folder / "ours.duckdb"
    empty.unlink(missing_ok=True)
    with Warehouse(empty).writing():
        pass
    costs: dict[str, list[Cost]] = {}
    inner: dict[str, list[float]] = {}

    def work(name: str, *command: str | Path, fresh: bool = False) -> Callable[[], float]:
        def once() -> float:
            if fresh:
                shutil.copy(empty, db)
            cost = measure.process(command)
            costs.setdefault(name, []).append(cost)
            if not fresh or name == "calls":
                reported = json.loads(cost.output.splitlines()[-1])
                if reported["rows"] != n:
                    raise Differ(f"{name}: {reported['rows']} samples of {n}")
                inner.setdefault(name, []).append(reported["read"])
            return cost.wall

        return once

    ours: list[str | Path] = [
        *measure.EVALHOUSE,
        "ingest",
        "--no-refresh",
        log,
        "--db",
        db,
        *LIMITS,
    ]
    module = [sys.executable, "-m"]
    measure.in_turn(
        chosen.pairs,
        work("command", *ours, fresh=True),
        work("calls", *module, "bench.inspect_ours", log, db, fresh=True),
        work("hold", *module, "bench.inspect_bare", "hold", log),
        work("pass", *module, "bench.inspect_bare", "pass", log),
        work("peer", python, _WORKER, "read", log),
    )
    check(Warehouse(db), log)
    _rows(report, chosen, costs, inner, log, n)
    db.unlink()


def _rows(
    report: Report,
    chosen: Options,
    costs: dict[str, list[Cost]],
    inner: dict[str, list[float]],
    log: Path,
    n: int,
) -> None:
    report.section(f"{n:,} samples with a grader's prompts and replies, {log.stat().st_size / 1e6:.1f} MB")  # fmt: skip
    walls = {name: [cost.wall for cost in of_name] for name, of_name in costs.items()}
    peaks = {name: max(cost.peak for cost in of_name) / 1e6 for name, of_name in costs.items()}
    words = {
        "command": "evalhouse ingest",
        "hold": "bare unzip and JSON parse, all held",
        "pass": "bare unzip and JSON parse, nothing held",
        "peer": "Inspect's samples_df(full=True)",
    }
    for name, what in words.items():
        cpu = median(cost.cpu for cost in costs[name])
        figure = f"{measure.spread(walls[name])}, processor {cpu:.2f} s, {peaks[name]:,.0f} MB"
        if name in inner:
            figure += f"; without its start {measure.spread(inner[name])}"
        report.figure(what, figure)
    report.figure("evalhouse ingest, without its start", measure.spread(inner["calls"]))
    report.at_most("the command", measure.spread(walls["command"]), median(walls["command"]), SECONDS, "s")  # fmt: skip
    report.at_most("its memory", f"{peaks['command']:,.0f} MB", peaks["command"], MEGABYTES, "MB")
    for bare in ("hold", "pass"):
        for what, mine, theirs in (
            ("whole", walls["command"], walls[bare]),
            ("without starts", inner["calls"], inner[bare]),
        ):
            times = measure.ratios(mine, theirs)
            report.at_most(
                f"times the {words[bare]}, {what}",
                measure.spread(times, "×"),
                median(times),
                OVER_BARE,
            )
    share = peaks["command"] / peaks["peer"]
    report.at_most("memory, over Inspect's", f"{share:.2f} ×", share, 1.0)
    report.notes.append(
        f"Medians of {chosen.pairs} rounds in turn, least to greatest in brackets; memory is the greatest "
        "peak. Ours goes into a warehouse that is there, without questions. The accuracy that Inspect "
        "wrote is ours."
    )


def check(house: Warehouse, log: Path) -> None:
    """Compare the log's own figure with ours.

    Raises:
        Differ: they are not the same.
    """
    with JsonZip(log) as archive:
        header = archive.read("header.json")
    theirs: Any = header["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    ours = house.sql("SELECT score FROM letter_total WHERE level = 'overall'").item()
    if ours is None or abs(ours - theirs) > 1e-9:
        raise Differ(f"{log}: {ours} here, {theirs} there")


if __name__ == "__main__":
    main()

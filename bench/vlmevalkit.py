"""evalhouse against VLMEvalKit: the same prediction files, to the same accuracies.

    python -m bench.vlmevalkit

CircularEval and the report per ability over 2,974 questions × 4 passes × 4 models, exact matching,
from xlsx files, and 1,000 plain questions; with --large from TSV files, and 14,232 plain questions
(half an hour for VLMEvalKit). VLMEvalKit (`ms-vlmeval` 0.0.20) is installed into a separate
environment under `.bench`, with as much of what it depends on as its evaluation needs: 2 GB. Both
sides must give the same accuracy for every model and ability, or the script fails.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench import asking, measure, options, peer_data
from bench.asking import LIMITS
from bench.measure import Cost
from bench.options import Options
from bench.peer_data import PeerSet
from bench.peer_environment import python_of_peer
from bench.report import Report
from evalhouse import Warehouse

RELEASE = "vlmevalkit_0_0_20"
INGESTED, RESCORED = 100.0, 1_000.0
"""The targets: how many times as fast."""
PLAIN_SUBSET = 1_000
_WORKER = Path(__file__).with_name("vlmevalkit_worker.py")


class Differ(Exception):
    """The two sides do not give the same accuracies."""


@dataclass
class Sides:
    """What one set cost each side, round by round; the peer's accuracies by model and ability."""

    peer: list[Cost]
    inner: list[Mapping[str, float]]
    commands: list[float]
    calls: list[float]
    accuracies: Mapping[str, Mapping[str, float]]

    @property
    def evaluations(self) -> list[float]:
        """The peer's seconds without its start and imports."""
        return [one["dataset"] + one["evaluate"] for one in self.inner]


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    python = python_of_peer(chosen.folder / "vlmevalkit" / "venv")
    report = Report("Against VLMEvalKit (ms-vlmeval 0.0.20, exact matching)", chosen.folder)
    folder = chosen.data / "vlmevalkit"
    n = max(20, round(2_974 * chosen.scale))
    kind = "tsv" if chosen.large else "xlsx"
    _compare(report, chosen, python, peer_data.circular(folder, kind, n))
    n_plain = 14_232 if chosen.large else PLAIN_SUBSET
    plain = peer_data.plain(folder, max(20, round(n_plain * chosen.scale)))
    _compare(report, chosen, python, plain)
    report.notes += [
        "Whole: processes from start to end, ours on a new warehouse with all of its releases (ingest, "
        "then leaderboard). Calls: after imports and with an empty warehouse there, against the peer's "
        "reading of its dataset and evaluating. Re-scoring is the leaderboard alone, of what is "
        "ingested; the peer has nothing to start from but its files.",
        f"Medians of {chosen.pairs} pairs in turn, least to greatest in brackets.",
    ]
    report.show()


def _compare(report: Report, chosen: Options, python: Path, peer_set: PeerSet) -> None:
    sides = Sides([], [], [], [], {})
    scratch = chosen.data / "vlmevalkit" / "scratch"
    empty = _empty_house(scratch.parent)

    def theirs() -> float:
        files = peer_set.fresh(scratch / "peer")
        words: list[str | Path] = [python, _WORKER, peer_set.dataset, *files]
        cost = measure.process(words, env={"LMUData": str(peer_set.folder)}, cwd=scratch / "peer")
        reported = json.loads(cost.output.splitlines()[-1])
        sides.peer.append(cost)
        sides.inner.append(reported["seconds"])
        sides.accuracies = {
            Path(path).stem.removesuffix(f"_{peer_set.dataset}"): found
            for path, found in reported["accuracy"].items()
        }
        return cost.wall

    def commands() -> float:
        files, db = peer_set.fresh(scratch / "commands"), scratch / "commands" / "ours.duckdb"
        flags: list[str | Path] = ["--benchmark", peer_set.benchmark, "--db", db, *LIMITS]
        ingest = measure.evalhouse("ingest", "--no-refresh", peer_set.questions, *files, *flags)
        sides.commands.append(ingest.wall + measure.evalhouse(*_board(peer_set, db)).wall)
        return sides.commands[-1]

    def calls() -> float:
        files, db = peer_set.fresh(scratch / "calls"), scratch / "calls" / "ours.duckdb"
        shutil.copy(empty, db)
        house = asking.house(db)

        def work() -> None:
            house.ingest(peer_set.questions, *files, benchmark=peer_set.benchmark, refresh=False)
            with asking.reading(db) as con:
                con.sql(asking.SQL[peer_set.query]).to_arrow_table()

        sides.calls.append(measure.seconds(work))
        return sides.calls[-1]

    measure.in_turn(chosen.pairs, theirs, commands, calls)
    db = scratch / "calls" / "ours.duckdb"
    n = check(Warehouse(db), peer_set, sides.accuracies)
    _rows(report, chosen, peer_set, sides, db)
    report.notes.append(f"{peer_set.title}: {n} accuracies, equal on both sides.")
    shutil.rmtree(scratch)


def _rows(report: Report, chosen: Options, peer_set: PeerSet, sides: Sides, db: Path) -> None:
    whole = [cost.wall for cost in sides.peer]
    report.section(peer_set.title)
    rate = peer_set.n_rows / median(sides.evaluations)
    report.figure("VLMEvalKit, whole", measure.spread(whole))
    report.figure(
        "VLMEvalKit, calls",
        f"{measure.spread(sides.evaluations)}, {rate:,.0f} rows/s",
    )
    report.figure("evalhouse, whole", measure.spread(sides.commands))
    report.figure("evalhouse, calls", measure.spread(sides.calls))
    _faster(report, "ingest and scores, whole", whole, sides.commands, INGESTED)
    _faster(report, "ingest and scores, calls", sides.evaluations, sides.calls, INGESTED)
    for state, suffix in (("raw text", ""), ("materialised", "-fresh")):
        if suffix:
            measure.evalhouse("refresh", "--release", RELEASE, "--db", db, *LIMITS)
        rounds = len(whole)
        cost = asking.ask(
            db,
            [peer_set.query],
            rounds,
            profiles=chosen.profiles,
            suffix=f"-{peer_set.dataset}{suffix}",
        )
        query = cost.seconds[peer_set.query]
        command = [measure.evalhouse(*_board(peer_set, db)).wall for _ in range(rounds)]
        report.figure(f"re-scoring by command, {state}", measure.spread(command))
        report.figure(f"re-scoring by query, {state}", measure.spread(query))
        _faster(report, f"re-scoring by command, {state}", whole, command, RESCORED)
        _faster(report, f"re-scoring by query, {state}", sides.evaluations, query, RESCORED)


def _faster(
    report: Report, what: str, theirs: list[float], ours: list[float], target: float
) -> None:
    times = measure.ratios(theirs, ours)
    report.at_least(f"{what}: times as fast", measure.spread(times, "×"), median(times), target)


def _board(peer_set: PeerSet, db: Path) -> list[str | Path]:
    words = ["leaderboard", peer_set.benchmark, "--judge", "none", "--release", RELEASE]
    return [*words, "--strategy", peer_set.strategy, "--db", db, *LIMITS]


def _empty_house(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    db = folder / "empty.duckdb"
    if not db.exists():
        with Warehouse(db).writing():
            pass
        Warehouse(db).install_release(RELEASE)
    return db


def check(
    house: Warehouse, peer_set: PeerSet, accuracies: Mapping[str, Mapping[str, float]]
) -> int:
    """Compare every accuracy of the peer with ours; return how many there are.

    Raises:
        Differ: one is not the same, or not there.
    """
    ours = {
        (model, peer_data.peer_name(level, ability)): score
        for model, level, ability, score in house.sql(asking.SQL[peer_set.query]).iter_rows()
    }
    theirs = {
        (model, name): score for model, found in accuracies.items() for name, score in found.items()
    }
    if ours.keys() != theirs.keys():
        raise Differ(f"only on one side: {sorted(ours.keys() ^ theirs.keys())}")
    for key, score in theirs.items():
        if ours[key] is None or abs(ours[key] - score) > 1e-9:
            raise Differ(f"{key}: {ours[key]} here, {score} there")
    return len(theirs)


if __name__ == "__main__":
    main()

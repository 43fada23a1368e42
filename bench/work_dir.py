"""A lab's work dir: evalhouse against VLMEvalKit's evaluation of the same files.

    python -m bench.work_dir

The folder is `formats/vlmevalkit_field` of the shared data (EVALHOUSE_SHARED): 37 data sets by three
models, of which those with a judge's files too. Ours is `ingest` of all of it into a new warehouse and
the Open VLM board, each a whole process; VLMEvalKit (`ms-vlmeval` 0.0.20) evaluates the answers of
each model's first run to the data sets that rules alone score.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from statistics import median

from bench import measure, options
from bench.options import ROOT, Options
from bench.peer_environment import python_of_peer
from bench.report import Report
from evalhouse import Warehouse

PER_ROWS, SECONDS, BOARD = 10_000, 3.0, 1.5
"""The targets: seconds for so many predictions, and for the board."""
_WORKER = Path(__file__).with_name("work_dir_worker.py")
# A judge of theirs would be called, or a video read.
_JUDGED = re.compile(
    "MMVet|LLaVABench|MathVista|MathVerse|MathVision|MMBench-Video|Video-MME|MVBench"
)


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    shared = Path(os.environ.get("EVALHOUSE_SHARED", ROOT.parent / "shared")).absolute()
    field = shared / "formats" / "vlmevalkit_field"
    report = Report("A work dir of 37 data sets, against VLMEvalKit (ms-vlmeval 0.0.20)")
    if not field.is_dir():
        report.missing("the work dir", f"no folder {field}: EVALHOUSE_SHARED names the shared data")
    else:
        _compare(report, chosen, field)
    report.show()


def _compare(report: Report, chosen: Options, field: Path) -> None:
    python = python_of_peer(chosen.folder / "vlmevalkit" / "venv")
    scratch = chosen.data / "work_dir"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    db = scratch / "ours.duckdb"
    # It writes next to what it reads.
    questions = shutil.copytree(field / "LMUData", scratch / "LMUData")
    boards: list[float] = []
    found: list[dict[str, dict[str, float]]] = []

    def ours() -> float:
        db.unlink(missing_ok=True)
        cost = measure.evalhouse("ingest", field / "outputs", "--db", db)
        boards.append(measure.evalhouse("board", "openvlm", "--db", db).wall)
        return cost.wall

    def theirs() -> float:
        seconds = 0.0
        found.clear()
        for model, folder in _fresh(field / "outputs", scratch / "peer"):
            words: list[str | Path] = [python, _WORKER, model, folder]
            cost = measure.process(words, env={"LMUData": str(questions)}, cwd=folder)
            seconds += cost.wall
            found.append(json.loads(cost.output.splitlines()[-1]))
        return seconds

    ingests, peers = measure.in_turn(chosen.pairs, ours, theirs)
    with Warehouse(db).reading() as con:
        ((n_rows,),) = con.execute(
            "SELECT count(*) FROM main.prediction AS p JOIN main.run AS r USING (run_id) "
            "WHERE r.superseded_by IS NULL"
        ).fetchall()
    per_rows = [one / n_rows * PER_ROWS for one in ingests]
    report.figure("evalhouse ingest, whole process", measure.spread(ingests))
    report.at_most(
        f"per {PER_ROWS:,} of its {n_rows:,} predictions",
        measure.spread(per_rows),
        median(per_rows),
        SECONDS,
        "s",
    )
    report.at_most(
        "evalhouse board openvlm, whole process", measure.spread(boards), median(boards), BOARD, "s"
    )
    report.figure("VLMEvalKit, whole processes", measure.spread(peers))
    evaluations = sum(sum(one["seconds"].values()) for one in found)
    n_evaluated = sum(len(one["seconds"]) for one in found)
    report.figure(
        f"of it the evaluation of {n_evaluated} files "
        f"({sum(int(one['n_rows']) for one in found):,} "  # type: ignore[call-overload]
        "rows), the last round",
        f"{evaluations:,.1f} s",
    )
    failed = {name: why for one in found for name, why in one["failed"].items()}
    for name, why in sorted(failed.items()):
        report.missing(f"VLMEvalKit on {name}", str(why))
    shutil.rmtree(scratch)


def _fresh(outputs: Path, folder: Path) -> list[tuple[str, Path]]:
    """Copies of the answers of each model's first run: VLMEvalKit writes next to them."""
    shutil.rmtree(folder, ignore_errors=True)
    made = []
    for model in sorted(path for path in outputs.iterdir() if path.is_dir()):
        first = min(path for path in model.iterdir() if path.is_dir())
        status = json.loads((first / "status.json").read_text(encoding="utf-8"))
        there = folder / model.name
        there.mkdir(parents=True)
        for one in status["datasets"].values():
            path = first / str(one["prediction_file"])
            if path.is_file() and not _JUDGED.search(path.name):
                shutil.copy(path, there / path.name)
        made.append((model.name, there))
    return made


if __name__ == "__main__":
    main()

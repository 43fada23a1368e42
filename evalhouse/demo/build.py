"""Building the demo's files and its warehouse, through the ordinary adapters."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from evalhouse import pictures
from evalhouse.api import Warehouse
from evalhouse.demo import replay
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.files import writing

JUDGE = "replayed-judge"


def build(directory: Path, *, step: Callable[[str], None] = lambda text: None) -> Warehouse:
    """Make the demo's files and warehouse in a folder; what is there already stays.

    Args:
        directory: made if it does not exist.
        step: callback, called with what is being done.
    """
    if directory.exists() and not directory.is_dir():
        raise UsageError(f"{directory}: is a file; the demo needs a folder")
    step("replaying published results as questions and answers")
    said = list(replay.answers())
    files = {
        "MMBench_replayed_DEV.tsv": replay.question_table().write_csv(separator="\t").encode(),
        "MMBench_replayed.csv": replay.prediction_table(said).write_csv().encode(),
        "MMBench_replayed_scores.csv": replay.score_table().write_csv().encode(),
        "judgments.jsonl": "".join(
            json.dumps(row) + "\n" for row in replay.judgment_rows(said)
        ).encode(),
    }
    with writing.folder(directory) as new:
        for name, content in files.items():
            writing.fill(new / name, content)
    house = Warehouse(directory / "demo.duckdb")
    step("ingesting")
    questions = directory / "MMBench_replayed_DEV.tsv"
    house.ingest(questions, refresh=False)
    pictures.add(house, [questions])
    house.ingest(directory / "MMBench_replayed.csv", run="replayed", refresh=False)
    scores = directory / "MMBench_replayed_scores.csv"
    house.ingest(scores, run="replayed", method="perplexity", refresh=False)
    step("storing the cached judgments")
    store_judgments(house, directory / "judgments.jsonl")
    return house


def store_judgments(house: Warehouse, file: Path) -> None:
    """Store the demo's cached judgments, once."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    source = sources.Source(
        path=str(file),
        sha256=sources.digest(file),
        bytes=file.stat().st_size,
        format="demo_judgments",
        adapter_version=1,
        flags={"judge": JUDGE},
        n_rows=len(rows),
    )
    with house.changing() as con, transaction(con):
        known = con.execute(
            "SELECT 1 FROM main.source WHERE format = ? AND sha256 = ?",
            [source.format, source.sha256],
        ).fetchone()
        if known is not None:
            return
        source_id = sources.add(con, source)
        judge_id = judges.register(
            con, judges.Judge(JUDGE, "choice_extraction", "import"), source_id=source_id
        )
        judges.store(
            con,
            judge_id,
            [
                judges.Judgment(row["subject_hash"], row["reply"], labels=tuple(row["labels"]))
                for row in rows
            ],
            source_id=source_id,
        )

"""The MMBench TSV: `index, question, hint, A…, answer, category, l2-category, split, image`.

Also in xlsx, CSV or JSON. Answers may be absent (hidden test sets). VLMEvalKit's dataset files for
other multiple-choice benchmarks have the same form.
"""

from __future__ import annotations

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter, Place
from ingest.names import known_names, read_dataset_name
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions; benchmark, version, split and language come from the file's name."""
    indexed_rows.check_index(con, probe)
    indexed_rows.stage_questions(con, probe)
    name = read_dataset_name(probe.path.stem, known_names(settings))
    inferred = {}
    if name is not None:
        inferred = dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name")
    return Staged(dataset=name, inferred=inferred, questions=indexed_rows.QUESTIONS)


ADAPTER = Adapter(
    name="mmbench_questions",
    version=1,
    description="the MMBench TSV: `index, question, hint, A…, answer, category, l2-category, split, image`. Answers may be absent; images are hashed, not stored",
    needs=("index", "question", "A", "B"),
    accepts=lambda probe: not probe.has("prediction"),
    stage=stage,
    place=Place.QUESTIONS,
)

"""The MMBench TSV: `index, question, hint, A…, answer, category, l2-category, split, image`.

Also in xlsx, CSV or JSON. Answers may be absent (hidden test sets). VLMEvalKit's dataset files for
other multiple-choice benchmarks have the same form.
"""

from __future__ import annotations

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter, Place
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_run


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions; benchmark, version, split and language come from the file's name."""
    indexed_rows.check_index(con, probe)
    about = vlmevalkit_run.read(probe, settings)
    about = vlmevalkit_run.with_new_benchmark(con, probe, settings, about)
    indexed_rows.stage_questions(
        con, probe, splits_by_level=about.splits_by_level, mixes_words=about.mixes_words
    )
    questions = indexed_rows.questions(mixes_words=about.mixes_words)
    return vlmevalkit_run.staged(probe, settings, about, questions)


ADAPTER = Adapter(
    name="mmbench_questions",
    version=1,
    description="the MMBench TSV: `index, question, hint, A…, answer, category, l2-category, "
    "split, image`. Answers may be absent; images are hashed, not stored",
    needs=("index", "question", "A", "B"),
    accepts=lambda probe: not probe.has("prediction"),
    stage=stage,
    place=Place.QUESTIONS,
)

"""VLMEvalKit's predictions, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in its work dir.

The dataset's columns stand next to the prediction. The run's label is the work dir's timestamp
(`{model}/T20260101-000000/…`) or else the file's stem.
"""

from __future__ import annotations

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter, Place
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_open, vlmevalkit_run, work_dir
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions if the file carries them.

    Raises:
        InputError: neither the file's name nor a flag names the model.
    """
    if probe.has("hit", "log"):
        raise InputError(
            probe.path,
            "holds VLMEvalKit's verdicts (columns hit and log), which the format vlmevalkit_results "
            "reads",
            row=0,
            field="hit",
        )
    about = vlmevalkit_run.read(probe, settings)
    model = about.model
    assert model is not None
    indexed_rows.check_index(con, probe)
    has_questions = probe.has("question", "A", "B")
    if has_questions:
        about = vlmevalkit_run.with_new_benchmark(con, probe, settings, about)
        indexed_rows.stage_questions(
            con, probe, splits_by_level=about.splits_by_level, mixes_words=about.mixes_words
        )
    indexed_rows.stage_predictions(con, probe, model, splits_by_level=about.splits_by_level)
    further = indexed_rows.stage_further(con, probe, model, splits_by_level=about.splits_by_level)
    questions = indexed_rows.questions(mixes_words=about.mixes_words) if has_questions else None
    return vlmevalkit_run.staged(probe, settings, about, questions, further)


def _accepts(probe: Probe) -> bool:
    if not probe.has("question", "A", "B"):
        if work_dir.is_of_others(probe):
            return False
        return not probe.has("question") or not vlmevalkit_open.ADAPTER.accepts(probe)
    has_own = probe.has_any("hint", "category", "l2-category", "source", "comment")
    return has_own or work_dir.of(probe.path) is not None


ADAPTER = Adapter(
    name="vlmevalkit",
    version=2,
    description="VLMEvalKit's answers, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in "
    "its work dir: `index, prediction` and the dataset's columns",
    needs=("index", "prediction"),
    accepts=_accepts,
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("question") else Place.BARE_ANSWERS,
    stages_ahead=True,
)

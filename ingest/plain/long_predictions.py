"""Our long format for predictions: one row per answer, in Parquet, CSV or JSONL.

question_key   the question's id
prediction     the raw output; empty is an answer without text
model          unless --model gives it; one file may hold several models, each its own run
pass, sample   0 unless said
split          where the benchmark has several
failed         true where inference failed, so that there is no answer
anything else  kept with the answer, but for what questions have (question, answer, choices …)
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import duckdb

from ingest import own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts import bulk_predictions
from ingest.facts.run_facts import Answers
from ingest.names import DatasetName, read_dataset_name, timestamp_label
from ingest.plain import long_cells
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage what the predictions have in common, or each prediction where that is not enough."""
    written = [name for name in bulk_predictions.PLACE if probe.has(name)]
    values = {
        "model": long_cells.trimmed("model") if probe.has("model") else "NULL",
        "split": f"nullif({long_cells.text(probe, 'split')}, '')",
        "pass": _default(probe, "pass", "0", long_cells.whole(_WRITTEN["pass"], "SMALLINT")),
        "sample": _default(probe, "sample", "0", long_cells.whole(_WRITTEN["sample"], "SMALLINT")),
        "failed": _default(probe, "failed", "false", f"TRY_CAST({_WRITTEN['failed']} AS BOOLEAN)"),
    }
    if settings.model is not None:
        values["model"] = literal(settings.model)
        written = [name for name in written if name != "model"]
    text = long_cells.text(probe, "prediction")
    stage_them = partial(stage_rows, con, probe, settings)
    further = own_columns.of(probe, are_all_own=True)
    if further.own:
        own_columns.stage(con, further, stage_them(), "raw AS r")
        return long_run(probe, settings, Answers(pass_column="pass", further=further))
    if bulk_predictions.collect(con, written, values, text, long_cells.KEY):
        return long_run(probe, settings, Answers(pass_column="pass", stage_rows=stage_them))
    stage_them()
    return long_run(probe, settings, Answers(pass_column="pass"))


_WRITTEN = {name: long_cells.trimmed(name) for name in ("pass", "sample", "failed")}


def _default(probe: Probe, name: str, default: str, value: str) -> str:
    if not probe.has(name):
        return default
    return f"CASE WHEN {_WRITTEN[name]} IS NULL THEN {default} ELSE {value} END"


def stage_rows(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> dict[str, str]:
    """Stage each prediction, so that whatever is wrong can be named; return its place, as `row_place` does.

    Raises:
        InputError: a key is empty, or a cell is none of what it has to be.
    """
    con.execute("DELETE FROM stage_place")
    place = row_place(con, probe, settings)
    failed = "false"
    if probe.has("failed"):
        written = _WRITTEN["failed"]
        refuse_rows(
            con,
            probe.path,
            f"{written} IS NOT NULL AND TRY_CAST({written} AS BOOLEAN) IS NULL",
            "failed",
            lambda row: f"{row[1]!r} is neither true nor false",
            value=written,
        )
        failed = f"coalesce(TRY_CAST({written} AS BOOLEAN), false)"
    text = long_cells.text(probe, "prediction")
    staged_rows.select(con, "stage_prediction", **place, text=text, failed=failed)
    return place


def row_place(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> dict[str, str]:
    """SQL for model, split, question_key, pass and sample of a long file.

    Raises:
        InputError: neither a column nor a flag names the model.
    """
    if settings.model is not None:
        model = literal(settings.model)
    elif probe.has("model"):
        model = "trim(CAST(model AS VARCHAR))"
        refuse_empty(con, probe.path, model, "model")
    else:
        raise InputError(
            probe.path, "does not name the model; add a column or give --model", field="model"
        )
    return {
        "model": model,
        "split": f"nullif({long_cells.text(probe, 'split')}, '')",
        "question_key": long_cells.key(con, probe),
        "pass_": long_cells.whole_number(con, probe, "pass", "0", "SMALLINT"),
        "sample": long_cells.whole_number(con, probe, "sample", "0", "SMALLINT"),
    }


def long_run(probe: Probe, settings: Settings, answers: Answers) -> Staged:
    """What a long file's name and folder say of its run."""
    timed = timestamp_label(probe.path)
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    sources = {"run": "the folder's name" if timed else "the file's name"}
    if probe.has("model"):
        sources["model"] = "the column model"
    if name:
        sources["benchmark"] = "the file's name"
    return Staged(
        dataset=DatasetName(name.benchmark) if name else None,
        inferred=sources,
        answers=replace(
            answers,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="long",
        ),
    )


ADAPTER = Adapter(
    name="predictions",
    version=2,
    description="ours: `question_key, prediction`; `model, pass, sample, split, failed`, "
    "anything else is kept with each answer",
    needs=("question_key", "prediction"),
    accepts=lambda probe: not probe.has("label", "score"),
    stage=stage,
    place=Place.BARE_ANSWERS,
)

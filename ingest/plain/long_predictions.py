"""Our long format for predictions: one row per answer, in Parquet, CSV or JSONL.

question_key   the question's id
prediction     the raw output; empty is an answer without text
model          unless --model gives it; one file may hold several models, each its own run
pass, sample   0 unless said
split          where the benchmark has several
failed         true where inference failed, so that there is no answer
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.facts import bulk_predictions
from ingest.names import read_dataset_name, timestamp_label
from ingest.plain import long_cells
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage what the predictions have in common, or each prediction where that is not enough."""
    run = long_run(probe, settings, "prediction", "generation")
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
    if bulk_predictions.collect(con, written, values, text, long_cells.KEY):
        return replace(run, by_row=partial(_by_row, con, probe, settings, run))
    return _by_row(con, probe, settings, run)


_WRITTEN = {name: long_cells.trimmed(name) for name in ("pass", "sample", "failed")}


def _default(probe: Probe, name: str, default: str, value: str) -> str:
    if not probe.has(name):
        return default
    return f"CASE WHEN {_WRITTEN[name]} IS NULL THEN {default} ELSE {value} END"


def _by_row(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, run: Staged
) -> Staged:
    """Stage each prediction, so that whatever is wrong can be named."""
    con.execute("DELETE FROM stage_place")
    place = row_place(con, probe, settings)
    failed = "false"
    if probe.has("failed"):
        written = _WRITTEN["failed"]
        refuse_first(
            con,
            probe.path,
            f"SELECT __row, {written} FROM raw WHERE {written} IS NOT NULL "
            f"AND TRY_CAST({written} AS BOOLEAN) IS NULL ORDER BY __row LIMIT 1",
            "failed",
            lambda row: f"{row[1]!r} is neither true nor false",
        )
        failed = f"coalesce(TRY_CAST({written} AS BOOLEAN), false)"
    con.execute(
        f"INSERT INTO stage_prediction SELECT {place}, {long_cells.text(probe, 'prediction')}, "
        f"{failed} FROM raw"
    )
    return run


def row_place(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> str:
    """SQL for row, model, split, question_key, pass and sample of a long file.

    Raises:
        InputError: neither a column nor a flag names the model.
    """
    if settings.model is not None:
        model = literal(settings.model)
    elif probe.has("model"):
        refuse_first(
            con,
            probe.path,
            "SELECT __row FROM raw WHERE nullif(trim(CAST(model AS VARCHAR)), '') IS NULL "
            "ORDER BY __row LIMIT 1",
            "model",
            lambda row: "is empty",
        )
        model = "trim(CAST(model AS VARCHAR))"
    else:
        raise InputError(
            probe.path, "does not name the model; add a column or give --model", field="model"
        )
    key = long_cells.key(con, probe)
    step = long_cells.whole_number(con, probe, "pass", "0", "SMALLINT")
    sample = long_cells.whole_number(con, probe, "sample", "0", "SMALLINT")
    split = f"nullif({long_cells.text(probe, 'split')}, '')"
    return f"__row, {model}, {split}, {key}, {step}, {sample}"


def long_run(probe: Probe, settings: Settings, value_column: str, method: str) -> Staged:
    """What a long file's name and folder say of its run."""
    timed = timestamp_label(probe.path)
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    sources = {"run": "the folder's name" if timed else "the file's name"}
    if probe.has("model"):
        sources["model"] = "the column model"
    if name:
        sources["benchmark"] = "the file's name"
    return Staged(
        role="predictions",
        fields={
            "question_key": "question_key",
            "pass": "pass",
            "sample": "sample",
            "split": "split",
            "label": "label",
            "prediction": value_column,
        },
        benchmark=name.benchmark if name else None,
        run=timed[0] if timed else probe.path.stem,
        produced_at=timed[1] if timed else None,
        harness="long",
        method=method,
        inferred=sources,
    )


ADAPTER = Adapter(
    name="predictions",
    version=1,
    description="ours: `question_key, prediction`; `model, pass, sample, split, failed`",
    needs=("question_key", "prediction"),
    accepts=lambda probe: not probe.has("label", "score"),
    stage=stage,
    place=Place.BARE_ANSWERS,
)

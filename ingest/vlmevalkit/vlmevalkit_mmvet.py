"""MM-Vet in VLMEvalKit: its TSV `index, image, question, answer, category`, and predictions.

The prediction file `{model}_{dataset}.xlsx`, `.tsv` or `.json` holds the dataset's columns and
`prediction`, and lies in a work dir as those of other datasets do. `category` holds the
capabilities with commas between; `answer` is one reference, as it stands. There are no choices A, B
…, which is how these files differ from those of multiple choice.
"""

from __future__ import annotations

import duckdb

from ingest import capabilities, cells
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.names import (
    known_names,
    model_and_dataset,
    read_dataset_name,
    task_name,
    timestamp_label,
)
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged
from warehouse.errors import InputError

_KEY = "trim(CAST(r.index AS VARCHAR))"
_PLACE = f"r.__row, NULL, {_KEY}"
_OWN = {"index", "image", "question", "answer", "category", "prediction"}
_FIELDS = {
    "question_key": "index",
    "pass": "index",
    "text": "question",
    "reference": "answer",
    "label": "index",
    "prediction": "prediction",
}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and the predictions if the file has them.

    Raises:
        InputError: an index is empty, or nothing names the model of predictions.
    """
    refuse_first(
        con,
        probe.path,
        f"SELECT r.__row FROM raw AS r WHERE nullif({_KEY}, '') IS NULL ORDER BY 1 LIMIT 1",
        "index",
        lambda row: "is empty",
    )
    _stage_questions(con, probe)
    if not probe.has("prediction"):
        return _question_file(probe, settings)
    model, name = model_and_dataset(probe.path, settings)
    if model is None:
        raise InputError(
            probe.path,
            "the name does not contain the model (expected {model}_{dataset}); give it with --model",
        )
    text = "CAST(r.prediction AS VARCHAR)"
    if probe.kind in ("tsv", "csv", "xlsx"):
        text = f"nullif({text}, '')"
    con.execute(
        f"INSERT INTO stage_prediction SELECT r.__row, {literal(model)}, NULL, {_KEY}, 0, 0, {text}, "
        "false FROM raw AS r"
    )
    timed = timestamp_label(probe.path)
    return Staged(
        role="predictions",
        fields=_FIELDS,
        benchmark=name.benchmark if name else None,
        version=name.version if name else None,
        split=name.split if name else None,
        language=name.language if name else None,
        model=model,
        run=timed[0] if timed else probe.path.stem,
        produced_at=timed[1] if timed else None,
        harness="vlmevalkit",
        task="open",
        task_name=task_name(probe.path, model, settings),
        carries_questions=True,
        inferred={
            **dict.fromkeys(
                ("model", "benchmark", "version", "split", "language"), "the file's name"
            ),
            "run": "the folder's name" if timed else "the file's name",
        },
    )


def _stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    image, joined = "NULL", ""
    if probe.has("image"):
        # A short cell is the index of the row that has the image.
        image = "coalesce(j.image, CASE WHEN length(r.image) = 64 THEN r.image END)"
        joined = " LEFT JOIN raw AS j ON r.image = CAST(j.index AS VARCHAR)"
    con.execute(
        f"INSERT INTO stage_question SELECT {_PLACE}, 0, nullif(CAST(r.question AS VARCHAR), ''), "
        f"NULL, {image} FROM raw AS r{joined}"
    )
    con.execute(
        f"INSERT INTO stage_reference SELECT {_PLACE}, 0, CAST(r.answer AS VARCHAR) FROM raw AS r "
        "WHERE nullif(CAST(r.answer AS VARCHAR), '') IS NOT NULL"
    )
    written = "string_split(coalesce(CAST(r.category AS VARCHAR), ''), ',')"
    capabilities.stage(con, "raw AS r", _PLACE, written, "category")
    attributes = {
        column: cells.text(column, of="r.")
        for column in probe.columns
        # Predictions can go out again as they came in: with the capabilities in their order.
        if column not in _OWN or (column == "category" and probe.has("prediction"))
    }
    cells.attributes(con, _PLACE, "raw AS r", attributes)


def _question_file(probe: Probe, settings: Settings) -> Staged:
    name = read_dataset_name(probe.path.stem, known_names(settings))
    sources = dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name")
    return Staged(
        role="questions",
        fields=_FIELDS,
        benchmark=name.benchmark if name else None,
        version=name.version if name else None,
        split=name.split if name else None,
        language=name.language if name else None,
        task="open",
        carries_questions=True,
        inferred=sources if name else {},
    )


ADAPTER = Adapter(
    name="vlmevalkit_mmvet",
    version=1,
    description="MM-Vet as VLMEvalKit writes it, questions or predictions: `index, question, answer, category`, no `A, B`",
    needs=("index", "question", "answer", "category"),
    accepts=lambda probe: not probe.has_any("A", "B", "hit", "score"),
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("prediction") else Place.QUESTIONS,
)

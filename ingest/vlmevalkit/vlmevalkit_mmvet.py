"""MM-Vet in VLMEvalKit: its TSV `index, image, question, answer, category`, and predictions.

The prediction file `{model}_{dataset}.xlsx`, `.tsv` or `.json` holds the dataset's columns and
`prediction`, and lies in a work dir as those of other datasets do. `category` holds the
capabilities with commas between; `answer` is one reference, as it stands. There are no choices A, B
…, which is how these files differ from those of multiple choice.
"""

from __future__ import annotations

import duckdb

from ingest import capabilities, cells, open_rows, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.names import (
    known_names,
    model_and_dataset,
    read_dataset_name,
    split_model_and_dataset,
    task_name,
    timestamp_label,
)
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import work_dir
from warehouse.errors import InputError

_KEY = "trim(CAST(r.index AS VARCHAR))"
_PLACE = f"r.__row, NULL, {_KEY}"
_OWN = {"index", "image", "question", "answer", "category", "prediction"}
_QUESTIONS = Questions(key="index", reference="answer", task="open")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and the predictions if the file has them.

    Raises:
        InputError: an index is empty, or nothing names the model of predictions.
    """
    refuse_empty(con, probe.path, _KEY, "index", source="raw AS r")
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
    staged_rows.select(
        con, "stage_prediction", "raw AS r", model=literal(model), question_key=_KEY, text=text
    )
    further = own_columns.of(probe)
    own_columns.stage(con, further, {"model": literal(model), "question_key": _KEY}, "raw AS r")
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=name,
        task_name=task_name(probe.path, model, settings),
        questions=_QUESTIONS,
        answers=Answers(
            key="index",
            model=model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="vlmevalkit",
            further=further,
        ),
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
    question, answer = "CAST(r.question AS VARCHAR)", "CAST(r.answer AS VARCHAR)"
    open_rows.stage(
        con, _KEY, question, answer, image=image, source="raw AS r", row="r.__row", joined=joined
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
    return Staged(dataset=name, inferred=sources if name else {}, questions=_QUESTIONS)


def _accepts(probe: Probe) -> bool:
    """Not what is of another benchmark by its name, and nothing of a work dir by its columns alone."""
    if probe.has_any("A", "B", "hit", "score") or work_dir.is_of_others(probe):
        return False
    placed = work_dir.of(probe.path)
    if placed is not None:
        name = read_dataset_name(placed.dataset)
        return name is not None and name.benchmark == "MM-Vet"
    stem = probe.path.stem
    found = split_model_and_dataset(stem) if probe.has("prediction") else None
    name = found[1] if found else read_dataset_name(stem)
    return name is None or name.benchmark == "MM-Vet"


ADAPTER = Adapter(
    name="vlmevalkit_mmvet",
    version=2,
    description="MM-Vet as VLMEvalKit writes it, questions or predictions: `index, question, "
    "answer, category`, no `A, B`",
    needs=("index", "question", "answer", "category"),
    accepts=_accepts,
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("prediction") else Place.QUESTIONS,
    stages_ahead=True,
)

"""Answers of a VLMEvalKit run that has not finished: `{rank}{world_size}_{dataset}.pkl`.

    {index: text}, or {index: {prediction, …}}

Each process writes its own, in the folder of the model or in a folder of its run
(`{model}/T20260101-000000/03_MMStar.pkl`). Together they make one run, whose other questions are
missing. A file next to one that holds the finished answers says nothing new, and is left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from ingest import own_columns, staged_rows
from ingest.adapter import Adapter, ByProductError, Place
from ingest.facts.run_facts import Answers
from ingest.indexed_rows import PASS_STEP
from ingest.names import known_names, read_dataset_name, timestamp_label
from ingest.plain.long_cells import whole
from ingest.reading import json_map
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError

_NAME = re.compile(r"\d{2,}_(.+)\.pkl")
_FINISHED = (".xlsx", ".tsv", ".json")
_OF_NAME = ("benchmark", "version", "split", "language")


@dataclass(frozen=True)
class Shard:
    """What the name and place of such a file say."""

    model: str
    dataset: str


def is_named(path: Path) -> bool:
    """Whether a file is named as a process of a run names its answers."""
    return _NAME.fullmatch(path.name) is not None


def of(path: Path) -> Shard | None:
    """The model and dataset of a shard; None: it is none, or the finished answers lie next to it."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    here = path.absolute().parent
    model = here.parent.name if _is_run(here) else here.name
    if not model:
        return None
    dataset = found[1]
    if any((here / f"{model}_{dataset}{ending}").is_file() for ending in _FINISHED):
        return None
    return Shard(model, dataset)


def holds_answers(path: Path) -> bool:
    """Whether a file is a map of texts, or of records with a prediction; images are written so too."""
    try:
        found = json_map.columns(json_map.read(path, "pickle"))
    except InputError:
        return False
    return "value" in found or "prediction" in found


def _is_run(folder: Path) -> bool:
    """Whether the folder itself is named by a time."""
    found = timestamp_label(folder / "file")
    return found is not None and found[0] == folder.name


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers.

    Raises:
        InputError: the file is not named as a process names its answers, or the finished ones lie next to it.
        ByProductError: nobody has heard of the dataset, so that there are no questions.
    """
    shard = of(probe.path)
    if shard is None:
        raise InputError(
            probe.path,
            "is not named RANKWORLDSIZE_DATASET.pkl, or the finished answers lie next to it",
        )
    model = settings.model or shard.model
    there = tuple(name for (name,) in con.execute("SELECT name FROM main.benchmark").fetchall())
    dataset = read_dataset_name(shard.dataset, (*known_names(settings), *there))
    if dataset is None and settings.benchmark is None and shard.dataset not in settings.map:
        raise ByProductError(
            probe.path, f"answers to {shard.dataset}, whose questions are not known here"
        )
    name = settings.benchmark or (dataset.benchmark if dataset else None)
    benchmark = known_benchmarks.find(name) if name else None
    column = "value" if probe.has("value") else "prediction"
    key, pass_ = "trim(key)", "0"
    if benchmark is None or benchmark.task == "choice":
        number = whole("key", "INTEGER")
        key = f"coalesce(CAST({number} % {PASS_STEP} AS VARCHAR), trim(key))"
        pass_ = f"coalesce({number} // {PASS_STEP}, 0)"
    staged_rows.select(
        con,
        "stage_prediction",
        "raw",
        row="__row",
        model=literal(model),
        question_key=key,
        pass_=pass_,
        text=column,
    )
    further = own_columns.of(probe, are_all_own=True)
    further = replace(
        further, own=tuple(name for name in further.own if name not in ("key", column))
    )
    place = {"model": literal(model), "question_key": key, "pass_": pass_}
    own_columns.stage(con, further, place, "raw AS r")
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=dataset,
        task_name=shard.dataset,
        answers=Answers(
            key="key",
            prediction=column,
            model=model,
            run=timed[0] if timed else f"{shard.model}_{shard.dataset}",
            produced_at=timed[1] if timed else None,
            harness="vlmevalkit",
            further=further,
        ),
        is_part=True,
        inferred={
            "model": "the folder's name",
            "run": "the folder's name" if timed else "the file's name",
            **dict.fromkeys(_OF_NAME, "the file's name"),
        },
        notes=("answers of a run that has not finished; its other questions are missing",),
    )


ADAPTER = Adapter(
    name="vlmevalkit_shard",
    version=2,
    description="What one process of an unfinished VLMEvalKit run has answered, "
    "`{rank}{world_size}_{dataset}.pkl`: `{index: text}`; its files make one run",
    needs=("key",),
    accepts=lambda probe: (
        probe.kind == "pickle"
        and probe.has_any("value", "prediction")
        and of(probe.path) is not None
    ),
    stage=stage,
    place=Place.BARE_ANSWERS,
    stages_ahead=True,
)

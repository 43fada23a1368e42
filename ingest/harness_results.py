"""What lmms-eval says of its samples, in names and in the results file next to them.

{model}/{time}_samples_{task}.jsonl    {model}/{time}_results.json

The folder's name has the model's with __ for the slash. The results file has the model's name as it
is, the settings of each task and the harness's own figures (`results_files`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from ingest import results_files
from ingest.facts.judgment_facts import Judgments
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.lmms_eval import lmms_results
from ingest.names import DatasetName, read_dataset_name
from ingest.reading import json_map
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

LMMS_EVAL = "lmms-eval"

_SAMPLES = re.compile(r"(?P<time>\d{8}_\d{4}(?:\d\d)?)_samples_(?P<task>.+)")
_RESULTS = "{}_results.json"
_IS_RESULTS = re.compile(r"\d{8}_\d{4}(\d\d)?_results\.json")


@dataclass(frozen=True)
class SamplesInfo:
    """What is known of a samples file before its records.

    Attributes:
        harness: what wrote it.
        task: what the harness calls it.
        dataset: the dataset in the task's name; None: it is of no known benchmark.
        way: in what other way its questions are put than usually, such as ppl.
        label: the run's, where no filter adds to it.
        n_documents: how many the harness says that it evaluated.
        repeats: how often it says that it put each.
        config: the task's settings.
        said: all that the results file says of how the answers came about.
    """

    harness: str
    task: str
    dataset: DatasetName | None
    way: str | None
    model: str
    label: str
    produced_at: str | None
    n_documents: int | None = None
    repeats: int | None = None
    config: dict[str, Any] = field(default_factory=dict)
    inferred: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    results: str | None = None
    said: dict[str, Any] = field(default_factory=dict)

    @property
    def benchmark(self) -> str | None:
        """The benchmark in the task's name."""
        return self.dataset.benchmark if self.dataset else None


def look(con: duckdb.DuckDBPyConnection, path: Path, settings: Settings) -> SamplesInfo:
    """What the names of file and folder and the results file next to it say.

    Raises:
        InputError: the results file is broken.
    """
    named = _SAMPLES.fullmatch(path.stem)
    task = named["task"] if named else path.stem.removeprefix("samples_")
    time = named["time"] if named else None
    results_path = path.with_name(_RESULTS.format(time)) if time else None
    notes: tuple[str, ...] = ()
    results: dict[str, Any] = {}
    if results_path is not None and results_path.is_file():
        results = json_map.read_object(results_path)
    else:
        name = results_path.name if results_path is not None else "results file"
        notes = (f"there is no {name} next to it, so its settings are not known",)
    dataset, way = dataset_of(con, task, settings)
    model, is_stated = results_files.model_of(path, results)
    label = settings.run or path.stem
    if time:
        label = label_of(time, task, dataset, way, settings)
    return SamplesInfo(
        harness=LMMS_EVAL,
        task=task,
        dataset=dataset,
        way=way,
        model=settings.model or model,
        label=label,
        produced_at=results_files.produced_at(time, results.get("date")),
        n_documents=results_files.n_documents(results, task),
        repeats=results_files.count(results_files.of_task(results, "configs", task).get("repeats")),
        config=results_files.of_task(results, "configs", task),
        inferred=results_files.inferred(results_path.name if is_stated and results_path else None),
        notes=notes,
        results=results_path.name if results and results_path else None,
        said=results_files.said_of(results, task),
    )


def label_of(
    time: str,
    task: str,
    dataset: DatasetName | None,
    way: str | None,
    settings: Settings,
) -> str:
    """The label of a task's run, which the file alone decides, unless --run does.

    Several tasks of a harness may be of the same dataset, and were run at the same time. So the
    task is in it, or only the way of putting questions, where its name begins with that of a
    benchmark that comes with evalhouse.
    """
    plain, way = results_files.without_way(task)
    is_shipped = read_dataset_name(plain, of_packages=False) is not None
    behind = f"_{task}" if not is_shipped else f"_{way}" if way else ""
    return settings.run or f"{time}{behind}"


def staged(
    info: SamplesInfo,
    answers: Answers,
    *,
    questions: Questions | None = None,
    judgments: Judgments | None = None,
    notes: Sequence[str] = (),
) -> Staged:
    """What a samples file holds: answers, and perhaps questions or judgments."""
    return Staged(
        dataset=info.dataset,
        task_name=info.task,
        inferred=info.inferred,
        notes=(*info.notes, *notes),
        questions=questions,
        answers=replace(
            answers,
            model=info.model,
            run=info.label,
            harness=info.harness,
            produced_at=info.produced_at,
        ),
        judgments=judgments,
        said=info.said,
    )


def check_number(
    path: Path, info: SamplesInfo, settings: Settings, rows: list[int]
) -> tuple[str, ...]:
    """Compare the number of records with the harness's, as `results_files.check_number`."""
    return results_files.check_number(
        path, rows, info.n_documents, settings, results=info.results, task=info.task
    )


def is_lmms(path: Path) -> bool:
    """Whether a file is named as lmms-eval's samples are."""
    return _SAMPLES.fullmatch(path.stem) is not None


def is_sidecar(path: Path) -> str | None:
    """What a file next to samples is, if it holds no answers."""
    if not _IS_RESULTS.fullmatch(path.name):
        return None
    try:
        found = json_map.read_object(path)
    except (InputError, OSError):
        return None
    if not isinstance(found.get("results"), dict) or not isinstance(found.get("configs"), dict):
        return None
    if lmms_results.kind_of_text(path):
        # Its figures are read.
        return None
    tasks = ", ".join(sorted(map(str, found["results"])))
    return (
        f"holds no answers: it is a results file of {LMMS_EVAL}, figures and settings of {tasks}, and is read with "
        "the samples files"
    )


def dataset_of(
    con: duckdb.DuckDBPyConnection, task: str, settings: Settings
) -> tuple[DatasetName | None, str | None]:
    """The dataset in a task's name, and the way its questions are put."""
    known = con.execute("SELECT name FROM main.benchmark").fetchall()
    names = tuple(str(name) for (name,) in known) + (
        (settings.benchmark,) if settings.benchmark else ()
    )
    plain, way = results_files.without_way(task)
    return read_dataset_name(plain, names), way

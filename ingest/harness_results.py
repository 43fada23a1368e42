"""What lmms-eval and lm-evaluation-harness say of their samples, in names and in a results file.

lmms-eval                {model}/{time}_samples_{task}.jsonl    {model}/{time}_results.json
lm-evaluation-harness    {model}/samples_{task}_{time}.jsonl    {model}/results_{time}.json

The folder's name has the model's with __ for the slash. The results file has the model's name as it
is, the settings of each task and the harness's own figures, which are not taken for ours. Its
task_hashes are no keys: they depend on the number of documents alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from ingest.facts.judgment_facts import Judgments
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.lm_eval import lm_eval_results
from ingest.lmms_eval import lmms_results
from ingest.names import DatasetName, read_dataset_name
from ingest.reading import json_map
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

LMMS_EVAL = "lmms-eval"
LM_EVAL = "lm-evaluation-harness"

_SAMPLES = {
    LMMS_EVAL: re.compile(r"(?P<time>\d{8}_\d{4}(?:\d\d)?)_samples_(?P<task>.+)"),
    LM_EVAL: re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"),
}
_RESULTS = {LMMS_EVAL: "{}_results.json", LM_EVAL: "results_{}.json"}
_IS_RESULTS = re.compile(
    r"\d{8}_\d{4}(\d\d)?_results\.json|.+_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?\.json"
)
_WHOLE = ("config", "usage")
"""Objects of a results file that are of the whole run, and not by task."""
_FIGURES = ("results", "groups", "higher_is_better")
_LONG = ("pretty_env_info", "samples")
_OF_TASK = {"configs": "task", "versions": "version"}
# Ways to put the same questions, which harnesses write behind the dataset's name.
_WAYS = ("ppl", "gen", "mc", "cot", "reasoning", "static", "format", "solution")


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


def look(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, harness: str
) -> SamplesInfo:
    """What the names of file and folder and the results file next to it say.

    Raises:
        InputError: the results file is broken.
    """
    named = _SAMPLES[harness].fullmatch(path.stem)
    task = named["task"] if named else path.stem.removeprefix("samples_")
    time = named["time"] if named else None
    results_path = path.with_name(_RESULTS[harness].format(time)) if time else None
    if results_path is not None and not results_path.is_file():
        # lm-evaluation-harness was given a name of the user's own.
        results_path = next(iter(sorted(path.parent.glob(f"*_{time}.json"))), results_path)
    notes: tuple[str, ...] = ()
    results: dict[str, Any] = {}
    if results_path is not None and results_path.is_file():
        results = json_map.read_object(results_path)
    else:
        name = results_path.name if results_path is not None else "results file"
        notes = (f"there is no {name} next to it, so its settings are not known",)
    dataset, way = dataset_of(con, task, settings)
    model, is_stated = model_of(path, results, settings)
    label = settings.run or path.stem
    if time:
        label = label_of(time, task, dataset, way, settings, harness=harness)
    return SamplesInfo(
        harness=harness,
        task=task,
        dataset=dataset,
        way=way,
        model=model,
        label=label,
        produced_at=_produced_at(time, results.get("date")),
        n_documents=_number(_of(results, "n-samples", task).get("effective")),
        repeats=_number(_of(results, "configs", task).get("repeats")),
        config=_of(results, "configs", task),
        inferred={
            "model": f"the file {results_path.name}"
            if is_stated and results_path
            else "the folder's name",
            **dict.fromkeys(
                ("run", "benchmark", "version", "split", "language"), "the file's name"
            ),
        },
        notes=notes,
        results=results_path.name if results and results_path else None,
        said=said_of(results, task),
    )


def said_of(results: dict[str, Any], task: str) -> dict[str, Any]:
    """What a results file says of how a task's answers came about: not its figures.

    Settings of the task are under `task`, those of the whole run under their own names.
    """
    found: dict[str, Any] = {}
    for name, value in results.items():
        if isinstance(value, dict) and name not in _WHOLE:
            # What was computed of tokens is by task at another place.
            by_task = value.get("by_task")
            value = by_task if isinstance(by_task, dict) else value
            if name not in _FIGURES and task in value:
                found[_OF_TASK.get(name, name)] = value[task]
        elif name not in _LONG and value is not None and value != {}:
            found[name] = value
    return found


def model_of(path: Path, results: dict[str, Any], settings: Settings) -> tuple[str, bool]:
    """The model, and whether the results file has its name; else it is the folder's."""
    stated = results.get("model_name")
    stated = stated.strip() if isinstance(stated, str) else ""
    return settings.model or stated or _model_of_folder(path.absolute().parent.name), bool(stated)


def label_of(
    time: str,
    task: str,
    dataset: DatasetName | None,
    way: str | None,
    settings: Settings,
    *,
    harness: str = LMMS_EVAL,
) -> str:
    """The label of a task's run, which the file alone decides, unless --run does.

    Several tasks of a harness may be of the same dataset, and were run at the same time. So the
    task is in it; of lmms-eval's tasks only the way of putting questions, where their names begin
    with that of a benchmark that comes with evalhouse.
    """
    if harness == LM_EVAL:
        return settings.run or f"{time}_{task}"
    plain, way = _without_way(task)
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
    """Compare the number of records with the harness's; return a note if some are missing.

    Args:
        rows: the records that should be one for each document.

    Raises:
        InputError: there are more, as where the samples of two models are in one file.
    """
    wanted = info.n_documents
    if wanted is None or len(rows) == wanted:
        return ()
    if len(rows) < wanted:
        return (
            f"{wanted - len(rows):,} of the {wanted:,} documents that {info.results} lists "
            "are not in the file",
        )
    if settings.on_duplicate != "error":
        return ()
    raise InputError(
        path,
        f"is one more than the {wanted:,} documents that {info.results} lists for {info.task}; "
        "the samples of one run of one model make a file (--on-duplicate first or last says which "
        "of the same documents count)",
        row=rows[wanted],
        field="doc_id",
    )


def is_lmms(path: Path) -> bool:
    """Whether a file is named as lmms-eval's samples are."""
    return _SAMPLES[LMMS_EVAL].fullmatch(path.stem) is not None


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
    if lmms_results.kind_of_text(path) or lm_eval_results.kind_of_text(path):
        # Its figures are read.
        return None
    harness = LMMS_EVAL if path.name.endswith("_results.json") else LM_EVAL
    tasks = ", ".join(sorted(map(str, found["results"])))
    return (
        f"holds no answers: it is a results file of {harness}, figures and settings of {tasks}, and is read with "
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
    plain, way = _without_way(task)
    return read_dataset_name(plain, names), way


def _without_way(task: str) -> tuple[str, str | None]:
    """A task's name without the way in which its questions are put, and that way."""
    parts = task.split("_")
    ways = [part for part in parts[1:] if part in _WAYS]
    plain = "_".join(part for place, part in enumerate(parts) if not place or part not in _WAYS)
    return plain, "_".join(ways) or None


def _model_of_folder(folder: str) -> str:
    return folder.replace("__", "/") if folder.strip("_").count("__") == 1 else folder


def _produced_at(time: str | None, date: object) -> str | None:
    if isinstance(date, int | float) and not isinstance(date, bool):
        return f"{datetime.fromtimestamp(date, UTC):%Y-%m-%d %H:%M:%S}"
    digits = re.sub(r"\D", "", (time or "").split(".")[0])
    if not digits:
        return None
    numbers = [digits[:4], *(digits[place : place + 2] for place in range(4, len(digits), 2))]
    year, month, day, hour, minute, second = [*numbers, "00"][:6]
    return f"{year}-{month}-{day} {hour}:{minute}:{second}"


def _of(results: dict[str, Any], part: str, task: str) -> dict[str, Any]:
    tasks = results.get(part)
    found = tasks.get(task) if isinstance(tasks, dict) else None
    return found if isinstance(found, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None

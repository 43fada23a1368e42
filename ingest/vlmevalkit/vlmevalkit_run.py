"""What a file of VLMEvalKit's is about: its benchmark, and the model and run of its answers.

A file's place may say the model, and the dataset's own name:

    {model}/{model}_{dataset}.xlsx                  and {model}/T20260101-000000/…
    status.json next to it                          has the name of each dataset and its file
    LMUData/{dataset}.tsv                           questions

In these places a dataset's name is certain, also that of one that nobody has heard of.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import duckdb

from ingest import new_benchmark
from ingest.adapter import ByProductError
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.loading import Columns
from ingest.names import (
    DatasetName,
    is_beyond,
    known_names,
    model_and_dataset,
    read_dataset_name,
    split_model_and_dataset,
    task_name,
    timestamp_label,
)
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

_QUESTIONS = "lmudata"
_ANSWERS = (".xlsx", ".tsv", ".json")
_VERDICTS = (
    "hit", "score", "log", "res", "verdict", "correct", "extract", "extracted", "eval_score",
    "eval_match", "judge", "gpt_score",
)  # fmt: skip
_OF_OTHERS_KINDS = ("jsonl", "csv", "parquet")
_OF_OTHERS = (
    "model", "answer", "answers", "target", "gold", "label", "reference", "references", "response",
    "output",
)  # fmt: skip
_MOST_BYTES = 2**26


@dataclass(frozen=True)
class _Placed:
    """A file's model and dataset, as its place says; model None: it holds questions alone."""

    model: str | None
    dataset: str


def of(path: Path) -> _Placed | None:
    """What the place of a file says; None: it does not say."""
    here = path.absolute()
    for name, dataset in _of_status(here):
        if path.stem.endswith(f"_{dataset}") and name == path.name:
            return _Placed(path.stem.removesuffix(f"_{dataset}"), dataset)
    for folder in here.parents[:2]:
        if folder.name and path.stem.startswith(f"{folder.name}_"):
            dataset = path.stem.removeprefix(f"{folder.name}_")
            return _Placed(folder.name, dataset) if dataset.strip() else None
    if here.parent.name.lower() == _QUESTIONS and path.stem.strip():
        return _Placed(None, path.stem)
    return None


def is_of_others(probe: Probe) -> bool:
    """Whether a file with a column `index` is somebody's own, of a kind that VLMEvalKit does not write.

    It says whose answers they are, or what is right, and its place and name say no dataset.
    """
    return (
        probe.kind in _OF_OTHERS_KINDS and probe.has_any(*_OF_OTHERS) and _names_nothing(probe.path)
    )


def are_lines_of_others(probe: Probe) -> bool:
    """Whether a file is of JSON lines, as VLMEvalKit writes none, and its place and name say no dataset."""
    return probe.kind == "jsonl" and _names_nothing(probe.path)


def _names_nothing(path: Path) -> bool:
    return of(path) is None and split_model_and_dataset(path.stem) is None


def _judged(probe: Probe) -> str | None:
    """The file of answers that a file next to it judges; None: it is none of verdicts.

    `{model}_{dataset}_gpt-4o_score.xlsx` is of no dataset of that name where the answers lie in
    `{model}_{dataset}.xlsx`; a dataset `{dataset}_more` has no column of verdicts.
    """
    path = probe.path
    if not probe.has_any(*_VERDICTS):
        return None
    before = path.stem
    while "_" in before:
        before = before.rpartition("_")[0]
        for ending in _ANSWERS:
            if path.with_name(before + ending).is_file():
                return before + ending
    return None


def _of_status(path: Path) -> tuple[tuple[str, str], ...]:
    status = path.parent / "status.json"
    try:
        found = status.stat()
    except OSError:
        return ()
    if found.st_size > _MOST_BYTES:
        return ()
    return _read_status(status, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def _read_status(status: Path, _mtime_ns: int, _size: int) -> tuple[tuple[str, str], ...]:
    """The prediction files that a status names, each with its dataset."""
    try:
        datasets = json.loads(status.read_text(encoding="utf-8-sig"))["datasets"]
        pairs = [(one["prediction_file"], str(name)) for name, one in datasets.items()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ()
    return tuple((file, name) for file, name in pairs if isinstance(file, str))


_OF_NAME = ("benchmark", "version", "split", "language")


@dataclass(frozen=True)
class About:
    """What a file's name and place say, and what is known of its benchmark.

    Attributes:
        model: of its answers; None: the file holds questions alone.
        task: the dataset as the file calls it.
        dataset: that name taken apart; None: it is of no known benchmark.
        benchmark: what is known of it; None: nothing.
        is_certain: the place of the file says that `task` is a dataset's name.
    """

    model: str | None
    task: str | None
    dataset: DatasetName | None
    benchmark: Benchmark | None
    is_certain: bool

    @property
    def splits_by_level(self) -> bool:
        """Whether the benchmark has the column `split` for abilities, and not for datasets."""
        levels = self.benchmark.levels if self.benchmark else ()
        return any("split" in level.columns for level in levels)

    @property
    def mixes_words(self) -> bool:
        """Whether questions without choices may stand among the others, as far as anybody knows."""
        return self.benchmark is None or self.benchmark.is_inferred


def read(probe: Probe, settings: Settings) -> About:
    """What a file is about.

    Raises:
        InputError: it has predictions, and neither its name nor a flag names the model.
    """
    placed = of(probe.path)
    if probe.has("prediction"):
        if placed is not None and placed.model is not None and settings.model is None:
            model, task = placed.model, placed.dataset
            dataset = read_dataset_name(task, known_names(settings))
        else:
            named, dataset = model_and_dataset(probe.path, settings)
            if named is None:
                raise InputError(
                    probe.path,
                    "the name does not contain the model (expected {model}_{dataset}); give it with "
                    "--model",
                )
            model = named
            task = task_name(probe.path, model, settings) or ""
    else:
        model, task = "", probe.path.stem
        dataset = read_dataset_name(task, known_names(settings))
    name = settings.benchmark or (dataset.benchmark if dataset else None)
    return About(
        model=model or None,
        task=task or None,
        dataset=dataset,
        benchmark=known_benchmarks.find(name) if name else None,
        is_certain=placed is not None and placed.dataset == task,
    )


def with_new_benchmark(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, about: About
) -> About:
    """The same, with a benchmark of its own where nobody has heard of the dataset.

    `stage_index` or `raw` holds the file.

    Raises:
        ByProductError: it repeats another file's answers, with verdicts.
    """
    judged = _judged(probe) if about.is_certain else None
    if judged is not None and settings.benchmark is None and about.task not in settings.map:
        raise ByProductError(
            probe.path, f"what a judge or VLMEvalKit said of the answers in {judged}; not read yet"
        )
    is_another = is_beyond(about.benchmark, about.dataset)
    if (
        (about.dataset is not None and not is_another)
        or about.task is None
        or not about.is_certain
        or settings.benchmark is not None
        or about.task in settings.map
    ):
        return about
    there = tuple(name for (name,) in con.execute("SELECT name FROM main.benchmark").fetchall())
    if not is_another and read_dataset_name(about.task, there) is not None:
        return about
    made = new_benchmark.of_columns(con, probe, about.task)
    return replace(about, benchmark=made, dataset=DatasetName(about.task))


def staged(
    probe: Probe,
    settings: Settings,
    about: About,
    questions: Questions | None,
    further: Columns = Columns(),
) -> Staged:
    """What the adapter found.

    Args:
        further: the further columns of the answers.
    """
    is_new = about.benchmark is not None and known_benchmarks.find(about.benchmark.name) is None
    made = about.benchmark if is_new else None
    notes = _misspelt(probe) if questions is not None else ()
    if about.model is None:
        sources = dict.fromkeys(_OF_NAME, "the file's name")
        return Staged(
            dataset=about.dataset,
            inferred=sources if about.dataset else {},
            questions=questions,
            new_benchmark=made,
            notes=notes,
            alerts=notes,
        )
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=about.dataset,
        task_name=about.task,
        questions=questions,
        answers=Answers(
            key="index",
            model=about.model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="vlmevalkit",
            further=further,
        ),
        inferred={
            "model": "the file's name",
            "run": "the folder's name" if timed else "the file's name",
            **dict.fromkeys(_OF_NAME, "the file's name"),
        },
        new_benchmark=made,
        notes=notes,
        alerts=notes,
    )


def _misspelt(probe: Probe) -> tuple[str, ...]:
    """What to say of a file whose answers are in a column of nearly that name."""
    if probe.has("answer"):
        return ()
    near = [name for name in probe.columns if name.strip().lower() == "answer"]
    return tuple(
        f"the column {name!r} is not read: right answers stand in the column 'answer', and here none is known"
        for name in near
    )

"""What a file of VLMEvalKit's is about: its benchmark, and the model and run of its answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    task_name,
    timestamp_label,
)
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import work_dir
from warehouse import known_benchmarks
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

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
    placed = work_dir.of(probe.path)
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
    judged = work_dir.judged(probe) if about.is_certain else None
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

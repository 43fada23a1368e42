"""What a place in VLMEvalKit's folders says of a file: the model, and the dataset's own name.

    {model}/{model}_{dataset}.xlsx                  and {model}/T20260101-000000/…
    status.json next to it                          has the name of each dataset and its file
    LMUData/{dataset}.tsv                           questions

In these places a dataset's name is certain, also that of one that nobody has heard of.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ingest.names import split_model_and_dataset
from ingest.reading.probe import Probe

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
class Placed:
    """A file's model and dataset, as its place says; model None: it holds questions alone."""

    model: str | None
    dataset: str


def of(path: Path) -> Placed | None:
    """What the place of a file says; None: it does not say."""
    here = path.absolute()
    for name, dataset in _of_status(here):
        if path.stem.endswith(f"_{dataset}") and name == path.name:
            return Placed(path.stem.removesuffix(f"_{dataset}"), dataset)
    for folder in here.parents[:2]:
        if folder.name and path.stem.startswith(f"{folder.name}_"):
            dataset = path.stem.removeprefix(f"{folder.name}_")
            return Placed(folder.name, dataset) if dataset.strip() else None
    if here.parent.name.lower() == _QUESTIONS and path.stem.strip():
        return Placed(None, path.stem)
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


def judged(probe: Probe) -> str | None:
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

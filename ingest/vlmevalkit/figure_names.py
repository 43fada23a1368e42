"""What the name of a VLMEvalKit score file says: `{model}_{dataset}[_{judge}]_acc.csv`.

Which part is the dataset, that is known from `status.json` next to it, from the file of answers of
that name, or from the benchmarks that are known. What stands behind it is the judge, or else the
name of one of several score files of that dataset.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ingest.names import read_dataset_name, timestamp_label
from warehouse import known_benchmarks

READ = frozenset(("acc", "score", "score_fine", "rating"))
"""The endings of the files that are read."""

_ENDING = re.compile(
    r"_(?P<ending>acc|acc_all|score|score_fine|rating|metrics|detailed_metrics)\.(csv|tsv|json)"
)
_ANSWERS = (".xlsx", ".tsv", ".json")
_JUDGES = frozenset(("exact_matching", "openai", "chatgpt", "deepseek", "gemini"))
"""Judges, and what stands in their place, that are no name with a number or a hyphen in it."""
STATUS = "status.json"
_MAX_STATUS_BYTES = 64_000_000


@dataclass(frozen=True)
class FigureName:
    """A score file's name taken apart.

    Attributes:
        dataset: what VLMEvalKit calls it.
        judge: as `status.json` or else the name has it; None: neither says.
        label: the run's, by the work dir's timestamp or else the stem of its file of answers.
        part: which of the dataset's score files it is, such as fine; '': the only one.
    """

    model: str
    dataset: str
    judge: str | None
    label: str
    part: str


def ending(path: Path) -> str | None:
    """How the name of a score file ends, such as acc; None: it is not named as one."""
    found = _ENDING.search(path.name)
    return found["ending"] if found and found.end() == len(path.name) else None


def read(path: Path, model: str | None = None, known: tuple[str, ...] = ()) -> FigureName | None:
    """Take a name apart; None if it does not say of which model and dataset the figures are.

    Args:
        model: what the user said; None: nothing.
        known: names of benchmarks in addition to those with a folder.
    """
    its_ending = ending(path)
    return None if its_ending is None else of_ending(path, its_ending, model, known)


def of_ending(
    path: Path, its_ending: str, model: str | None = None, known: tuple[str, ...] = ()
) -> FigureName | None:
    """The same for any file whose name ends so; None too if it does not."""
    if not path.stem.endswith(f"_{its_ending}"):
        return None
    stem = path.stem.removesuffix(f"_{its_ending}")
    for its_model, rest in _models(path, stem, model, known):
        found = _dataset_and_rest(path, its_model, rest, known)
        if found is not None:
            dataset, behind = found
            break
    else:
        return None
    stated = _judge_in_status(path, dataset)
    named = behind if behind in (stated, *_JUDGES) or re.search(r"[-\d]", behind) else ""
    parts = ["" if named else behind, "fine" if its_ending == "score_fine" else ""]
    timed = timestamp_label(path)
    return FigureName(
        model=model or its_model,
        dataset=dataset,
        judge=named or stated,
        label=timed[0] if timed else f"{its_model}_{dataset}",
        part=":".join(part for part in parts if part),
    )


def _models(
    path: Path, stem: str, model: str | None, known: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What may be the model, and the rest of the name: a folder's name comes first."""
    for name in (model, *(folder.name for folder in path.absolute().parents[:2])):
        if name and stem.startswith(f"{name}_"):
            yield name, stem.removeprefix(f"{name}_")
    for place in (place for place, character in enumerate(stem) if character == "_" and place):
        rest = stem[place + 1 :]
        if read_dataset_name(rest, known) is not None:
            yield stem[:place], rest


def _dataset_and_rest(
    path: Path, model: str, rest: str, known: tuple[str, ...]
) -> tuple[str, str] | None:
    places = [place for place, character in enumerate(rest) if character == "_"]
    parted = [(rest, ""), *((rest[:at], rest[at + 1 :]) for at in reversed(places))]
    in_status = _datasets(path)
    for dataset, behind in parted:
        if dataset in in_status:
            return dataset, behind
    for dataset, behind in parted:
        if dataset and _is_answered(path, model, dataset):
            return dataset, behind
    if timestamp_label(path) is None and read_dataset_name(rest, known) is None:
        return None
    last = rest.rpartition("_")[2]
    judge = next((one for one in _JUDGES if rest.endswith(f"_{one}")), last)
    is_judge = judge in _JUDGES or "-" in judge
    if not is_judge or judge == rest or rest.lower() in known_benchmarks.named():
        return rest, ""
    return rest.removesuffix(f"_{judge}"), judge


def _is_answered(path: Path, model: str, dataset: str) -> bool:
    return any(path.with_name(f"{model}_{dataset}{kind}").is_file() for kind in _ANSWERS)


def _datasets(path: Path) -> Mapping[str, Any]:
    """What `status.json` next to a file says of each dataset; nothing where it cannot be read."""
    status = path.with_name(STATUS)
    try:
        stat = status.stat()
    except OSError:
        return {}
    if stat.st_size > _MAX_STATUS_BYTES:
        return {}
    return _read_status(status, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def _read_status(status: Path, _changed: int, _size: int) -> Mapping[str, Any]:
    try:
        content = json.loads(status.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    datasets = content.get("datasets") if isinstance(content, dict) else None
    return datasets if isinstance(datasets, dict) else {}


def _judge_in_status(path: Path, dataset: str) -> str | None:
    of_dataset = _datasets(path).get(dataset)
    judge = of_dataset.get("judge_model") if isinstance(of_dataset, dict) else None
    return judge.strip() or None if isinstance(judge, str) else None

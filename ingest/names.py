"""What file names say: the benchmark, version, split and language, the model, and the time."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from pathlib import Path

from ingest.settings import Settings
from warehouse import known_benchmarks
from warehouse.benchmark import Benchmark, Dataset

# A work dir of VLMEvalKit before August 2026: the day, and the commit.
_DAY = re.compile(r"T(\d{4})(\d{2})(\d{2})_G[0-9a-fA-F]+$")
_TIMESTAMP = re.compile(r"T?(\d{4})(\d{2})(\d{2})[-_T](\d{2})(\d{2})(\d{2})")
_ANSWERS = "answers"
_SPLITS = {"dev", "test", "train", "val", "validation"}
LANGUAGES = {"en": "en", "cn": "cn", "zh": "cn"}
"""How names write a language, in lower case."""


@dataclass(frozen=True)
class DatasetName:
    """A dataset's name taken apart, such as MMBench_DEV_EN_V11. None: the name does not say."""

    benchmark: str
    version: str | None = None
    split: str | None = None
    language: str | None = None

    def __str__(self) -> str:
        parts = (self.benchmark, self.version, self.split, self.language)
        return "/".join(part for part in parts if part)

    def is_of(self, said: DatasetName) -> bool:
        """Return whether it has every part that a name says."""
        return all(
            part in (None, its) for part, its in zip(astuple(said), astuple(self), strict=True)
        )


def read_dataset_name(
    text: str, known: tuple[str, ...] = (), *, of_packages: bool = True
) -> DatasetName | None:
    """Take a dataset's name apart; None if it does not begin with a known benchmark.

    Args:
        text: such as `MMBench_TEST_CN` or `mmbench_dev_20230712`.
        known: names of benchmarks in addition to those with a folder.
        of_packages: whether benchmarks that installed packages bring are among those.
    """
    named = known_benchmarks.named(of_packages=of_packages)
    others = {name.lower(): name for name in known}
    parts = text.split("_")
    for length in range(len(parts), 0, -1):
        begin = "_".join(parts[:length]).lower()
        benchmark, dataset = named.get(begin, (None, None))
        if begin in others:
            return _rest_of_name(others[begin], benchmark, None, parts[length:])
        if benchmark is not None:
            return _rest_of_name(benchmark.name, benchmark, dataset, parts[length:])
    return None


def _rest_of_name(
    name: str, benchmark: Benchmark | None, dataset: Dataset | None, parts: list[str]
) -> DatasetName:
    split, language = (dataset.split, dataset.language) if dataset else (None, None)
    version = [dataset.version] if dataset and dataset.version else []
    own_splits = (benchmark.splits if benchmark else None) or ()
    languages = {**LANGUAGES, **(benchmark.languages if benchmark else {})}
    left = list(parts)
    while left:
        # A benchmark's own splits can have several parts, such as dev_val.
        length = next(
            (n for n in range(len(left), 1, -1) if "_".join(left[:n]).lower() in own_splits), 1
        )
        part, left = "_".join(left[:length]), left[length:]
        lowered = part.lower()
        if (lowered in _SPLITS or lowered in own_splits) and split is None:
            split = lowered
        elif lowered in languages and language is None:
            language = languages[lowered]
        elif re.fullmatch(r"[vV]\d\d", part):
            version.append(f"{part[1]}.{part[2]}")
        elif part:
            version.append(part)
    return DatasetName(name, "_".join(version) or None, split, language)


def is_beyond(benchmark: Benchmark | None, dataset: DatasetName | None) -> bool:
    """Whether a dataset's name only begins like one that was inferred: `Foo_Bar` is none of `Foo`.

    What follows may be a split, a language or a number, but no word.
    """
    return (
        benchmark is not None
        and dataset is not None
        and benchmark.is_inferred
        and re.search(r"\d", dataset.version or "0") is None
    )


def split_model_and_dataset(
    stem: str, known: tuple[str, ...] = ()
) -> tuple[str, DatasetName] | None:
    """`{model}_{dataset}` taken apart where a known benchmark's name begins; None if none does.

    An alias that an installed package brings may be a part of a model's name, so the others come
    first.
    """
    places = [place for place, character in enumerate(stem) if character == "_" and place]
    for of_packages in (False, True):
        for place in places:
            found = read_dataset_name(stem[place + 1 :], known, of_packages=of_packages)
            if found is not None:
                return stem[:place], found
    return None


def split_benchmark_and_model(stem: str) -> tuple[str | None, str]:
    """`{benchmark}.{model}` taken apart; None and the whole if the benchmark is unknown."""
    for place, character in enumerate(stem):
        known = known_benchmarks.find(stem[:place]) if character == "." else None
        if known is not None and stem[place + 1 :].strip():
            return known.name, stem[place + 1 :]
    return None, stem


def known_names(settings: Settings) -> tuple[str, ...]:
    """Names of datasets that the user gave, in addition to those of benchmarks with a folder."""
    return ((settings.benchmark,) if settings.benchmark else ()) + tuple(settings.map)


def task_name(path: Path, model: str | None, settings: Settings) -> str | None:
    """The dataset's part of the name `{model}_{dataset}`; None: nothing follows the model."""
    for name in (model, *(folder.name for folder in path.absolute().parents[:2])):
        if name and path.stem.startswith(f"{name}_"):
            return path.stem.removeprefix(f"{name}_")
    found = split_model_and_dataset(path.stem, known_names(settings))
    return path.stem.removeprefix(f"{found[0]}_") if found else None


def model_and_dataset(path: Path, settings: Settings) -> tuple[str | None, DatasetName | None]:
    """What the name `{model}_{dataset}` says; a folder above, or --model, may name the model.

    So does LLaVA's place, `answers_upload/{dataset}/{model}`.

    The model is None where only the name of a file of an unknown benchmark could give it.
    """
    known = known_names(settings)
    for name in (settings.model, *(folder.name for folder in path.absolute().parents[:2])):
        if name and path.stem.startswith(f"{name}_"):
            return name, read_dataset_name(path.stem.removeprefix(f"{name}_"), known)
    found = split_model_and_dataset(path.stem, known)
    if found:
        return settings.model or found[0], found[1]
    placed = path.absolute().parent
    if placed.parent.name.startswith(_ANSWERS) and (
        of_folder := read_dataset_name(placed.name, known)
    ):
        return settings.model or path.stem, of_folder
    return settings.model or (path.stem if settings.benchmark else None), None


def dataset_of_folder(path: Path) -> DatasetName | None:
    """The dataset that a folder above a file is named after, the nearest; None: there is none."""
    for folder in path.absolute().parents[:4]:
        found = read_dataset_name(folder.name)
        if found is not None:
            return found
    return None


def is_timestamp(label: str) -> bool:
    """Whether a run's label begins as a folder that is named by a time."""
    return _TIMESTAMP.match(label) is not None or _DAY.match(label) is not None


def timestamp_label(path: Path) -> tuple[str, str] | None:
    """A folder above the file named by a time: its name, and the time as ISO text (UTC)."""
    for folder in path.absolute().parents:
        found = _TIMESTAMP.match(folder.name)
        if found:
            return folder.name, _iso_time(found)
        day = _DAY.match(folder.name)
        if day:
            return folder.name, "-".join(day.groups())
    return None


def _iso_time(found: re.Match[str]) -> str:
    year, month, day, hour, minute, second = found.groups()
    return f"{year}-{month}-{day} {hour}:{minute}:{second}"

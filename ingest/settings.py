"""What the user said about a file, and what came of reading it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypedDict

from warehouse.errors import UsageError
from warehouse.option import option, pairs
from warehouse.wording import counted


class TaskMap(dict[str, str]):
    """The entries of --map. It records the queried names, so that a misspelt task is noticed.

    A task may be a pattern with one `*`, such as `mmlu_*=MMLU`. What that stands for takes the place
    of `*` in the dataset's name, or is the dataset's version where that has none.
    """

    def __init__(self, entries: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(entries)
        self.queried: set[str] = set()

    @classmethod
    def of(cls, entries: Mapping[str, str]) -> TaskMap:
        """The entries as such a map, which they may be."""
        return entries if isinstance(entries, cls) else cls(entries)

    def get(self, key: str, default: Any = None) -> Any:
        """The dataset of a task."""
        self.queried.add(key)
        if key in self:
            return self[key]
        for task, dataset in self.items():
            part = between(task, key)
            if part is not None:
                return dataset.replace("*", part)
        return default

    def version_of(self, key: str) -> str | None:
        """The version that a pattern gives a task's dataset; None: none."""
        if key in self:
            return None
        found = ((between(task, key), dataset) for task, dataset in self.items())
        return next((part for part, dataset in found if part and "*" not in dataset), None)

    def unused(self) -> list[str]:
        """The entries that no file looked up, as they were given."""
        return [
            f"{task}={dataset}"
            for task, dataset in self.items()
            if task not in self.queried
            and not any(between(task, name) is not None for name in self.queried - self.keys())
        ]


def between(pattern: str, name: str) -> str | None:
    """What `*` stands for in a pattern that fits a name; None: it does not fit, or has none."""
    before, star, after = pattern.partition("*")
    if not star or len(name) <= len(before) + len(after):
        return None
    if not name.startswith(before) or not name.endswith(after):
        return None
    return name[len(before) : len(name) - len(after)]


_NOT_GIVEN = ("image",)
"""Read in a way of its own by this name."""


def read_map(words: list[str]) -> TaskMap:
    """Read `TASK=DATASET`, several times: the dataset of each task.

    Raises:
        UsageError: it is not TASK=DATASET, or a task has two datasets.
    """
    mapped = TaskMap()
    for word in words:
        task, _, dataset = (part.strip() for part in word.partition("="))
        if not task or not dataset:
            raise UsageError(f"--map is TASK=DATASET, not {word!r}")
        if mapped.setdefault(task, dataset) != dataset:
            raise UsageError(f"--map says both {mapped[task]} and {dataset} for {task}")
    return mapped


def read_columns(given: Iterable[str]) -> dict[str, str]:
    """Read `THEIRS=OURS[,THEIRS=OURS …]`, several times, as a mapping.

    Raises:
        UsageError: one is not written so, or a column is named twice.
    """
    found: dict[str, str] = {}
    for pair in (pair for words in given for pair in words.split(",")):
        theirs, equals, ours = (part.strip() for part in pair.partition("="))
        if not equals or not theirs or not ours:
            raise UsageError(f"--column {pair!r}: is written THEIRS=OURS, such as id=question_key")
        if theirs in found or ours in found.values():
            raise UsageError(f"--column {pair!r}: names a column for the second time")
        if ours in _NOT_GIVEN:
            raise UsageError(f"--column {pair!r}: {ours} cannot be said to be another column")
        found[theirs] = ours
    return found


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of `ingest`. None: not said, to be inferred or not needed."""

    benchmark: str | None = option(None, "Such as MMBench.")
    version: str | None = option(None, "The dataset's version.")
    split: str | None = option(None, "The split, for files without a column.")
    language: str | None = option(None, "The dataset's language.")
    model: str | None = option(None, "The model that answered.")
    run: str | None = option(None, "The run's label, to keep it in addition to another one.")
    format: str | None = option(None, "Read as this format.")
    method: str | None = option(None, "How choice scores came about: loglik, perplexity, clip.")
    reduction: str | None = option(None, "loglik: sum or mean over tokens.")
    scored: str | None = option(None, "loglik: content or letter.")
    judge: str | None = option(None, "Who gave the labels, grades or verdicts of the file.")
    judge_template: str | None = option(
        None, "What an imported judge was asked with; by default unknown."
    )
    task: str | None = option(
        None, "Grades of open answers: soft_score (0-1), mark (1-5) or letter_grade (GRADE: C)."
    )
    input: str | None = option(
        None,
        "What the runs showed their model: image (the question with its image) or text (alone).",
    )
    subset: str | None = option(None, "What a subset is called; by default the file's name.")
    on_duplicate: str = option("error", "The same key twice: error, or the first or last counts.")
    replace: bool = option(
        False,
        "Supersede a run or subset; of a question file, take its texts, choices, answers and abilities, "
        "and add its questions. The former are kept as history.",
    )
    drop_missing: bool = option(
        False,
        "With --replace: the file is the whole list, and its dataset's other questions no longer count. "
        "Their answers stay.",
    )
    part: bool = option(
        False, "Answers to other questions go into the run of that label that is there (shards)."
    )
    map: Mapping[str, str] = pairs(
        read_map,
        "What files call a task or dataset, and what it is here: a dataset of the warehouse, or such as "
        "MMBench_DEV_EN. Several times.",
        "TASK=DATASET",
    )
    column: Mapping[str, str] = pairs(
        read_columns,
        "What files call a column, and what it is, such as id=question_key,response=prediction. "
        "Remembered for the --benchmark.",
        "THEIRS=OURS",
    )

    def __post_init__(self) -> None:
        if self.on_duplicate not in ("error", "first", "last"):
            raise UsageError(f"--on-duplicate is error, first or last, not {self.on_duplicate!r}")
        if self.drop_missing and not self.replace:
            raise UsageError("--drop-missing goes with --replace")

    def refuse_several(self, n: int) -> None:
        """Refuse several files where one has to be the whole of something.

        Raises:
            UsageError: each of them would drop the questions of the others.
        """
        if self.drop_missing and n != 1:
            raise UsageError(
                "--drop-missing is for one file, which has all of its dataset's questions; "
                f"{n:,} were given"
            )

    @property
    def given(self) -> dict[str, object]:
        """What was said that decides what a file is read as."""
        return {
            name: value
            for name, value in asdict(self).items()
            # What runs showed their model is said of them, and no other reading of the file.
            if name not in ("replace", "drop_missing", "input") and value not in (None, False, {})
        }


class Options(TypedDict, total=False):
    """The fields of `Settings` as the options of a call."""

    format: str | None
    benchmark: str | None
    version: str | None
    split: str | None
    language: str | None
    model: str | None
    run: str | None
    method: str | None
    reduction: str | None
    scored: str | None
    judge: str | None
    judge_template: str | None
    task: str | None
    subset: str | None
    on_duplicate: str
    replace: bool
    drop_missing: bool
    part: bool
    input: str | None
    map: Mapping[str, str]
    column: Mapping[str, str]


@dataclass
class Report:
    """What an ingest did: printed by the command, returned by the Python API."""

    path: str
    format: str
    already: bool = False
    unopened: bool = False
    """There already by its path, content and settings, so that it was not opened."""
    inferred: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)
    """Notes without which the file's answers mislead; folders say them too. Some are among `notes`."""
    n_rows: int = 0
    harness: str | None = None
    datasets: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    run_labels: list[str] = field(default_factory=list)
    n_runs: int = 0
    n_continued: int = 0
    """Of the runs, those of which an earlier file held a part."""
    changed: list[str] = field(default_factory=list)
    """What was noted of a file that was there already."""
    source_id: int | None = None
    """Of the file in `main.source`; None: nothing of it was stored now."""
    has_harness_facts: bool = False
    """Whether the file says what its harness made of the answers."""
    is_guessed: bool = False
    """The benchmark is the only one that is there, and nothing names it."""

    def record_runs(self, runs: Iterable[tuple[str, str]]) -> None:
        """Note the model and label of each run that the file holds, or judges."""
        pairs = list(runs)
        self.n_runs = len(pairs)
        self.models = list(dict.fromkeys(model for model, _ in pairs))
        self.run_labels = list(dict.fromkeys(label for _, label in pairs))

    def line(self) -> str:
        """What the file is, in one line."""
        if self.already:
            return "; ".join((f"{self.path}: there already", *self.changed))
        of = [
            shortened(self.models, "models"),
            shortened(self.datasets, "datasets"),
            shortened(self.run_labels, "runs"),
        ]
        words = ", ".join(one for one in of if one)
        return f"{self.path}: {self.format}, {counted(self.n_rows, 'row')}" + (
            f": {words}" if words else ""
        )

    def lines(self) -> list[str]:
        """The report as lines of text."""
        if self.already:
            if self.changed:
                return self.changed
            return [f"{self.path}: read before with the same settings; nothing to do"]
        head = [f"{self.path}: {self.format}, {counted(self.n_rows, 'row')}"]
        return head + [
            f"  {text}"
            for text in dict.fromkeys((*self.inferred, *self.loaded, *self.notes, *self.alerts))
        ]


def shortened(names: Sequence[str], what: str) -> str:
    """A few names as they are, or how many there are."""
    return ", ".join(names) if len(names) <= 3 else f"{len(names):,} {what}"

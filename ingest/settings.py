"""What the user said about a file, and what came of reading it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypedDict

from warehouse.errors import UsageError
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


@dataclass(frozen=True)
class Settings:
    """The flags of `ingest`. None: not said, to be inferred or not needed."""

    format: str | None = None
    benchmark: str | None = None
    version: str | None = None
    split: str | None = None
    language: str | None = None
    model: str | None = None
    run: str | None = None
    method: str | None = None
    reduction: str | None = None
    scored: str | None = None
    judge: str | None = None
    judge_template: str | None = None
    task: str | None = None
    subset: str | None = None
    on_duplicate: str = "error"
    replace: bool = False
    drop_missing: bool = False
    """With replace: the file is the whole list of its dataset's questions, and others no longer count."""
    part: bool = False
    """Answers go into the run of that label that is there, if its answers are of other questions."""
    input: str | None = None
    """What the runs showed their model: image or text."""
    map: Mapping[str, str] = field(default_factory=dict)
    """What files call a dataset, and what it is called here."""
    column: Mapping[str, str] = field(default_factory=dict)
    """What files call a column, and what it is called here."""

    def __post_init__(self) -> None:
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

"""What an adapter finds in a file: what the file is about, and a part for each role of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.facts.judgment_facts import Judgments
from ingest.facts.other_facts import Facts, Subset
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.names import DatasetName
from warehouse.benchmark import Benchmark

Part = Questions | Answers | Judgments | Subset | Facts


@dataclass(frozen=True)
class Staged:
    """What an adapter found in a file, in addition to the rows that it staged.

    Attributes:
        dataset: what the file is about; None: it does not say.
        task_name: what the file calls its dataset, as `--map` takes it; None: it does not.
        split_column: what the file calls the split, for messages.
        inferred: for each setting that the user did not give, where it came from.
        notes: what else there is to say about the file.
        alerts: those of the notes that are said of files in folders too.
        answers: `Answers`, or `Scores` of choices.
        is_part: the file is a part of a run, as `--part` says.
        new_benchmark: what the file's benchmark is taken for, where nobody has heard of it.
        n_rows: records, where the adapter read them itself; None: they are in `raw`.
        said: what the harness says of how the answers came about, for `source.flags`.
    """

    dataset: DatasetName | None = None
    task_name: str | None = None
    split_column: str = "split"
    inferred: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    questions: Questions | None = None
    answers: Answers | None = None
    judgments: Judgments | None = None
    subset: Subset | None = None
    facts: Facts | None = None
    is_part: bool = False
    new_benchmark: Benchmark | None = None
    n_rows: int | None = None
    said: Mapping[str, object] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the file has, in the order in which they are loaded."""
        every = (self.questions, self.answers, self.judgments, self.subset, self.facts)
        return tuple(part for part in every if part is not None)

    @property
    def is_staged(self) -> bool:
        """Whether rows of the file may be in the staging tables."""
        return self.facts is None or self.facts.is_staged

    @property
    def main(self) -> Part:
        """The part that the file is for: questions may come with answers, and judgments too."""
        return self.answers or self.judgments or self.parts[0]

    @property
    def role(self) -> str:
        """What the file is for, as `main.dataset_source` has it."""
        return self.main.role

    @property
    def key(self) -> str:
        """What the file calls a question's id."""
        return self.main.key

    @property
    def of_run(self) -> Answers | Judgments | None:
        """The part that names a model and run."""
        return self.answers or self.judgments

    @property
    def benchmark(self) -> str | None:
        """The benchmark that the file names."""
        return (self.dataset.benchmark or None) if self.dataset else None

    @property
    def harness(self) -> str:
        """What wrote the file."""
        part = self.of_run or self.facts
        return part.harness if part else "unknown"

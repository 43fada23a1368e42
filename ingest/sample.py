"""What a reader of a harness's files gives: a record for each sample, and one for the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingest.harness_metrics import Metric


@dataclass(frozen=True)
class Answer:
    """What a model said.

    Attributes:
        text: without reasoning that the harness keeps apart; None: nothing came.
        sample: the number of the answer, where the question was put several times.
        error: why the call failed; None: it did not.
        attributes: how the answer came about.
    """

    text: str | None
    sample: int = 0
    reasoning: str | None = None
    stop_reason: str | None = None
    tokens: int | None = None
    error: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, str]:
        """All that is known of how it came about, by name."""
        own = {"reasoning": self.reasoning, "stop_reason": self.stop_reason}
        own["output_tokens"] = None if self.tokens is None else str(self.tokens)
        return {name: text for name, text in own.items() if text} | dict(self.attributes)


@dataclass(frozen=True)
class Judgment:
    """What a judge said of a sample's first answer.

    Attributes:
        reply: as it came; None: none came.
        error: why it has no verdict; None: it has one.
        score: the verdict as the harness took it, from 0 to 1.
    """

    judge: str
    reply: str | None = None
    request: str | None = None
    error: str | None = None
    score: float | None = None
    judge_sample: int = 0
    attempt: int = 0


@dataclass(frozen=True)
class Sample:
    """A question and its answers. Several samples may have the same question.

    Attributes:
        row: the record's number in the file.
        pass_: the pass of CircularEval.
        choices: their texts, labelled A, B and so on.
        answer: the right label.
        references: the right texts of a question that is answered in words.
        images: their sha256.
        abilities: levels with the ability of each.
        scores: log-likelihoods by label, of an answer that was not generated.
        metrics: what the harness made of the first answer, by metric.
    """

    row: int
    key: str
    text: str
    pass_: int = 0
    choices: tuple[str, ...] = ()
    answer: str | None = None
    references: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    abilities: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    judgments: tuple[Judgment, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure that the harness wrote of a run; see main.harness_figure.

    Attributes:
        model: whose it is, where the file has those of several; so `task` and `label`.
    """

    metric: str
    value: str
    filter: str | None = None
    reducer: str | None = None
    judge: str | None = None
    model: str | None = None
    task: str | None = None
    label: str | None = None


@dataclass(frozen=True)
class About:
    """What a file says as a whole.

    Attributes:
        model: '' where the file does not name it.
        task: what the harness calls the benchmark.
        label: the run's.
        produced_at: when the answers were given, as ISO text (UTC).
        parts: all files of the run, where it has several.
        figures: the harness's; a file of figures has no samples.
        status: how the harness says that the run ended, and `status_error` why.
        reduction: of log-likelihoods, sum or mean.
        said: the settings, and all else that is kept of the file.
        notes: what there is to say about it.
    """

    harness: str
    model: str
    task: str
    label: str
    produced_at: str | None = None
    parts: tuple[Path, ...] = ()
    figures: tuple[Figure, ...] = ()
    status: str | None = None
    status_error: str | None = None
    reduction: str | None = None
    said: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

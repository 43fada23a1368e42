"""What a reader of a harness's files gives: a record for each sample, and one for the whole file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ingest.harness_metrics import Metric
from ingest.names import DatasetName
from ingest.prompts import LABELS
from ingest.settings import Settings
from warehouse.benchmark import Benchmark

RIGHT_CHOICES = "right_choices"
"""The attribute of a question that has several: their labels, in a row."""


@dataclass(frozen=True)
class Answer:
    """What a model said.

    Attributes:
        text: without reasoning that the harness keeps apart; None: nothing came.
        sample: the number of the answer, where the question was put several times.
        error: why the call failed, '' where nothing says it; an answer that came before is one. None:
            it did not.
        attributes: how the answer came about.
        model: who gave it, where the file does not name one model.
        is_failed: the call failed, whatever came, and nothing says why.
    """

    text: str | None
    sample: int = 0
    reasoning: str | None = None
    stop_reason: str | None = None
    tokens: int | None = None
    error: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    is_failed: bool = False

    @property
    def facts(self) -> dict[str, str]:
        """All that is known of how it came about, by name."""
        own = {"reasoning": self.reasoning, "stop_reason": self.stop_reason}
        own["output_tokens"] = None if self.tokens is None else str(self.tokens)
        return {name: text for name, text in own.items() if text} | dict(self.attributes)


@dataclass(frozen=True)
class Judge:
    """What is known of a judge in addition to its name, so that its replies can be read.

    Attributes:
        model: the model, or the person.
        scorer: what called it.
        task: what it does; see main.judge.
        template: a name for its prompt.
        sampling: the parameters as JSON.
        kind: import or human.
    """

    name: str
    model: str
    scorer: str
    task: str
    template: str
    sampling: str = "{}"
    kind: str = "import"


@dataclass(frozen=True)
class Judgment:
    """What a judge said of a sample's first answer.

    Attributes:
        reply: as it came; None: none came.
        error: why it has no verdict; None: it has one.
        score: the verdict as the harness took it, from 0 to 1.
        log: of one of `About.judges`, what the harness made of the reply.
        word: of one of these, the verdict whose reply the file does not have.
        stated: where replies are read as they are (`About.reads_replies`), what stands in place of one:
            drawn.
    """

    judge: str
    reply: str | None = None
    request: str | None = None
    error: str | None = None
    score: float | None = None
    judge_sample: int = 0
    attempt: int = 0
    log: str | None = None
    word: str | None = None
    stated: str | None = None


@dataclass(frozen=True)
class Ability:
    """An ability that a question needs; it may need several of a level.

    Attributes:
        field: what the file calls it.
        depth: how far below the first level the level stands.
    """

    level: str
    name: str
    field: str
    depth: int = 0


@dataclass(frozen=True)
class Score:
    """The score of a choice, over how many tokens it is, and what gave it.

    Attributes:
        component: of which of the things that the answer consists of.
    """

    label: str
    value: float
    n_tokens: int | None = None
    component: str = "answer"
    scorer: str | None = None


@dataclass(frozen=True)
class Sample:
    """A question and its answers. Several samples may have the same question.

    Attributes:
        row: the record's number in the file.
        text: None: it has none.
        pass_: the pass of CircularEval.
        choices: their texts, labelled A, B and so on, or by label.
        sample: the number of its first answer, where it has none.
        places: of the choices in the data set's order, where they are not 0, 1, 2 and so on.
        answer: the right label.
        references: the right texts of a question that is answered in words.
        images: their sha256.
        scores: log-likelihoods of choices, or by label, of an answer that was not generated.
        metrics: what the harness made of the first answer, by metric, or by metric and filter.
        split: the part of the data set, where the file has several.
        components: what an answer consists of, where it is more than one thing.
        variant: of which of `About.variants` the answers are. What is said of how an answer came about
            is of all of them.
    """

    row: int
    key: str
    text: str | None
    pass_: int = 0
    choices: tuple[str, ...] | Mapping[str, str] = ()
    answer: str | None = None
    references: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    abilities: tuple[Ability, ...] = ()
    answers: tuple[Answer, ...] = ()
    scores: tuple[Score, ...] | Mapping[str, float] = ()
    metrics: Mapping[str | tuple[str, str | None], Metric] = field(default_factory=dict)
    judgments: tuple[Judgment, ...] = ()
    split: str | None = None
    variant: str | None = None
    components: tuple[str, ...] = ()
    sample: int = 0
    places: tuple[int, ...] = ()

    @property
    def labelled(self) -> Mapping[str, str]:
        """The texts of its choices by label."""
        if isinstance(self.choices, tuple):
            return dict(zip(LABELS, self.choices, strict=False))
        return self.choices

    @property
    def scored(self) -> tuple[Score, ...]:
        """The scores of its choices."""
        if isinstance(self.scores, tuple):
            return self.scores
        return tuple(Score(label, value) for label, value in self.scores.items())

    @property
    def number(self) -> int:
        """The number of its first answer."""
        return self.answers[0].sample if self.answers else self.sample


@dataclass(frozen=True)
class Rule:
    """How a benchmark that nobody has heard of is scored, as the harness says.

    Attributes:
        source: what says so, for the benchmark's description.
        settings: of open questions, as a benchmark.toml has them; empty: none.
        of_named: it is the rule of a benchmark that the user named, too.
        origin: what the benchmark is inferred from; None: the file.
    """

    source: str
    settings: Mapping[str, object] = field(default_factory=dict)
    of_named: bool = False
    origin: str | None = None


@dataclass(frozen=True)
class Published:
    """A score that was published, of a benchmark or of one of its abilities.

    Attributes:
        dataset: finds what it is of, among the names of the warehouse's benchmarks; None: its benchmark
            is unknown.
        percent: None: it is on another scale, or the lower the better.
        ability: None: it is of all questions.
        level: the ability's; None: it is not stated.
        by: the strategy and the average; None: the benchmark's.
        spread: over the judge's samples, whose own scores are `samples`, a list.
        row: the record's number, where the file has a record for each model.
        unknown: what is wrong with the ability's column, `field`, where the benchmark has no such
            ability; None: the score is kept as a figure then.
    """

    dataset: Callable[[tuple[str, ...]], DatasetName | None]
    percent: str | None
    ability: str | None = None
    level: str | None = None
    by: tuple[str | None, str | None] | None = None
    spread: str | None = None
    samples: str | None = None
    row: int | None = None
    field: str | None = None
    unknown: str | None = None


@dataclass(frozen=True)
class Figure:
    """A figure that the harness wrote of a run; see main.harness_figure.

    Attributes:
        model: whose it is, where the file has those of several; so `task` and `label`.
        answers: the name of the file that has the answers, of whose run and benchmark it is then, each
            filter a run with its name behind the label; where that was not read, of no benchmark.
    """

    metric: str
    value: str | None
    filter: str | None = None
    reducer: str | None = None
    judge: str | None = None
    model: str | None = None
    task: str | None = None
    label: str | None = None
    answers: str | None = None
    published: Published | None = None


class Asked(NamedTuple):
    """A question in the warehouse; `right` is its right choice, None: it has none."""

    dataset: DatasetName
    key: str
    text: str | None
    right: str | None


@dataclass(frozen=True)
class Context:
    """What else samples may depend on.

    Attributes:
        name: the benchmark's; '': nothing names it.
        benchmark: None: nobody has heard of it.
        task: what its questions are: choice or open; None: nobody has heard of it.
        asked: the questions in the warehouse of the benchmark of a name, in the order in which they
            were read.
    """

    name: str
    benchmark: Benchmark | None
    task: str | None
    settings: Settings
    asked: Callable[[str], Sequence[Asked]]


@dataclass(frozen=True)
class About:
    """What a file says as a whole.

    Attributes:
        model: '' where the file does not name it.
        task: what the harness calls the benchmark.
        names: what else may name it, by field, the likeliest first.
        dataset: the data set in the task's name, where more stands there, or its parts, where the file
            states them or finds them among the names of the warehouse's benchmarks; None: the task's
            name is its.
        label: the run's.
        produced_at: when the answers were given, as ISO text (UTC).
        parts: all files of the run, where it has several.
        is_part: other files may have answers of the same run.
        figures: the harness's; a file of figures alone has no samples.
        status: how the harness says that the run ended, and `status_error` why.
        reduction: of log-likelihoods, sum or mean.
        scored: of what part of the choices they are: content or letter.
        variants: the runs of one model, oldest first, where the file has several: what stands behind
            the label, by the samples' variant. What is of another variant is left out.
        said: the settings, and all else that is kept of the file.
        notes: what there is to say about it, wherever it was found.
        remarks: what there is to say where the file was named outright.
        inferred: where settings that the user did not give came from, by setting.
        judges: who judged, where the file describes them.
        questions: choice or open, where the file says what all its questions are; else they are what
            the benchmark's are.
        rule: of an unknown benchmark; `questions` has to say what its questions are.
        keys: all that were to be asked, where keys and attributes may follow MMBench's conventions
            (see `conventions`).
        has_own_keys: a data set with other keys is another one, whatever it asks; None: where all that
            is known of the benchmark came from files of the format.
        part: which of how many files it is that hold the data set together, from 0; another one may
            have any other questions of it.
        are_whole: the questions are the data set's own, with its keys, its categories and its choices
            in its order: none is drawn or hidden.
        n_documents: the questions of each run, as the file `listed_in` has them; None: not known.
        completed: adds what only all samples show; called once they were read.
        of_benchmark: reads the samples, where the benchmark decides what they say; None: nobody has
            heard of it. Those of `read` are none then.
        with_context: reads the samples, where the context decides what they say; it may name another
            data set.
        are_questions: the file has questions alone, and no model.
        are_answers: it has answers alone, so that their questions have to be in the warehouse, whose
            choices are compared with those that the file shows.
        are_judgments: it has judgments alone, of answers in the warehouse, of which it says nothing.
        are_published: its figures were published, and each says of what (`Figure.published`).
        header: the columns of a table of such figures, which are kept with the source.
        may_be_hidden: right answers may be missing, as those of a hidden test set, where the questions
            are whole too.
        by_id_alone: questions and choices have no texts.
        method: how scores came about: log-likelihoods, or perplexities, which --method loglik takes for
            log-likelihoods.
        columns: what the file calls fields, where it is something else than `FIELDS` says.
        reads_replies: judges replied to questions of ours, and are read as they are.
        judge_task: what they did; None: what is usual for the benchmark.
        n_rows: the file's records; None: they are those of the samples, or the figures.
        unnamed: what is said where nothing names the model.
    """

    harness: str
    model: str
    task: str
    label: str
    produced_at: str | None = None
    parts: tuple[Path, ...] = ()
    is_part: bool = False
    figures: tuple[Figure, ...] = ()
    status: str | None = None
    status_error: str | None = None
    reduction: str | None = None
    said: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    inferred: Mapping[str, str] = field(default_factory=dict)
    judges: tuple[Judge, ...] = ()
    questions: str | None = None
    rule: Rule | None = None
    has_own_keys: bool | None = None
    part: tuple[int, int] | None = None
    keys: frozenset[str] | None = None
    dataset: DatasetName | str | Callable[[tuple[str, ...]], DatasetName] | None = None
    are_whole: bool = False
    n_documents: int | None = None
    listed_in: str | None = None
    scored: str | None = "content"
    variants: Mapping[str | None, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    completed: Callable[[About], About] = lambda about: about
    of_benchmark: Callable[[Benchmark | None], Iterator[Sample]] | None = None
    with_context: Callable[[About, Context], tuple[About, Iterator[Sample]]] | None = None
    are_questions: bool = False
    are_answers: bool = False
    are_judgments: bool = False
    are_published: bool = False
    header: tuple[str, ...] = ()
    may_be_hidden: bool = False
    by_id_alone: bool = False
    method: str = "loglik"
    columns: Mapping[str, str] = field(default_factory=dict)
    reads_replies: bool = False
    judge_task: str | None = None
    n_rows: int | None = None
    unnamed: str = "does not name the model; give it with --model NAME"

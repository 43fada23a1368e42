"""Samples of a harness that filters answers before it scores them, a record a document.

    filtered_resps    what was scored; resps, absent where it is the same, all that the model said
    input             the prompt
    METRIC            what the harness made of the answer

If the harness changed what it scored, what the model said is a run of its own (unfiltered).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ingest import harness_metrics, results_files
from ingest.harness_metrics import Metric
from ingest.record_choices import NotRead
from ingest.sample import About, Answer, Judgment, Sample
from warehouse.errors import InputError

_UNFILTERED = "unfiltered"
_NO_METRIC = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "input", "input_media",
    "token_counts", "submission", "doc_hash", "prompt_hash", "target_hash",
}  # fmt: skip
_KEPT = ("input_media", "token_counts", "arguments")


@dataclass
class FilteredSamples:
    """A file of samples.

    Attributes:
        way: in what other way its questions are put than usually, such as ppl.
        config: the task's settings.
        notes: what there is to say once the samples were read.
        judge_task: what judges did.
    """

    path: Path
    task: str
    way: str
    config: Mapping[str, Any]
    records: Sequence[Mapping[str, Any]]
    notes: list[str] = field(default_factory=list)
    judge_task: str | None = None

    def error(self, row: int, name: str, problem: str) -> InputError:
        return InputError(self.path, problem, row=row, field=name)

    @cached_property
    def said(self) -> list[tuple[list[str], list[str]]]:
        """By record, all that the model said, and what was scored.

        Raises:
            InputError: it is no text, and no list of texts.
        """
        found = []
        for row, one in enumerate(self.records, start=1):
            try:
                scored = texts("filtered_resps", one.get("filtered_resps"))
                raw = scored if one.get("resps") is None else texts("resps", one["resps"])
            except NotRead as error:
                raise self.error(row, error.field, error.problem) from error
            found.append((raw, scored))
        return found

    @cached_property
    def is_changed(self) -> bool:
        """Whether the harness changed an answer before it scored it."""
        return any(raw[: len(scored)] != scored for raw, scored in self.said)

    def answered(
        self, row: int, question: Mapping[str, Any], judgments: Sequence[Judgment] = ()
    ) -> Iterator[Sample]:
        """A record's answers: those that were scored, and what was said where that was changed.

        Args:
            question: fields of a `Sample`.
        """
        record, (raw, scored) = self.records[row - 1], self.said[row - 1]
        its, scored = attributes(record), scored if self.is_changed else raw
        answers = (Answer(text, n, attributes={} if n else its) for n, text in enumerate(scored))
        yield Sample(
            row=row,
            **question,
            answers=tuple(answers),
            metrics=dict(self.metrics(record)),
            judgments=tuple(judgments),
        )
        if self.is_changed:
            answers = (Answer(text, n) for n, text in enumerate(raw))
            yield Sample(row=row, **question, variant=_UNFILTERED, answers=tuple(answers))

    def metrics(self, record: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str | None], Metric]]:
        """What the harness made of a record's answer."""
        said = record.get("filtered_resps")
        said, listed = (
            said if isinstance(said, str) else None,
            results_files.metrics_of(self.config),
        )
        for name, value in record.items():
            if name in _NO_METRIC or not isinstance(value, int | float | dict | str):
                continue
            # Of a name that is not listed nothing is made: MMMU's samples have the same under two.
            is_made = name in listed if listed else not isinstance(value, str)
            found = harness_metrics.read(value, said=said) if is_made else None
            if found is not None:
                yield (name, results_files.filter_of(self.config)), found

    def completed(self, about: About) -> About:
        """The same with the runs, and what there is to say."""
        most = max((len(raw) for raw, _ in self.said), default=0)
        repeats = results_files.count(self.config.get("repeats"))
        notes = {
            "the harness changed answers before it scored them; what the model said is the run "
            f"{about.label}_{_UNFILTERED}": self.is_changed,
            f"each question has up to {most} answers, which are samples; the harness scored the "
            "first": most > 1,
            f"{about.listed_in} says that each question was put {repeats} times; the samples have one "
            "answer each": most <= 1 < (repeats or 0),
            **dict.fromkeys(self.notes, True),
        }
        # What was scored is the model's latest run, as it is where nothing was changed.
        variants: dict[str | None, str] = {_UNFILTERED: f"_{_UNFILTERED}", None: ""}
        return replace(
            about,
            variants=variants if self.is_changed else {},
            remarks=(*about.remarks, *(text for text, is_so in notes.items() if is_so)),
            judge_task=self.judge_task,
        )


def texts(name: str, value: object) -> list[str]:
    """The texts of a cell: one, or lists of them.

    Raises:
        NotRead: it is something else.
    """
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not value:
        raise NotRead(name, "is neither a text nor a list of texts")
    return [text for one in value for text in texts(name, one)]


def likelihood(pair: object) -> float:
    """The number of [number, is greedy], or a number; that of what cannot be said has no end.

    Raises:
        NotRead: it is none.
    """
    written = pair[0] if isinstance(pair, list) and pair else pair
    try:
        value = float(written)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = math.nan
    if math.isnan(value):
        raise NotRead("filtered_resps", f"{written!r} is no finite number")
    return value


def attributes(record: Mapping[str, Any]) -> dict[str, str]:
    """How an answer came about: the prompt, the media, the tokens and, once, the request."""
    prompt = record.get("input")
    found = {"prompt": prompt} if isinstance(prompt, str) and prompt else {}
    kept = {name: record[name] for name in _KEPT if _says_something(record.get(name))}
    return found | {name: json.dumps(value, ensure_ascii=False) for name, value in kept.items()}


def _says_something(value: object) -> bool:
    """Whether anything is in it: of an answer that nobody counted, token_counts is [null]."""
    if isinstance(value, list | dict):
        return any(map(_says_something, value.values() if isinstance(value, dict) else value))
    return value is not None and value != ""

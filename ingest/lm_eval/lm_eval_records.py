"""A line of lm-evaluation-harness's samples: its question, and the filtered responses."""

from __future__ import annotations

import json
from collections.abc import Mapping, ValuesView
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.lm_eval import lm_eval_docs
from ingest.lm_eval.lm_eval_docs import NotRead, Question
from ingest.lm_eval.lm_eval_metrics import ExactMatch
from ingest.lmms_eval.lmms_likelihoods import number
from ingest.lmms_eval.lmms_responses import texts
from warehouse.errors import InputError

WHOLE_TEXTS = (
    "holds the log-likelihoods of whole texts, of which word_perplexity, byte_perplexity and "
    "bits_per_byte are made: no question and no answer, so nothing that is scored here"
)


@dataclass(frozen=True)
class Sample:
    """A line: its question, the filter, and the values or texts after the filter and before it.

    Attributes:
        values: log-likelihoods by label; none: the answer was generated, or is one continuation.
        scored: whether those are of the choices' content or letter.
        filtered: texts; None: the model's own words were others than the one continuation that it
            was given, and the file does not hold them.
        n_unconditional: log-likelihoods of the choices without the question, which are left.
        metrics: what the harness made of the answer, by the metric's name.
        attributes: how the answer came about: the prompt, and what was left of the likelihoods.
    """

    row: int
    filter: str
    question: Question
    values: dict[str, float]
    scored: str
    filtered: list[str | None]
    said: list[str | None]
    n_unconditional: int = 0
    is_greedy: bool = False
    metrics: dict[str, object] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of its requests: all of a file's are of one."""
        return "ranked" if self.values else "greedy" if self.is_greedy else "generated"


@dataclass(frozen=True)
class _Requests:
    """What the model was asked: a prompt with a continuation, or with settings, each."""

    pairs: list[tuple[str, Any]]
    n_unconditional: int

    @property
    def continuations(self) -> list[str]:
        """The texts whose likelihoods were taken; none: answers were generated."""
        words = [one[1] for one in self.pairs]
        return [] if any(isinstance(word, dict) for word in words) else words

    @property
    def follows(self) -> str | None:
        """The words after each choice, where the choices stand in the prompts."""
        words = self.continuations
        return words[0] if len(set(words)) == 1 < len(words) else None


def is_of_whole_texts(record: Mapping[str, Any]) -> bool:
    """Whether a line is a text's likelihood, and no answer to anything (`loglikelihood_rolling`)."""
    found = _listed(record.get("arguments"))
    return len(found) == 1 and len(found[0]) == 1 and isinstance(found[0][0], str)


def read(path: Path, row: int, record: Mapping[str, Any], metric: ExactMatch) -> Sample:
    """The line.

    Raises:
        InputError: a field is not what it should be.
    """
    doc, name = record.get("doc"), record.get("filter")
    if not isinstance(doc, dict):
        raise InputError(path, "is no object", row=row, field="doc")
    if not isinstance(name, str) or not name.strip():
        raise InputError(path, "is empty", row=row, field="filter")
    requests = _requests(path, row, record.get("arguments"))
    continuations = requests.continuations
    is_greedy = len(continuations) == 1
    if requests.follows is not None:
        continuations = [one[0] for one in requests.pairs]
    target = record.get("target")
    try:
        question = lm_eval_docs.read(
            doc,
            "" if target is None else str(target),
            requests.pairs[0][0],
            () if is_greedy else continuations,
            record.get("doc_id"),
            compared=metric.compared,
            follows=requests.follows,
            is_open=is_greedy,
        )
        if is_greedy:
            said_alone: list[str | None] = [_greedy(record, continuations[0])]
            return Sample(
                row=row,
                filter=name,
                question=question,
                values={},
                scored="",
                filtered=said_alone,
                said=said_alone,
                is_greedy=True,
                metrics=_metrics(record),
                attributes=_prompts(requests) | {"loglik": _left(record, 0)},
            )
        values, scored = _values(path, row, record, question, requests, continuations)
    except NotRead as error:
        raise InputError(path, error.problem, row=row, field=error.field) from error
    return Sample(
        row=row,
        filter=name,
        question=question,
        values=values,
        scored=scored,
        filtered=[]
        if continuations
        else [*texts(path, row, "filtered_resps", record.get("filtered_resps"))],
        said=[] if continuations else [*texts(path, row, "resps", record.get("resps"))],
        n_unconditional=requests.n_unconditional,
        metrics=_metrics(record),
        attributes=_prompts(requests)
        | ({"unconditional": _left(record, len(values))} if requests.n_unconditional else {}),
    )


def _prompts(requests: _Requests) -> dict[str, str]:
    """The prompt, or a list of them where each choice stands in one of its own."""
    prompts = list(dict.fromkeys(one[0] for one in requests.pairs))
    many = json.dumps(prompts, ensure_ascii=False)
    return {"prompt": prompts[0] if len(prompts) == 1 else many}


def _left(record: Mapping[str, Any], start: int) -> str:
    """Likelihoods that are no choice's, as the file has them."""
    filtered = record.get("filtered_resps")
    return json.dumps(filtered[start:] if isinstance(filtered, list) else filtered)


def _metrics(record: Mapping[str, Any]) -> dict[str, object]:
    names = record.get("metrics")
    listed = names if isinstance(names, list) else ()
    return {name: record[name] for name in listed if isinstance(name, str) and name in record}


def _greedy(record: Mapping[str, Any], continuation: str) -> str | None:
    """What the model says after the prompt, as far as it is known: the continuation, or not.

    Raises:
        NotRead: the line does not say whether it was the likeliest at each token.
    """
    filtered = record.get("filtered_resps")
    pair = filtered[0] if isinstance(filtered, list) and len(filtered) == 1 else None
    is_greedy = pair[1] if isinstance(pair, list) and len(pair) == 2 else None
    if str(is_greedy) not in ("True", "False", "1", "0"):
        raise NotRead("filtered_resps", "is not one likelihood with True or False")
    return continuation if str(is_greedy) in ("True", "1") else None


def _listed(arguments: object) -> list[list[Any]]:
    """Each request's parts; [] for one that is no request."""
    requests = arguments.values() if isinstance(arguments, dict) else arguments
    return [
        list(one.values()) if isinstance(one, dict) else list(one) if isinstance(one, list) else []
        for one in (requests if isinstance(requests, list | ValuesView) else ())
    ]


def _requests(path: Path, row: int, arguments: object) -> _Requests:
    """The requests; those for unconditional likelihoods, which come after the others, are left."""
    found: list[tuple[str, Any]] = []
    for one in _listed(arguments):
        if len(one) < 2 or not isinstance(one[1], str | dict):
            raise InputError(
                path,
                "is neither a prompt with a continuation nor a prompt with settings",
                row=row,
                field="arguments",
            )
        found.append((_prompt(one[0]), one[1]))
    if not found:
        raise InputError(path, "holds no request", row=row, field="arguments")
    half = len(found) // 2
    if len(found) == 2 * half and all(one[0] == "" for one in found[half:]):
        # The continuation of the second half may lack the white space before it.
        first, second = (
            [str(one[1]).strip() for one in part] for part in (found[:half], found[half:])
        )
        if first == second:
            return _Requests(found[:half], half)
    return _Requests(found, 0)


def _prompt(written: object) -> str:
    """A prompt: a text, or a list of one that is a talk in JSON."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    return written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)


def _values(
    path: Path,
    row: int,
    record: Mapping[str, Any],
    question: Question,
    requests: _Requests,
    continuations: list[str],
) -> tuple[dict[str, float], str]:
    """The log-likelihood of each choice by its label, and what was scored."""
    if not continuations:
        return {}, ""
    filtered = record.get("filtered_resps")
    n_filtered = len(filtered) if isinstance(filtered, list) else 0
    if n_filtered not in (len(continuations), 2 * len(continuations)):
        raise NotRead(
            "filtered_resps", f"has {n_filtered} likelihoods for {len(continuations)} continuations"
        )
    assert isinstance(filtered, list)
    found = {}
    kinds = set()
    is_prompt = requests.follows is not None
    for place, (one, words) in enumerate(zip(filtered, continuations, strict=False)):
        label, kind = lm_eval_docs.label_of(words, place, question, is_prompt=is_prompt)
        if label in found:
            raise NotRead("arguments", f"scores the choice {label} twice")
        found[label] = number(path, row, one, "loglik")
        kinds.add(kind)
    return found, "letter" if kinds == {"letter"} else "content"

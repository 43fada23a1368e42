"""A request to a judge, and its key: the hash of everything that could change the reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

from judge.template import Subject, Template
from warehouse.judges import Judge

VERSION = 1
OF_JUDGE = tuple(field.name for field in fields(Judge) if field.name != "name")
"""The fields of a request that are its judge's."""


@dataclass(frozen=True, slots=True)
class Request:
    """One attempt of a judge at one subject.

    Attributes:
        key: sha256 of `content` as canonical JSON, in hex.
        content: what the key is the hash of; plain JSON values.
        asked_run_id: the run for whose sake it is made; no part of the key.
        place: where the subject stands, for messages.
    """

    key: str
    content: Mapping[str, Any]
    asked_run_id: int | None = None
    place: str = ""


def make(
    judge: Judge,
    template: Template,
    subject: Subject,
    *,
    subject_hash: str,
    judge_sample: int,
    attempt: int,
    asked_run_id: int | None = None,
    place: str = "",
) -> Request:
    """The request of an attempt."""
    content: dict[str, Any] = {
        "version": VERSION,
        **{field: getattr(judge, field) for field in OF_JUDGE},
        "sampling": dict(judge.sampling),
        "retry_schedule": list(judge.retry_schedule),
        "subject_hash": subject_hash,
        "labels": None if subject.labels is None else list(subject.labels),
        "judge_sample": judge_sample,
        "attempt": attempt,
        "prompt": template.prompt(subject, attempt),
    }
    language = template.language_of(subject)
    if language is not None:
        # Its system text and examples are other ones, of which the prompt does not tell.
        content["language"] = language
    return Request(key_of(content), content, asked_run_id, place)


def sampling_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The sampling parameters of a request: the judge's, with what its attempt changes."""
    changed = content["retry_schedule"][content["attempt"]]
    return {**content["sampling"], **{k: v for k, v in changed.items() if k != "reminder"}}


def body_of(request: Request, template: Template) -> dict[str, Any]:
    """The body of a chat completion's call."""
    content = request.content
    return {
        "model": content["model"],
        "messages": messages_of(content, template),
        **sampling_of(content),
    }


def messages_of(content: Mapping[str, Any], template: Template) -> list[dict[str, str]]:
    """The conversation of a request's content."""
    return template.messages(content["prompt"], content["labels"], content.get("language"))


def key_of(content: Mapping[str, Any]) -> str:
    """The key of a request's content: sha256 of its canonical JSON, in hex."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def judge_of(content: Mapping[str, Any], name: str) -> Judge:
    """The judge that a request was for, under a name."""
    return Judge(name=name, **{field: content[field] for field in OF_JUDGE})

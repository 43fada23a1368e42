"""An entry of the cache: an answer with its request, and back again as a judgment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from judge.answer import Answer
from judge.request import key_of
from warehouse.judges import Judgment


def of_answer(answer: Answer, *, warehouse: str, origin: str) -> dict[str, Any]:
    """The cache's value for an answer.

    Args:
        answer: with a reply or refusal, not with an error.
        warehouse: the uuid of the warehouse that pays.
        origin: call, batch or local.
    """
    return {
        "request": dict(answer.request.content),
        "response": {
            **{name: getattr(answer, name) for name in _FIELDS["response"]},
            # Most have none; entries of before there were bodies look alike.
            **({} if answer.body is None else {"body": answer.body}),
        },
        "call": {
            "warehouse": warehouse,
            "origin": origin,
            "cost_usd": answer.cost_usd,
            "latency_seconds": answer.latency_seconds,
            "judged_at": None if answer.judged_at is None else answer.judged_at.isoformat(),
            "asked_run_id": answer.request.asked_run_id,
        },
    }


def to_judgment(key: str, entry: Mapping[str, Any], *, warehouse: str) -> Judgment:
    """The judgment that an entry is in a warehouse: paid there, or found in the cache."""
    request, response, call = entry["request"], entry["response"], entry["call"]
    own = call["warehouse"] == warehouse
    return Judgment(
        **{name: request[name] for name in _OF_REQUEST},
        **{name: response[name] for name in _FIELDS["response"]},
        body=response.get("body"),
        cost_usd=call["cost_usd"],
        latency_seconds=call["latency_seconds"],
        judged_at=None if call["judged_at"] is None else datetime.fromisoformat(call["judged_at"]),
        request_key=key,
        origin=call["origin"] if own else "cache",
        # Another warehouse numbers its runs otherwise.
        asked_run_id=call["asked_run_id"] if own else entry.get("used_for_run"),
    )


def failed(answer: Answer, *, origin: str) -> Judgment:
    """The judgment that a call without an answer leaves: its error."""
    return Judgment(
        **{name: answer.request.content[name] for name in _OF_REQUEST},
        reply=None,
        error=answer.error,
        body=answer.body,
        latency_seconds=answer.latency_seconds,
        cost_usd=answer.cost_usd,
        judged_at=answer.judged_at,
        request_key=answer.request.key,
        origin=origin,
        asked_run_id=answer.request.asked_run_id,
    )


def problem(key: str, entry: Mapping[str, Any]) -> str | None:
    """The error of an entry, beginning with its key; None: it is sound."""
    if entry.keys() == {"template"}:
        return _template_problem(key, entry["template"])
    if entry.keys() != {"request", "response", "call"}:
        return f"has the fields {', '.join(sorted(entry))}"
    problem = unfit(entry)
    if problem is not None:
        return problem
    try:
        json.dumps(entry, ensure_ascii=False, allow_nan=False).encode()
        is_its_key = key_of(entry["request"]) == key
    except ValueError as error:
        return f"has a value that cannot be stored: {error}"
    except RecursionError:
        return "is nested too deeply"
    return None if is_its_key else "the key is not the hash of the request"


def unfit(entry: Mapping[str, Any]) -> str | None:
    """Why no judgment can be made of an entry, as far as that shows in its fields."""
    for name, fields in _FIELDS.items():
        part = entry.get(name)
        if not isinstance(part, dict) or not fields.keys() <= part.keys():
            missing = fields.keys() - set(part if isinstance(part, dict) else ())
            return f"{name} lacks {', '.join(sorted(missing))}"
        for field, types in fields.items():
            if not isinstance(part[field], types) or isinstance(part[field], bool):
                return f"{name}.{field} has another type"
    if not isinstance(entry["response"].get("body"), str | None):
        return "response.body has another type"
    try:
        if entry["call"]["judged_at"] is not None:
            moment = datetime.fromisoformat(entry["call"]["judged_at"])
            if moment.tzinfo is not None:
                return "call.judged_at has a time zone; it is UTC without one"
    except ValueError as error:
        return f"has a value that cannot be stored: {error}"
    if not isinstance(entry["request"].get("language"), str | None):
        return "request.language has another type"
    labels = entry["request"]["labels"]
    if labels is not None and not all(isinstance(label, str) for label in labels):
        return "request.labels has another type"
    for name, field, most in _MOST:
        number = entry[name][field]
        if number is not None and not 0 <= number <= most:
            return f"{name}.{field} is out of range"
    if entry["call"]["origin"] not in _ORIGINS:
        return f"call.origin is {', '.join(_ORIGINS)}"
    return None


_OF_REQUEST = ("subject_hash", "labels", "judge_sample", "attempt", "prompt")
"""The fields of a request that its judgment has too."""

_ORIGINS = ("call", "batch", "local")
_MOST = (
    ("request", "judge_sample", 2**15 - 1),
    ("request", "attempt", 2**15 - 1),
    ("response", "prompt_tokens", 2**31 - 1),
    ("response", "completion_tokens", 2**31 - 1),
    ("call", "asked_run_id", 2**31 - 1),
    ("call", "cost_usd", 1e12),
    ("call", "latency_seconds", 1e12),
)
_TEXT = (str, type(None))
_NUMBER = (int, float, type(None))
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "request": {
        "task": (str,),
        "kind": (str,),
        "model": _TEXT,
        "endpoint": _TEXT,
        "template": _TEXT,
        "template_sha256": _TEXT,
        "sampling": (dict,),
        "retry_schedule": (list,),
        "max_attempts": (int,),
        "subject_hash": (str,),
        "labels": (list, type(None)),
        "judge_sample": (int,),
        "attempt": (int,),
        "prompt": (str,),
    },
    "response": {
        "reply": _TEXT,
        "refusal": _TEXT,
        "finish_reason": _TEXT,
        "returned_model": _TEXT,
        "prompt_tokens": (int, type(None)),
        "completion_tokens": (int, type(None)),
    },
    "call": {
        "warehouse": (str,),
        "origin": (str,),
        "cost_usd": _NUMBER,
        "latency_seconds": _NUMBER,
        "judged_at": _TEXT,
        "asked_run_id": (int, type(None)),
    },
}
"""The fields of an entry; those of `response` have the same names in Answer and Judgment."""


def _template_problem(key: str, text: object) -> str | None:
    if not isinstance(text, str):
        return "the template is no text"
    if not text.isascii() and text != text.encode("utf-8", "replace").decode():
        return "the template has a value that cannot be stored"
    if sha256(text.encode()).hexdigest() != key:
        return "the key is not the hash of the template"
    return None

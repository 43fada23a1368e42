"""An entry of the cache: an answer with its request, and back again as a judgment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from types import NoneType
from typing import Any

from judge.answer import Answer
from judge.request import OF_JUDGE, key_of
from warehouse.judges import Judge
from warehouse.judgment import CALL, REQUEST, RESPONSE, Judgment, columns, kinds_of, tagged


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
            name: getattr(answer, name)
            for name in _FIELDS[RESPONSE]
            # Most have no body; entries of before there were bodies look alike.
            if name not in _OPTIONAL or getattr(answer, name) is not None
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
        **{name: request[name] for name in tagged(REQUEST)},
        **{name: response.get(name) for name in tagged(RESPONSE)},
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
        **{name: answer.request.content[name] for name in tagged(REQUEST)},
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
        part: Any = entry.get(name)
        missing = fields.keys() - _OPTIONAL - set(part if isinstance(part, dict) else ())
        if missing:
            return f"{name} lacks {', '.join(sorted(missing))}"
        for field, types in fields.items():
            if not isinstance(part.get(field), types) or isinstance(part.get(field), bool):
                return f"{name}.{field} has another type"
    try:
        if entry["call"]["judged_at"] is not None:
            moment = datetime.fromisoformat(entry["call"]["judged_at"])
            if moment.tzinfo is not None:
                return "call.judged_at has a time zone; it is UTC without one"
    except ValueError as error:
        return f"has a value that cannot be stored: {error}"
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


_JSON: Mapping[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (int, float),
    datetime: (str,),
    Sequence: (list,),
    Mapping: (dict,),
    NoneType: (NoneType,),
}
"""What stands in JSON for what a field can be."""


def _in_json(described: type, names: Sequence[str]) -> dict[str, tuple[type, ...]]:
    kinds = kinds_of(described)
    return {name: tuple(one for kind in kinds[name] for one in _JSON[kind]) for name in names}


_FIELDS = {
    REQUEST: {
        **_in_json(Judge, OF_JUDGE),
        **_in_json(Judgment, tagged(REQUEST)),
        # An import may have none; a request has one.
        "prompt": (str,),
        "language": (str, NoneType),
    },
    RESPONSE: _in_json(Judgment, tagged(RESPONSE)),
    CALL: {"warehouse": (str,), **_in_json(Judgment, tagged(CALL))},
}
"""The fields of an entry; those of `response` have the same names in Answer and Judgment."""
_OPTIONAL = {"language", "body"}
_ORIGINS = ("call", "batch", "local")
_LARGEST = {"SMALLINT": 2**15 - 1, "INTEGER": 2**31 - 1, "DOUBLE": 1e12}
_MOST = [
    (part, name, _LARGEST[columns()[name].type])
    for part in _FIELDS
    for name in tagged(part)
    if columns()[name].type in _LARGEST
]


def _template_problem(key: str, text: object) -> str | None:
    if not isinstance(text, str):
        return "the template is no text"
    if not text.isascii() and text != text.encode("utf-8", "replace").decode():
        return "the template has a value that cannot be stored"
    if sha256(text.encode()).hexdigest() != key:
        return "the key is not the hash of the template"
    return None

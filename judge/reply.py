"""Reading a chat completion, from a server or a batch file: servers leave out what the API promises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from judge.answer import Answer
from judge.price import Price
from judge.request import Request

_VERSION = re.compile(r"(?:[-@:_]v?\d[\d.-]*|[-:]latest)?")


def read_completion(
    request: Request,
    body: Mapping[str, Any],
    price: Price | None,
    *,
    seconds: float | None = None,
) -> Answer:
    """The answer that a chat completion is. Without a choice or text it is an empty one, not an error:
    it came, and was paid for.

    Args:
        body: the completion, as JSON values.
        price: None: not known.
        seconds: what the call took.
    """
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        message = {}
    usage = body.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    prompt_tokens = _count(usage.get("prompt_tokens"))
    completion_tokens = _count(usage.get("completion_tokens"))
    finish = choice.get("finish_reason") if isinstance(choice, dict) else "no choice"
    model = body.get("model")
    return Answer(
        request,
        reply=_text(message.get("content")),
        refusal=_text(message.get("refusal")),
        finish_reason=_text(str(finish)) if finish else None,
        returned_model=_text(str(model)) if model else None,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=None
        if price is None or prompt_tokens is None
        else price.cost(prompt_tokens, completion_tokens or 0),
        latency_seconds=None if seconds is None else round(seconds, 6),
        judged_at=datetime.now(UTC).replace(tzinfo=None),
    )


def is_version_of(returned: str, asked: str) -> bool:
    """Servers answer an alias with the version behind it: gpt-4o is gpt-4o-2024-08-06, not gpt-4o-mini."""
    wanted = asked.lower().split("/")[-1].removesuffix("-latest")
    name = returned.lower().split("/")[-1]
    return name.startswith(wanted) and _VERSION.fullmatch(name[len(wanted) :]) is not None


def storable(text: str) -> str:
    """A text as it is, but for halves of surrogate pairs: JSON can spell them, no UTF-8 can hold them."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def _text(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None


def _count(value: object) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < 2**31 else None  # type: ignore[operator, return-value]

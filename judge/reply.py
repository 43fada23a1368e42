"""Reading what a server sent, over the network or in a batch's file: a reply or an error."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from judge import shapes
from judge.answer import Answer
from judge.price import Price
from judge.request import Request

MOST_OF_A_FAILURE = 65_536
"""Characters that are kept of a failed call's body."""
_VERSION = re.compile(r"(?:[-@:_]v?\d[\d.-]*|[-:]latest)?")
_SHOWN = 300


class NoReplyError(Exception):
    """What came is no reply: an error, nothing, or nothing that can be read as JSON.

    Attributes:
        status: the HTTP status that the error within it names; None: none.
        words: codes and types that it names.
        is_charged: whether it may have been paid for all the same.
    """

    def __init__(
        self, text: str, *, error: Mapping[str, Any] | None = None, is_charged: bool = True
    ) -> None:
        super().__init__(text)
        codes = [(error or {}).get(name) for name in ("status", "code", "type")]
        numbers = [int(str(one)) for one in codes if re.fullmatch("[45][0-9]{2}", str(one))]
        self.status = numbers[0] if numbers else None
        self.words = {str(one) for one in codes if one}
        self.is_charged = is_charged


def read_text(
    request: Request, text: str, price: Price | None, *, seconds: float | None = None
) -> Answer:
    """The answer that a body is, whatever its content type said.

    Raises:
        NoReplyError: it is none.
    """
    if not text.strip():
        raise NoReplyError("the reply is empty")
    # Of a field that stands there twice, one is read, and the other is in the body alone.
    twice = False

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        found = dict(pairs)
        twice = twice or len(found) < len(pairs)
        return found

    try:
        body = json.loads(text, object_pairs_hook=fields, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise NoReplyError(f"the reply is not valid JSON: {reason}: {_shown(text)}") from None
    return read_completion(request, body, price, text=text, is_exact=not twice, seconds=seconds)


def read_completion(
    request: Request,
    body: object,
    price: Price | None,
    *,
    text: str,
    is_exact: bool = True,
    seconds: float | None = None,
) -> Answer:
    """The answer that a completion is. Without text it is an empty answer, which was paid for.

    Args:
        body: the completion, as JSON values.
        price: None: not known.
        text: the same, as it was sent.
        is_exact: whether the values say all that the text does.
        seconds: what the call took.

    Raises:
        NoReplyError: it is an error, or holds no message.
    """
    said = shapes.find(body) if isinstance(body, dict) else None
    error = shapes.error_of(body)
    if said is None:
        raise _no_reply(body, error, text)
    if (error or said.finish == shapes.ERROR) and not (said.content or said.refusal):
        raise _no_reply(body, error or shapes.ERROR, text)
    texts = [
        value if isinstance(value, str) else None
        for value in (said.content, said.refusal, said.finish, said.model)
    ]
    reply, refusal, finish_reason, returned_model = (
        None if one is None else storable(one) for one in texts
    )
    is_all = said.is_all and is_exact and texts == [reply, refusal, finish_reason, returned_model]
    return Answer(
        request,
        reply=reply,
        refusal=refusal,
        finish_reason=finish_reason,
        returned_model=returned_model,
        prompt_tokens=said.prompt_tokens,
        completion_tokens=said.completion_tokens,
        cost_usd=None if price is None or said.prompt_tokens is None else price.cost_of(said.usage),
        latency_seconds=None if seconds is None else round(seconds, 6),
        judged_at=datetime.now(UTC).replace(tzinfo=None),
        body=None if is_all else storable(text),
    )


def decoded(content: bytes) -> str:
    """The text of a body. What is no text is taken byte by byte (Latin-1), so that none is lost."""
    try:
        return content.decode(json.detect_encoding(content))
    except ValueError:
        return content.decode("latin-1")


def is_version_of(returned: str, requested: str) -> bool:
    """Whether a model is a version of an alias: gpt-4o-2024-08-06 is gpt-4o, gpt-4o-mini is not."""
    wanted = requested.lower().split("/")[-1].removesuffix("-latest")
    name = returned.lower().split("/")[-1]
    return name.startswith(wanted) and _VERSION.fullmatch(name[len(wanted) :]) is not None


def storable(text: str) -> str:
    """A text without lone surrogates: JSON can spell them, UTF-8 cannot hold them."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def error_text(error: object) -> str:
    """What an error that a server sent says, in a line."""
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error.get("code") or error
    try:
        return _shown(str(error))
    except RecursionError:
        return "nested too deeply to be shown"


def _no_reply(body: object, error: object, text: str) -> NoReplyError:
    if error:
        fields = error if isinstance(error, dict) else {}
        usage = body.get("usage") if isinstance(body, dict) else None
        # As with an error's own HTTP status, an error alone is not charged.
        return NoReplyError(
            f"HTTP 200 with an error: {error_text(error)}", error=fields, is_charged=bool(usage)
        )
    if not isinstance(body, dict):
        return NoReplyError(f"the reply is no JSON object: {_shown(text)}")
    fields = body if body.get("object") == "error" or "message" in body or "detail" in body else {}
    words = error_text(fields) if fields else _shown(text)
    return NoReplyError(f"the reply holds no choice with a message: {words}", error=fields)


def _whole(text: str) -> int | float:
    # Python refuses to read thousands of digits.
    return int(text) if len(text) < 400 else float(text[:400])


def _shown(text: str) -> str:
    text = " ".join(text[: 4 * _SHOWN].split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

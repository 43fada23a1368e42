"""Where servers put what a model said: chat completions and other shapes.

A reply is read from the first place that is known. Whatever stands elsewhere is in the body, which
is kept where it holds anything that `Said` does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.price import Usage, count, counts, of

_TEXT_PARTS = (None, "text", "output_text")
"""Types of content parts with text of the reply; others are thoughts, images, tool calls."""
_ABOUT = {
    "id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier",
    "provider", "prompt_filter_results", "timings", "x_groq", "request_id",
}  # fmt: skip
"""Fields of a completion that are about the reply, and none of it."""
_ABOUT_CHOICE = {
    "index", "finish_reason", "native_finish_reason", "stop_reason", "matched_stop", "message",
    "content_filter_results",
}  # fmt: skip
_NO_CHOICE = "no choice"
"""What versions before schema 6 noted as the finish reason of a body without a message."""
ERROR = "error"
"""The finish reason of a choice in which a server found an error."""


@dataclass(frozen=True)
class Said:
    """What a body says. `is_all`: nothing but this is in it, so that it need not be kept.

    Tokens are as the server counts them; `usage` is what is to be paid for.
    """

    content: str | None
    refusal: str | None = None
    finish: object = None
    model: object = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usage: Usage = field(default=Usage(None, None))
    is_all: bool = False


def find(body: Mapping[str, Any]) -> Said | None:
    """What a body says; None: it holds no message, so that nothing was paid for.

    A message without text is a reply if anything shows that a model made it: a finish reason,
    tokens of a completion, or something else in it, such as thoughts or a call of a tool.
    """
    said = _chat(body)
    if said is not None:
        return said
    for read in (_ollama, _anthropic, _gemini, _responses, _plain_text):
        said = read(body)
        if said and (said.content or said.refusal or said.finish or said.completion_tokens):
            return said
    return None


def is_old_error(response: Mapping[str, Any]) -> bool:
    """Whether a cached `response` is a server's error under HTTP 200, kept by earlier versions."""
    if any(response.get(name) is not None for name in ("reply", "refusal", "body")):
        return False
    finish = response.get("finish_reason")
    return finish in (_NO_CHOICE, ERROR) or (
        finish is None and not response.get("completion_tokens")
    )


def error_of(body: object) -> object:
    """What a body names as an error, wherever servers put it; None: nothing."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return None
    choice = _first(body.get("choices"))
    return body.get("error") or choice.get("error") or None


def _chat(body: Mapping[str, Any]) -> Said | None:
    choices = body.get("choices")
    if not isinstance(choices, list):
        return None
    choice = next((c for c in choices if isinstance(c, dict) and ("message" in c or "text" in c)), None)  # fmt: skip
    if choice is None:
        return None
    message = choice.get("message")
    if not isinstance(message, dict):
        if message is not None or not isinstance(choice.get("text"), str):
            return None
        message = {"content": choice["text"]}  # the completions of before there was chat
    content, refusal = message.get("content"), message.get("refusal")
    finish = choice.get("finish_reason")
    usage = body.get("usage")
    said = _made(content, body, finish, usage, refusal=refusal)
    if said.finish is None and not said.completion_tokens and not _rest(message, {"role"}):
        return None
    is_all = (
        all(isinstance(one, str | None) for one in (content, refusal, finish, said.model))
        and not (content is None and finish == _NO_CHOICE)
        and len(choices) == 1
        and not _rest(message, {"role", "content", "refusal"})
        and not _rest(choice, _ABOUT_CHOICE)
        and not _rest(body, _ABOUT)
        and _is_plain_usage(usage)
    )
    return replace(said, is_all=is_all)


def _ollama(body: Mapping[str, Any]) -> Said | None:
    message = body.get("message")
    if not isinstance(message, dict):
        if "done" not in body or not isinstance(body.get("response"), str):
            return None
        message = {"content": body["response"]}
    return _made(message.get("content"), body, body.get("done_reason"), body)


def _anthropic(body: Mapping[str, Any]) -> Said | None:
    if not isinstance(body.get("content"), list):
        return None
    return _made(body["content"], body, body.get("stop_reason"), body.get("usage"))


def _gemini(body: Mapping[str, Any]) -> Said | None:
    candidate = _first(body.get("candidates"))
    if not candidate.keys() & {"content", "finishReason"}:
        return None
    usage = body.get("usageMetadata")
    return _made(candidate.get("content"), body, candidate.get("finishReason"), usage)


def _responses(body: Mapping[str, Any]) -> Said | None:
    output, text = body.get("output"), body.get("output_text")
    if not isinstance(text, str):
        if not isinstance(output, list) or not output:
            return None
        messages = [o["content"] for o in output if isinstance(o, dict) and "content" in o]
        texts = [_text(one) for one in messages]
        text = "".join(one for one in texts if one is not None) if any(texts) else None
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    refusals = [_refusal(one.get("content")) for one in output or () if isinstance(one, dict)]
    refusal = next((one for one in refusals if one), None)
    status = body.get("status")
    finish = reason or (status if status in ("completed", "incomplete") else None)
    return _made(text, body, finish, body.get("usage"), refusal=refusal)


def _plain_text(body: Mapping[str, Any]) -> Said | None:
    text = body.get("generated_text")
    return _made(text, body, None, body.get("usage")) if isinstance(text, str) else None


def _made(
    content: object,
    body: Mapping[str, Any],
    finish: object,
    usage: object,
    *,
    refusal: object = None,
) -> Said:
    prompt, completion = counts(usage)
    return Said(
        content=_text(content),
        refusal=refusal if isinstance(refusal, str) else _refusal(content),
        finish=finish or None,
        model=body.get("model") or body.get("modelVersion"),
        prompt_tokens=prompt,
        completion_tokens=completion,
        usage=of(usage),
    )


def _text(content: object) -> str | None:
    """The text of a content: itself, or that of its parts, one after the other."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        inner = content.get("parts", content.get("text"))
        return _text(inner) if isinstance(inner, (str, list)) else None
    if not isinstance(content, list):
        return None
    texts = [text for part in content if (text := _part(part)) is not None]
    return "".join(texts) if texts else None


def _part(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type") not in _TEXT_PARTS or part.get("thought"):
        return None
    text = part.get("text")
    if isinstance(text, dict):
        text = text.get("value")
    return text if isinstance(text, str) else None


def _refusal(content: object) -> str | None:
    parts = content if isinstance(content, list) else ()
    refusals = [part.get("refusal") for part in parts if isinstance(part, dict)]
    return next((one for one in refusals if isinstance(one, str) and one), None)


def _is_plain_usage(usage: object) -> bool:
    """Whether nothing is lost of it: tokens that are counts, and paid for as such, or none at all."""
    if not isinstance(usage, dict):
        return not usage
    said = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    are_counts = all(one is None or count(one) is not None for one in said)
    return are_counts and of(usage) == Usage(*counts(usage))


def _first(values: object) -> Mapping[str, Any]:
    first = values[0] if isinstance(values, list) and values else None
    return first if isinstance(first, dict) else {}


def _rest(fields: Mapping[str, Any], known: set[str]) -> bool:
    """Whether there is anything else than the known fields that is not empty."""
    return any(
        value is not None and value is not False and value not in ("", [], {})
        for name, value in fields.items()
        if name not in known
    )

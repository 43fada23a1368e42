"""One sample of an Inspect log as values: the question, the answer, and what graders said.

A log repeats itself: texts and images that stand in several places are kept once, under
`attachments`, and a reference `attachment://HASH` stands for them.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from warehouse.errors import InputError

_REFERENCE = "attachment://"
Said = tuple[str, str, str, str, str]


def values(
    path: Path, row: int, name: str, sample: dict[str, Any]
) -> tuple[tuple[Any, ...], list[Said]]:
    """A sample's values in the order of the columns of `raw`, and what graders said.

    Raises:
        InputError: it is not as samples are.
    """

    def value_of(key: str, types: tuple[type, ...], words: str) -> Any:
        value = sample.get(key)
        if not isinstance(value, types) or isinstance(value, bool):
            raise InputError(path, f"is no {words} in {name}", row=row, field=key)
        return value

    none = type(None)
    attachments = value_of("attachments", (dict, none), "object") or {}
    output = value_of("output", (dict, none), "object") or {}
    choices = value_of("choices", (list, none), "list")
    target = value_of("target", (str, list, none), "text or list")
    error = value_of("error", (dict, none), "object") or value_of(
        "invalidation", (dict, none), "object"
    )
    epoch = value_of("epoch", (int,), "whole number")
    if not 1 <= epoch <= 32_767:
        raise InputError(path, f"{epoch} is no epoch in {name}", row=row, field="epoch")
    key = str(value_of("id", (int, str), "number or text")).strip()
    if not key:
        raise InputError(path, f"is empty in {name}", row=row, field="id")
    metadata = dict(value_of("metadata", (dict, none), "object") or {})
    prompt = value_of("input", (str, list), "text or list of messages")
    found = (
        key,
        epoch,
        _text(attachments, prompt, "user") or None,
        _first_image(attachments, prompt),
        None if choices is None else _json([_text(attachments, one) for one in choices]),
        _json(
            [_text(attachments, one) for one in (target if isinstance(target, list) else [target])]
        ),
        _answer(attachments, output),
        None if error is None else str(error.get("message") or error.get("reason") or error),
        output.get("model") if isinstance(output.get("model"), str) else None,
        json_map.text(metadata.pop("split", None)) or None,
        _json([{"name": key, "value": json_map.text(value)} for key, value in metadata.items()]),
    )
    return found, _said(attachments, value_of("scores", (dict, none), "object") or {})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _answer(attachments: dict[str, str], output: dict[str, Any]) -> str | None:
    """What the model said; None: nothing came from it."""
    choices, completion = output.get("choices"), output.get("completion")
    if isinstance(completion, str) and (completion or choices):
        return _text(attachments, completion)
    first = choices[0] if isinstance(choices, list) and choices else None
    return _text(attachments, [first.get("message")]) if isinstance(first, dict) else None


def _said(attachments: dict[str, str], scores: dict[str, Any]) -> list[Said]:
    """What was said to a grader and what it said, for each scorer that called one.

    As scorer, the grader's model, prompt, reply, and the score's value as JSON.
    """
    found = []
    for scorer, score in scores.items():
        metadata = score.get("metadata") if isinstance(score, dict) else None
        messages = metadata.get("grading") if isinstance(metadata, dict) else None
        if not isinstance(messages, list):
            continue
        replies = [one for one in messages if isinstance(one, dict) and one.get("role") == "assistant"]  # fmt: skip
        if replies:
            prompt = messages[: messages.index(replies[-1])]
            found.append(
                (
                    scorer,
                    str(replies[-1].get("model") or scorer),
                    _text(attachments, prompt),
                    _text(attachments, [replies[-1]]),
                    _json(score.get("value")),
                )
            )
    return found


def _text(attachments: dict[str, str], content: object, role: str | None = None) -> str:
    """The text of a message's content, or of messages (those of a role if there are any)."""
    if isinstance(content, str):
        is_reference = content.startswith(_REFERENCE)
        return (
            attachments.get(content.removeprefix(_REFERENCE), content) if is_reference else content
        )
    messages = (
        [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    )
    if any(one.get("role") == role for one in messages):
        messages = [one for one in messages if one.get("role") == role]
    texts = [
        _text(attachments, part)
        for message in messages
        for part in _parts(message)
        if isinstance(part, str)
    ]
    return "\n".join(text for text in texts if text)


def _parts(message: dict[str, Any]) -> Iterator[object]:
    """The texts of a message, and its other parts as they are."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") == "text":
            yield part.get("text")
        else:
            yield part


def _first_image(attachments: dict[str, str], content: object) -> str | None:
    """The sha256 of the first image that the log holds; None: it holds none, or names a file."""
    for message in content if isinstance(content, list) else []:
        for part in _parts(message) if isinstance(message, dict) else ():
            if isinstance(part, dict) and part.get("type") == "image":
                head, _, content = _text(attachments, part.get("image")).partition(",")
                if head.startswith("data:") and head.endswith(";base64"):
                    try:
                        return sha256(base64.b64decode(content, validate=True)).hexdigest()
                    except binascii.Error:
                        return None
    return None

"""The texts and images of messages in an Inspect log.

A log repeats itself: texts and images that stand in several places are kept once, under
`attachments`, and a reference `attachment://HASH` stands for them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

_REFERENCE = "attachment://"


def text(attachments: Mapping[str, str], content: object, role: str | None = None) -> str:
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
        text(attachments, part)
        for message in messages
        for part in _parts(message)
        if isinstance(part, str)
    ]
    return "\n".join(one for one in texts if one)


def answer(attachments: Mapping[str, str], output: Mapping[str, Any]) -> str | None:
    """What a model said; None: nothing came from it."""
    choices, completion = output.get("choices"), output.get("completion")
    if isinstance(completion, str) and (completion or choices):
        return text(attachments, completion)
    first = choices[0] if isinstance(choices, list) and choices else None
    return text(attachments, [first.get("message")]) if isinstance(first, dict) else None


def first_image(attachments: Mapping[str, str], content: object) -> str | None:
    """The sha256 of the first image that the log holds; None: it holds none, or names a file."""
    for message in content if isinstance(content, list) else []:
        for part in _parts(message) if isinstance(message, dict) else ():
            if isinstance(part, dict) and part.get("type") == "image":
                head, _, content = text(attachments, part.get("image")).partition(",")
                if head.startswith("data:") and head.endswith(";base64"):
                    try:
                        return sha256(base64.b64decode(content, validate=True)).hexdigest()
                    except binascii.Error:
                        return None
    return None


def _parts(message: Mapping[str, Any]) -> Iterator[object]:
    """The texts of a message, and its other parts as they are."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") == "text":
            yield part.get("text")
        else:
            yield part

"""Messages of a chat, as harnesses that call models through servers write them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest.reading.named_images import hash_of


def objects(value: object) -> Iterator[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    yield from (one for one in (value if isinstance(value, list) else []) if isinstance(one, dict))


def texts(message: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The text of a message and its reasoning, each None where there is none."""
    content = message.get("content")
    if not isinstance(content, list):
        return (content if isinstance(content, str) else None), None
    kinds: dict[str, list[str]] = {"text": [], "reasoning": []}
    for part in objects(content):
        for kind, found in kinds.items():
            if isinstance(part.get(kind), str):
                found.append(part[kind])
    return "".join(kinds["text"]), "\n".join(kinds["reasoning"]) or None


def last(messages: object, role: str) -> dict[str, Any]:
    """The last message of a role; empty: there is none."""
    return next((one for one in reversed([*objects(messages)]) if one.get("role") == role), {})


def prompt(messages: object, folder: Path) -> tuple[str, tuple[str, ...]]:
    """What a model was asked, and the hashes of the images; one amid words leaves a mark there.

    Args:
        folder: where the images lie that are named and not written out.
    """
    words: list[str] = []
    images: list[str] = []
    for message in objects(messages):
        if message.get("role") == "assistant":
            continue
        content = message.get("content")
        for part in objects(content) if isinstance(content, list) else [{"text": content}]:
            image, text = part.get("image"), part.get("text")
            if isinstance(image, str):
                images.append(_image(image, folder))
                words += [f"<image {len(images)}>"] if words else []
            elif isinstance(text, str):
                words.append(text)
    while words and words[-1].startswith("<image "):
        words.pop()
    return "".join(words), tuple(images)


def _image(image: str, folder: Path) -> str:
    head, _, content = image.partition(",")
    if head.startswith("data:") and head.endswith(";base64"):
        try:
            return sha256(base64.b64decode(content, validate=True)).hexdigest()
        except ValueError:
            pass
    return hash_of(image, folder)

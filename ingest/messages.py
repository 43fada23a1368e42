"""Messages of a chat, as harnesses that call models through servers write them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest.reading.named_images import hash_of

_REFERENCE = "attachment://"


def objects(value: object) -> Iterator[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    yield from (one for one in (value if isinstance(value, list) else []) if isinstance(one, dict))


def as_object(value: object) -> dict[str, Any]:
    """An object; an empty one of anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list; an empty one of anything else."""
    return value if isinstance(value, list) else []


@dataclass(frozen=True)
class Attachments:
    """The texts and images of messages, where those that stand in several places are kept once.

    Attributes:
        by_name: what a reference `attachment://NAME` stands for.
    """

    by_name: Mapping[str, str]

    def text(self, content: object, role: str | None = None) -> str:
        """The text of a message's content, or of messages (those of a role if there are any)."""
        if isinstance(content, str):
            is_reference = content.startswith(_REFERENCE)
            known = self.by_name.get(content.removeprefix(_REFERENCE), content)
            return known if is_reference else content
        messages = [*objects(content)]
        of_role = [one for one in messages if one.get("role") == role]
        parts = (part for message in (of_role or messages) for part in _parts(message))
        found = (self.text(part) for part in parts if isinstance(part, str))
        return "\n".join(one for one in found if one)

    def answer(self, output: Mapping[str, Any]) -> str | None:
        """What a model said, of its output's `completion` or `choices`; None: nothing came."""
        choices, completion = output.get("choices"), output.get("completion")
        if isinstance(completion, str) and (completion or choices):
            return self.text(completion)
        first = choices[0] if isinstance(choices, list) and choices else None
        return self.text([first.get("message")]) if isinstance(first, dict) else None

    def first_image(self, content: object) -> tuple[str, ...]:
        """The sha256 of the first image that is written out in messages; none: there is none."""
        for part in (part for message in objects(content) for part in _parts(message)):
            if isinstance(part, dict) and part.get("type") == "image":
                head, _, written = self.text(part.get("image")).partition(",")
                if head.startswith("data:") and head.endswith(";base64"):
                    try:
                        return (sha256(base64.b64decode(written, validate=True)).hexdigest(),)
                    except ValueError:
                        break
        return ()


def _parts(message: Mapping[str, Any]) -> Iterator[object]:
    """The texts of a message, and its other parts as they are."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") == "text":
            yield part.get("text")
        else:
            yield part


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
            image = as_object(part.get("image_url")).get("url") if image is None else image
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

"""The choices that stand in a question's text: as lines `A. …`, `A) …`, `(A) …`, or after `Options:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LINE = re.compile(r"\(?([A-Z])[.):] ?(.*)", re.DOTALL)
_INLINE = re.compile(r"\n?Options:\s*A:\s")
REQUEST = re.compile(r"\s*Please answer directly with [^\n]*?\.\s*\Z")
"""What some datasets add to a question with choices."""


def choices_in(text: str) -> tuple[str, tuple[str, ...]]:
    """Take the choices out of a question's text; return the rest, and their texts (none: no choices)."""
    inline = _INLINE.search(text)
    if inline is not None:
        return text[: inline.start()], _inline_choices(text[inline.end() :])
    lines = text.split("\n")
    starts = [place for place, line in enumerate(lines) if _choice(line, "A") is not None]
    if not starts:
        return text, ()
    first = starts[-1]
    found: list[str] = []
    for line, label in zip(lines[first:], LABELS, strict=False):
        choice = _choice(line, label)
        if choice is None:
            break
        found.append(choice)
    behind = lines[first + len(found) :]
    rest = "\n".join(line for line in behind if line.strip() and not REQUEST.search(line))
    bare = "\n".join(lines[:first]).rstrip()
    return (f"{bare}\n{rest}" if rest else bare), tuple(found) if len(found) > 1 else ()


def right(target: str, n_choices: int) -> dict[str, Any]:
    """What a target says is right, as fields of a `Sample`: a choice by its label, or else a text."""
    is_label = len(target) == 1 and target in LABELS[:n_choices]
    return {
        "answer": target if is_label else None,
        "references": (target,) if target and not is_label else (),
    }


def names_choice(answer: str, choices: Sequence[str]) -> bool:
    """Whether MMMU's own rule finds a choice in an answer."""
    for mark in ",.!?;:'":
        answer = answer.strip(mark)
    padded = f" {answer} "
    labels = LABELS[: len(choices)]
    if any(form in padded for one in labels for form in (f"({one})", f"{one} ", f"{one}.")):
        return True
    return len(padded.split()) > 5 and any(text.lower() in padded.lower() for text in choices)


def _inline_choices(rest: str) -> tuple[str, ...]:
    found = []
    for label in LABELS[1:]:
        choice, mark, rest = rest.partition(f", {label}: ")
        found.append(choice.strip())
        if not mark:
            break
    return tuple(found)


def _choice(line: str, label: str) -> str | None:
    """The text of a choice of that label in a line; None: it is none."""
    found = _LINE.fullmatch(line)
    return found[2].strip() if found is not None and found[1] == label else None

"""What a language model is shown of a question, and what of it is scored."""

from __future__ import annotations

import json
import re

from local_models.questions import Question

WORDING = "choices/1"
"""The name of this wording. Another wording gives other scores, so it is written into the files."""

CONTENT, LETTER = "content", "letter"
SCORED = (CONTENT, LETTER)

_PICTURE = re.compile(r"\S.*\.(png|jpe?g|webp|gif|bmp|tiff?)", re.IGNORECASE)


def prompt(question: Question, scored: str) -> str:
    """The text before the choice. For letters the choices are listed in it."""
    lines = [f"Question: {question.text}"]
    if scored == LETTER:
        lines += [f"{label}. {text.strip()}" for label, text in question.choices]
    return "\n".join([*lines, "Answer:"])


def continuation(label: str, text: str, scored: str) -> str:
    """What is scored of a choice: its text, or its letter."""
    return label if scored == LETTER else text.strip()


def has_pictures(question: Question) -> bool:
    """Whether the choices are names of image files, which say nothing to a language model."""
    return all(_is_picture(text.strip()) for _, text in question.choices)


def _is_picture(text: str) -> bool:
    """One file name, or a JSON list of some, as SEED-Bench-2 keeps choices of several images."""
    names: object = [text]
    if text.startswith("["):
        try:
            names = json.loads(text)
        except (ValueError, RecursionError):
            return False
    return (
        isinstance(names, list)
        and bool(names)
        and all(isinstance(name, str) and _PICTURE.fullmatch(name) for name in names)
    )

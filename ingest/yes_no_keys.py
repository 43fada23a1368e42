"""Keys of the questions of MME and POPE, which those who answer them number in other ways."""

from __future__ import annotations

import re

MME, POPE = "MME", "POPE"
MME_CATEGORIES = (
    "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark", "artwork", "OCR",
    "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning",
)  # fmt: skip
"""In MME's own order."""
POPE_CATEGORIES = ("random", "popular", "adversarial")
ENDING = re.compile(r"\.(txt|png|jpe?g|bmp|gif|webp|tiff?)$", re.IGNORECASE)
"""Of an image's name; LLaVA's script writes `0001.txt` for the image."""
_INSTRUCTION = re.compile(
    r"\s*(Please answer yes or no\.?|Answer the question using a single word or phrase\.?)\s*$",
    re.IGNORECASE,
)


def category_of(text: str) -> str | None:
    """The category of MME's of that name, in any case; None: there is none."""
    return next((name for name in MME_CATEGORIES if name.lower() == text.lower()), None)


def image_of(category: str, image: str) -> str:
    """An image's name without what differs between files: folders and the ending."""
    return f"{category}/{ENDING.sub('', image.strip().replace(chr(92), '/').rpartition('/')[2])}"


def asked(text: str) -> str:
    """What a prompt asks, without the instruction how to answer, in single spaces."""
    return " ".join(_INSTRUCTION.sub("", text).split())


def key_of(category: str, image: str, question: str) -> str:
    """A question's key: MME numbers none, and asks two of each image."""
    return f"{image_of(category, image)} {asked(question)}"

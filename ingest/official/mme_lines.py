"""The lines of MME's official files, `{category}.txt`: image, question, truth and answer, with tabs between.

There is no header. Without the answer it is the template that MME hands out; the answer is the last
column, and may have tabs in it. LLaVA's script writes `0001.txt` for the image.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ingest.reading.lines import text_lines
from warehouse.errors import InputError

KIND = "mme_lines"
COLUMNS = ("picture", "asked", "truth")
"""What its columns are called here, since the file does not; other formats have none of these."""
ANSWERED = (*COLUMNS, "said")
_WORDS = ("image", "question", "truth", "answer")

CATEGORIES = (
    "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark", "artwork", "OCR",
    "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning",
)  # fmt: skip
"""In MME's own order."""

_ENDING = re.compile(r"\.(txt|png|jpe?g|bmp|gif|webp|tiff?)$", re.IGNORECASE)
_FIRST = 5
"""Lines that are looked at."""
_INSTRUCTION = re.compile(
    r"\s*(Please answer yes or no\.?|Answer the question using a single word or phrase\.?)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Line:
    """A line, with its number from 1; no answer where the file is the template."""

    row: int
    image: str
    question: str
    truth: str
    answer: str | None


def columns_of_text(path: Path) -> tuple[str, ...] | None:
    """The columns of a file of such lines; None: it is another file."""
    try:
        for line in islice(text_lines(path), _FIRST):
            cells = line.rstrip("\r\n").split("\t", 3)
            if len(cells) >= len(COLUMNS) and _ENDING.search(cells[0]) and _is_truth(cells[2]):
                return ANSWERED[: len(cells)]
    except InputError:
        # Reading it says what is wrong.
        pass
    return None


def read(path: Path, columns: tuple[str, ...]) -> list[Line]:
    """The lines, blank ones left out.

    Raises:
        InputError: a line has other columns than the file, or its truth is neither yes nor no.
    """
    found = []
    for row, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t", len(columns) - 1)
        if len(cells) != len(columns):
            raise InputError(
                path,
                f"holds {len(cells)} of {', '.join(_WORDS[: len(columns)])}, with tabs between; a "
                "question or an answer stands in one line",
                row=row,
            )
        image, question, truth, *answer = cells
        if not _is_truth(truth):
            raise InputError(path, f"{truth!r} is neither Yes nor No", row=row, field="truth")
        if not image.strip() or not question.strip():
            raise InputError(
                path, "is empty", row=row, field="question" if image.strip() else "image"
            )
        found.append(Line(row, image, question, truth.strip(), answer[0] if answer else None))
    return found


def category_of(text: str) -> str | None:
    """The category of that name, in any case; None: there is none."""
    return next((name for name in CATEGORIES if name.lower() == text.lower()), None)


def image_of(category: str, image: str) -> str:
    """An image's name without what differs between files: folders and the ending."""
    return f"{category}/{_ENDING.sub('', image.strip().replace(chr(92), '/').rpartition('/')[2])}"


def asked(text: str) -> str:
    """What a prompt asks, without the instruction how to answer, in single spaces."""
    return " ".join(_INSTRUCTION.sub("", text).split())


def key_of(category: str, image: str, question: str) -> str:
    """A question's key: MME numbers none, and asks two of each image."""
    return f"{image_of(category, image)} {asked(question)}"


def _is_truth(text: str) -> bool:
    return text.strip().lower() in ("yes", "no")

"""The lines of MME's official files, `{category}.txt`: image, question, truth and answer, with tabs between.

There is no header. Without the answer it is the template that MME hands out; the answer is the last
column, and may have tabs in it. LLaVA's script writes `0001.txt` for the image.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ingest.reading.lines import text_lines
from ingest.yes_no_keys import ENDING
from warehouse.errors import InputError

KIND = "mme_lines"
COLUMNS = ("picture", "asked", "truth")
"""What its columns are called here, since the file does not; other formats have none of these."""
ANSWERED = (*COLUMNS, "said")
_WORDS = ("image", "question", "truth", "answer")

_FIRST = 5
"""Lines that are looked at."""


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
            if len(cells) >= len(COLUMNS) and ENDING.search(cells[0]) and _is_truth(cells[2]):
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


def _is_truth(text: str) -> bool:
    return text.strip().lower() in ("yes", "no")

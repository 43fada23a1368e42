"""MME's official results, a file a category in the folder of a model: `MODEL/OCR.txt`.

A line is an image, a question, the truth and the answer, with tabs between; the answer is the last, and
may have tabs in it. A template without answers (`Your_Results`) holds questions alone. The files of a
model make one run. LLaVA's script names text files in place of images, and leaves out what MME's release
does not have, so that its questions are a dataset of their own, as they have a figure of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ingest.fields import Field
from ingest.names import DatasetName
from ingest.reading.head import Format, Head, Seen
from ingest.reading.lines import text_lines
from ingest.sample import Ability, About, Answer, Sample
from ingest.yes_no_keys import (
    ENDING,
    MME,
    MME_CATEGORIES,
    category_of,
    image_of,
    is_yes_or_no,
    key_of,
)
from warehouse.errors import InputError

FORMATS = {
    "mme_results": Format(
        1,
        "MME's official results, `{model}/{category}.txt` without header: image, question, truth and "
        "answer with tabs between; without answers, its questions",
    )
}
FIELDS = (
    Field("image", str, "image"),
    Field("question", str, "text"),
    Field("truth", str, "target"),
    Field("answer", str, "said", required=False),
)
_TEMPLATE = "Your_Results"
_FIRST = 5
"""Lines that are looked at."""


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file has MME's lines."""
    n_cells = 0 if head.start.startswith((b"{", b"[")) else _n_cells(head.path)
    if not n_cells:
        return None
    words = "images, questions, and yes or no, with tabs between"
    place = "QUESTIONS" if n_cells < len(FIELDS) else None
    return Seen(words, format="mme_results", place=place)


def sidecar(path: Path) -> str | None:
    """Say that none of MME's files is left."""
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a category's file.

    Raises:
        InputError: its name is no category, a line has other cells than the first ones, or its truth
            is neither yes nor no.
    """
    category = category_of(path.stem)
    if category is None:
        raise InputError(
            path,
            "its lines are MME's, and its name is none of MME's categories: "
            + ", ".join(MME_CATEGORIES),
        )
    lines = [*_lines(path, _n_cells(path))]
    is_llavas = all(image.lower().endswith(".txt") for _, (image, *_) in lines)
    folder = path.absolute().parent.name
    about = About(
        "mme",
        "" if folder == _TEMPLATE else folder,
        "",
        folder,
        dataset=DatasetName(MME, "llava" if is_llavas else "official"),
        inferred={
            **dict.fromkeys(("benchmark", "version"), "the format"),
            **dict.fromkeys(("model", "run"), "the folder's name"),
        },
        columns={"key": "question"},
        questions="open",
        has_own_keys=True,
        are_whole=True,
        part=(MME_CATEGORIES.index(category), len(MME_CATEGORIES)),
        parts=tuple(path.with_name(f"{name}{path.suffix}") for name in MME_CATEGORIES),
        are_questions=len(lines[0][1]) < len(FIELDS),
    )
    return about, (_sample(category, row, *cells) for row, cells in lines)


def _n_cells(path: Path) -> int:
    """How many cells its lines have; 0: they are not MME's."""
    try:
        for line in islice(text_lines(path), _FIRST):
            cells = _cells(line, len(FIELDS))
            if len(cells) > 2 and ENDING.search(cells[0]) and is_yes_or_no(cells[2]):
                return len(cells)
    except (InputError, OSError):
        # Reading it says what is wrong.
        pass
    return 0


def _cells(line: str, n: int) -> list[str]:
    return line.rstrip("\r\n").split("\t", n - 1)


def _lines(path: Path, n: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank, by its number."""
    for row, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        cells = _cells(line, n)
        if len(cells) != n:
            words = ", ".join(field.path for field in FIELDS[:n])
            raise InputError(
                path,
                f"holds {len(cells)} of {words}, with tabs between; a question or an answer stands in "
                "one line",
                row=row,
            )
        if not is_yes_or_no(cells[2]):
            raise InputError(path, f"{cells[2]!r} is neither Yes nor No", row=row, field="truth")
        for field, cell in zip(FIELDS[:2], cells, strict=False):
            if not cell.strip():
                raise InputError(path, "is empty", row=row, field=field.path)
        yield row, cells


def _sample(category: str, row: int, image: str, question: str, truth: str, *answer: str) -> Sample:
    return Sample(
        row,
        key_of(category, image, question),
        question,
        references=(truth.strip(),),
        attributes={"image_path": image_of(category, image)},
        abilities=(Ability("category", category, "category"),),
        answers=tuple(map(Answer, answer)),
    )

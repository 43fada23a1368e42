"""Keys of the questions of MME and POPE, which those who answer them number in other ways."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingest.names import DatasetName
from warehouse.errors import InputError

MME, POPE = "MME", "POPE"
MME_CATEGORIES = (
    "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark", "artwork", "OCR",
    "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning",
)  # fmt: skip
"""In MME's own order."""
POPE_CATEGORIES = ("random", "popular", "adversarial")
ENDING = re.compile(r"\.(txt|png|jpe?g|bmp|gif|webp|tiff?)$", re.IGNORECASE)
"""Of an image's name; LLaVA's script writes `0001.txt` for the image."""
_LLAVAS = "llava"
"""The version of MME that LLaVA's script makes."""
_STEP = 10_000_000
_OFFSETS = ("adversarial", "random", "popular")
"""POPE's label files in the order in which LLaVA counts their questions on, from 1 and as many above."""
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


def is_yes_or_no(written: object) -> bool:
    """Whether a right answer is one of the two."""
    return isinstance(written, str) and written.strip().lower() in ("yes", "no")


def category_of_image(path: str) -> str | None:
    """The category of MME's that the path of an image begins with; None: none."""
    category, _, image = path.partition("/")
    return category_of(category) if image else None


def find(
    path: Path,
    benchmark: str,
    rows: Sequence[tuple[int, str, str]],
    questions: Mapping[DatasetName, Mapping[str, str]],
) -> tuple[DatasetName, dict[int, str]] | None:
    """Find the questions that answers are of, by ids that count otherwise and by texts.

    Of MME an id is an image, of which two questions are asked, so that the prompt says which. Of POPE it
    counts the questions of three label files on, or numbers those of one as that does.

    Args:
        path: the file, whose name may say which of POPE's label files.
        rows: the number, id and prompt of each answer.
        questions: what is asked by key, of each dataset.

    Returns:
        The dataset, and the key of each row whose question it has. None: there is none.

    Raises:
        InputError: it may be one or another.
    """
    fitting = [
        ((len(keys), -rank, dataset.version == _LLAVAS), dataset, keys)
        for rank, named in _keys(benchmark, path.stem, rows)
        for dataset, texts in questions.items()
        if (keys := _there(rows, named, texts))
    ]
    best = max((rank for rank, *_ in fitting), default=None)
    found = [(dataset, keys) for rank, dataset, keys in fitting if rank == best]
    if len(found) > 1:
        places = " or ".join(
            f"{dataset} (question {next(iter(keys.values()))})" for dataset, keys in found[:2]
        )
        problem = (
            f"could be of {places}; say --version or --split, or name random, popular or adversarial in the file's "
            "name"
        )
        raise InputError(path, problem)
    return found[0] if found else None


def _keys(
    benchmark: str, stem: str, rows: Sequence[tuple[int, str, str]]
) -> list[tuple[int, list[str]]]:
    """The keys that rows may have; of those that fit equally, the ones of the lowest number hold."""
    if benchmark == MME:
        of_images = ((category_of_image(image), image, prompt) for _, image, prompt in rows)
        return [(0, [key_of(name, *said) if name else "" for name, *said in of_images])]
    words = re.split(r"[\W_]+", stem.lower())
    ids = [number for _, number, _ in rows]
    return [
        (1, [_counted_on(number) for number in ids]),
        *(
            (2 * (name not in words), [f"{name}/{number}" for number in ids])
            for name in POPE_CATEGORIES
        ),
    ]


def _counted_on(number: str) -> str:
    if not re.fullmatch(r"\d{1,8}", number):
        return ""
    place, n = divmod(int(number), _STEP)
    return f"{_OFFSETS[place]}/{n}" if place < len(_OFFSETS) else ""


def _there(
    rows: Sequence[tuple[int, str, str]], keys: Sequence[str], texts: Mapping[str, str]
) -> dict[int, str]:
    """The key of each row whose question is there; none where one asks something else."""
    found = {row: key for (row, *_), key in zip(rows, keys, strict=True) if key in texts}
    asks = {row: asked(prompt).lower() for row, _, prompt in rows}
    return found if all(texts[key] == asks[row] for row, key in found.items()) else {}

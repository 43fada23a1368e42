"""POPE's official label files, JSON lines: `question_id, image, text, label`.

`coco_pope_random.json`: the images' source, which is a data set of its own, and the way in which objects
were drawn, which numbers its questions from 1. The key says both: `random/1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from ingest import fields
from ingest.fields import Field
from ingest.names import DatasetName
from ingest.reading.head import Format, Head, Seen
from ingest.reading.named_images import hash_of
from ingest.sample import Ability, About, Sample
from ingest.yes_no_keys import POPE, POPE_CATEGORIES, is_yes_or_no
from warehouse.errors import InputError

FORMATS = {
    "pope_labels": Format(
        1,
        "POPE's official label files, JSON lines, such as `coco_pope_random.json`: "
        "`question_id, image, text, label`",
        "QUESTIONS",
    )
}
FIELDS = (
    Field("question_id", (str, int), "key"),
    Field("image", str, "image", required=False),
    Field("text", str, "text", required=False),
    Field("label", str, "target", required=False),
)
_OTHER = {"category", "prompt", "answer_id", "prediction", "answer", "options", "model_id"}
_NAME = re.compile(r"(?:(?P<source>[a-z0-9]+)[_-])?pope(?:[_-].*)?", re.IGNORECASE | re.DOTALL)
_UNNAMED = "its name says none of random, popular and adversarial, so that no category is known"


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file has POPE's labels."""
    line = head.line if b'"label":' in head.start else {}
    is_theirs = {field.path for field in FIELDS} <= line.keys() and not _OTHER & line.keys()
    if not is_theirs or not is_yes_or_no(line["label"]):
        return None
    return Seen("question_id, image, text and label in its first line", format="pope_labels")


def sidecar(path: Path) -> str | None:
    """Say that none of POPE's files is left."""
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a label file.

    Raises:
        InputError: an id is empty, or a label is neither yes nor no.
    """
    named = _NAME.fullmatch(path.stem)
    words = re.split("[_-]", path.stem.lower())
    category = next((name for name in POPE_CATEGORIES if name in words), None)
    about = About(
        "pope",
        "",
        "",
        "",
        dataset=DatasetName(POPE, ((named and named["source"]) or "labels").lower()),
        inferred={"benchmark": "the format", "version": "the file's name"},
        notes=() if category else (_UNNAMED,),
        questions="open",
        has_own_keys=True,
        part=(POPE_CATEGORIES.index(category), len(POPE_CATEGORIES)) if category else (0, 1),
        are_whole=True,
        are_questions=True,
    )
    return about, _samples(path, category)


def _samples(path: Path, category: str | None) -> Iterator[Sample]:
    # Several questions are asked of each image.
    hash_here = cache(partial(hash_of, folder=path.parent))
    for row, record in fields.records(path):
        found = fields.read(path, row, record, FIELDS)
        key, label, image = str(found["key"]).strip(), found["target"], found["image"]
        if not key:
            raise InputError(path, "is empty", row=row, field="question_id")
        if not is_yes_or_no(label):
            raise InputError(path, f"{label!r} is neither yes nor no", row=row, field="label")
        yield Sample(
            row,
            f"{category}/{key}" if category else key,
            found["text"] or None,
            references=(label.strip(),),
            images=(hash_here(image),) if image else (),
            abilities=(Ability("category", category, "category"),) if category else (),
        )

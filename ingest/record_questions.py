"""The question in a record of a data set, as fields of a `Sample`, whatever the record calls them.

A record is an object, or a row as MMBench and the harnesses around it write them. What is a benchmark's
own is in its file (`warehouse.benchmark_records`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ingest import fields, prompts, record_choices
from ingest.indexed_rows import PASS_STEP
from ingest.reading import json_map
from ingest.record_choices import Choices, NotRead
from ingest.sample import Ability
from warehouse.benchmark_records import Records

ANSWERS = ("answer", "answers")
_NO_ATTRIBUTE = {
    "question", "query", "options", "choices", *ANSWERS, "image", "images", "decoded_image", "video",
}  # fmt: skip
_OF_ROW = {"index", "question", "answer", "image", "split", "prediction", "l2-category", "category"}
_LEVELS = (("l2-category", "l2"), ("category", "l3"))
_LARGEST = 2**31 - 1


def of_record(
    doc: Mapping[str, Any],
    number: object,
    records: Records,
    *,
    first: int = 0,
    may_be_words: bool = False,
) -> dict[str, Any]:
    """Read the question of a record.

    Args:
        doc: the record, with its benchmark's fields (`Records.completed`).
        number: its place, which is its key where it has none of its own.
        first: the number that answers have for the first of listed choices.
        may_be_words: a question whose answer is none of its choices is one of words.
    """
    named = (str(doc[name]).strip() for name in records.key if doc.get(name) is not None)
    key = next(named, str(number))
    text, given, found = str(doc["question"]), right(doc), record_choices.of_record(doc)
    if not found.texts:
        bare, texts = prompts.choices_in(text)
        if texts and Choices(texts).label_of(given) is not None:
            text, found = bare, Choices(texts)
    answer = found.label_of(given, first=first) if found.texts else None
    if may_be_words and answer is None and given not in (None, ""):
        found = Choices()
    has_references = not found.texts or records.references == "choices"
    split = records.split.fullmatch(key) if records.split is not None else None
    return {
        "key": key,
        "text": text.strip(),
        "choices": found.texts,
        "answer": answer,
        "references": _references(given, records) if has_references else (),
        "attributes": _attributes(doc, {*records.key, *found.names}),
        "split": split[1] if split else None,
    }


def right(doc: Mapping[str, Any]) -> object:
    """What a record has for right; None: nothing."""
    return next((doc[name] for name in ANSWERS if doc.get(name) is not None), None)


def first_number(docs: Sequence[Mapping[str, Any]]) -> int:
    """The number that the answers of a data set have for the first choice of a list."""
    return record_choices.first_number((record_choices.of_record(doc), right(doc)) for doc in docs)


def of_row(record: Mapping[str, Any], *, has_answer: bool = True) -> dict[str, Any]:
    """Read the question of a row of MMBench's, whose `index` has the pass too.

    Args:
        record: the row, where nan stands for nothing, and names may have capital letters.
        has_answer: the cell of the right answer is that.

    Raises:
        NotRead: the index is none.
    """
    cells = {
        name if len(name) == 1 else name.lower(): text
        for name, one in record.items()
        if (text := json_map.text(one)) not in (None, "", "nan")
    }
    index = cells.get("index", "").strip()
    number = int(index) if index.isdecimal() and len(index) <= len(str(_LARGEST)) else -1
    if not 0 <= number <= _LARGEST:
        raise NotRead("index", f"{index!r} is no whole number from 0, or too large")
    choices = {name: cells[name] for name in sorted(cells) if name in {*prompts.LABELS}}
    return {
        "key": str(number % PASS_STEP),
        "pass_": number // PASS_STEP,
        "text": cells.get("question"),
        "choices": choices,
        "answer": (cells.get("answer", "").strip() or None) if has_answer else None,
        "split": cells.get("split", "").strip() or None,
        "attributes": {
            name: text for name, text in cells.items() if name not in _OF_ROW | choices.keys()
        },
        "abilities": tuple(
            Ability(level, cells[name], name, depth)
            for depth, (name, level) in enumerate(_LEVELS)
            if cells.get(name, "").strip()
        ),
    }


def by_id(key: str, answer: str | None, kind: str) -> dict[str, Any]:
    """A question of SEED-Bench that is known by its id alone, with the right letter and kind of data."""
    return {
        "key": key,
        "text": "",
        "choices": ("",) * 4,
        "answer": answer,
        "attributes": {"data_type": kind} if kind else {},
    }


def _references(given: object, records: Records) -> tuple[str, ...]:
    """The right texts: one, or a list, perhaps as Python writes it."""
    if isinstance(given, list):
        return record_choices.as_texts(given)
    if given is None or not str(given).strip(" "):
        return ()
    texts = record_choices.as_texts(record_choices.written(given))
    return tuple(filter(None, texts if records.references == "lists" else ())) or (str(given),)


def _attributes(doc: Mapping[str, Any], keys: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in doc.items():
        if name == "metadata" and isinstance(value, dict):
            found |= {n: v for n, v in _attributes(value, {"split"}).items() if n not in doc}
        elif name not in _NO_ATTRIBUTE | keys:
            found |= fields.as_texts({name: value})
    return found

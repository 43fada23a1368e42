"""The question in a sample of lm-evaluation-harness: `doc` is the dataset's record, `arguments` the prompt.

Records differ from dataset to dataset. What is looked for, in this order:

key       question_id, index (MMBench's: the pass is in it), id, qid; else the document's number
text      question; else the prompt
choices   choice_a … (SEED-Bench), A … (MMBench), a list choices or options, of texts or with labels;
          else what the likelihoods are of
answer    target, a number, a label or a choice's text; else answer or answerKey of the record

A question without choices, whose answer is generated, is an open one with the target as reference.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.indexed_rows import PASS_STEP

_KEYS = ("question_id", "index", "id", "qid")
_LISTS = ("choices", "options")
_IMAGES = ("image", "images", "video", "audio")
_ABILITIES = {
    "question_type_id": "dimension",
    "L2-category": "l2",
    "l2-category": "l2",
    "category": "l3",
}
_SEED_CHOICE = re.compile(r"choice_[a-z]")
_LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class NotRead(Exception):
    """What a sample has that cannot be read: the field, and what is wrong with it."""

    def __init__(self, field_name: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field_name
        self.problem = problem


@dataclass(frozen=True)
class Question:
    """What a sample tells of its question.

    Attributes:
        choices: texts by label; none: it is an open question, with references.
        answer: the right label; None: it is not told.
        abilities: level, the record's field and what it says, from coarse to fine.
    """

    key: str
    step: int
    text: str
    choices: dict[str, str]
    answer: str | None
    references: tuple[str, ...]
    abilities: tuple[tuple[str, str, str], ...]
    attributes: dict[str, str] = field(default_factory=dict)


def read(
    doc: Mapping[str, Any], target: str, prompt: str, continuations: Sequence[str], number: object
) -> Question:
    """The question of a sample.

    Args:
        doc: the dataset's record.
        target: what the harness takes for right.
        prompt: what the model was given.
        continuations: what the likelihoods are of; none: the answer was generated.
        number: the document's.

    Raises:
        NotRead: the right answer is none of the choices, or there are several.
    """
    choices = _choices(doc)
    if not choices and continuations:
        choices = dict(zip(_LABELS, (text.strip() for text in continuations), strict=False))
    key, step = _key(doc, number, has_passes="A" in doc)
    text = doc.get("question")
    told = [name for name in doc if _SEED_CHOICE.fullmatch(name) or name in _LABELS]
    own = {*_KEYS, *_LISTS, *_IMAGES, *told, *_ABILITIES, "question", "answer", "answerKey"}
    return Question(
        key=key,
        step=step,
        text=text if isinstance(text, str) and text.strip() else prompt,
        choices=choices,
        answer=_answer(doc, target, choices) if choices else None,
        references=() if choices else _references(target),
        abilities=tuple(
            (level, name, str(doc[name]).strip())
            for name, level in _ABILITIES.items()
            if isinstance(doc.get(name), str | int) and str(doc[name]).strip()
        ),
        attributes={
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in doc.items()
            if name not in own and value is not None and value != ""
        },
    )


def label_of(continuation: str, place: int, question: Question) -> tuple[str, str]:
    """Which choice a continuation is, and whether it is its content or its letter.

    Raises:
        NotRead: it is none, or could be several.
    """
    text = continuation.strip()
    texts = {label: its_text.strip() for label, its_text in question.choices.items()}
    at_place = list(texts)[place] if place < len(texts) else None
    if at_place is not None and texts[at_place] == text:
        return at_place, "letter" if text == at_place else "content"
    letter = text.strip("().:")
    if letter in texts:
        return letter, "letter"
    fitting = [label for label, its_text in texts.items() if its_text == text]
    if len(fitting) != 1:
        raise NotRead(
            "arguments", f"{text[:60]!r} is none of the choices of question {question.key}"
        )
    return fitting[0], "content"


def _key(doc: Mapping[str, Any], number: object, *, has_passes: bool) -> tuple[str, int]:
    for name in _KEYS:
        value = doc.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            continue
        if name == "index" and has_passes and isinstance(value, int):
            return str(value % PASS_STEP), value // PASS_STEP
        return str(value).strip(), 0
    return str(number), 0


def _choices(doc: Mapping[str, Any]) -> dict[str, str]:
    seed = {
        name[-1].upper(): doc[name]
        for name in sorted(doc)
        if _SEED_CHOICE.fullmatch(name) and isinstance(doc[name], str)
    }
    letters = {name: doc[name] for name in _LABELS if isinstance(doc.get(name), str)}
    for found in (seed, letters):
        some = {label: text for label, text in found.items() if text not in ("", "nan")}
        if len(some) > 1:
            return some
    for name in _LISTS:
        told = doc.get(name)
        texts = told.get("text") if isinstance(told, dict) else told
        labels = told.get("label") if isinstance(told, dict) else None
        if not isinstance(texts, list) or len(texts) < 2 or len(texts) > len(_LABELS):
            continue
        if isinstance(labels, list) and all(str(label) in _LABELS for label in labels):
            return {str(label): str(text) for label, text in zip(labels, texts, strict=False)}
        return {label: str(text) for label, text in zip(_LABELS, texts, strict=False)}
    return {}


def _answer(doc: Mapping[str, Any], target: str, choices: Mapping[str, str]) -> str | None:
    for value in (target, doc.get("answer"), doc.get("answerKey")):
        label = _label(value, choices)
        if label is not None:
            return label
    if target.strip() in ("", "None"):
        return None
    if target.strip().startswith("["):
        raise NotRead(
            "target", f"{target[:60]!r} are several right answers, and a question has one"
        )
    raise NotRead("target", f"{target[:60]!r} is none of the choices ({', '.join(choices)})")


def _label(value: object, choices: Mapping[str, str]) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value).strip()
    if text in choices:
        return text
    if text.isdecimal() and int(text) < len(choices):
        return list(choices)[int(text)]
    fitting = [label for label, its_text in choices.items() if its_text.strip() == text]
    return fitting[0] if len(fitting) == 1 else None


def _references(target: str) -> tuple[str, ...]:
    """The references: a list, as Python writes one, or a text."""
    if target.startswith("["):
        try:
            told = ast.literal_eval(target)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            told = None
        if isinstance(told, list) and told and all(isinstance(one, str) for one in told):
            return tuple(dict.fromkeys(one for one in told if one))
    return (target,) if target else ()

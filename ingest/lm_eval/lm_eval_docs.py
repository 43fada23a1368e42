"""A lm-evaluation-harness sample's question, from `doc` (the dataset's record) and the prompt.

Records differ from dataset to dataset. What is looked for, in this order:

key       question_id, index (MMBench's: the pass is in it), id, qid; else the document's number
text      question; else the prompt
choices   choice_a … (SEED-Bench), A … (MMBench), option1 … (WinoGrande), a list choices or options, of
          texts or with labels; else what the likelihoods are of
answer    target, a number, a label or a choice's text; else answer or answerKey of the record, which
          also decide where a number is the place of one choice and the text of another

Several choices may be right (TruthfulQA's mc2): a list of numbers as target, or a list of 0 and 1 in
the record, one for each choice. They are the attribute right_choices, and the question has no answer.

A question without choices, whose answer is generated, is an open one with the target as reference:
what is left of it once the harness's metric has ignored what it ignores (`lm_eval_metrics`). Where
that is less than the target, all of it is the attribute target.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
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
_NUMBERED_CHOICE = re.compile(r"(?:option|choice)([1-9])")
_ANSWERS = ("answer", "answerKey")
RIGHT_CHOICES = "right_choices"
"""The attribute of a question that has several."""
TARGET = "target"
"""The attribute that is all of a target of which a part is the reference."""
_DIGITS = re.compile(r"[0-9]{1,9}")
_IS_PLACES = re.compile(r"[0-9\[\], ]{1,200}")
_LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = frozenset(_LABELS)


class NotRead(Exception):
    """What a sample has that cannot be read: the field, and the problem."""

    def __init__(self, field_name: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field_name
        self.problem = problem


@dataclass(frozen=True)
class Question:
    """A sample's question.

    Attributes:
        choices: texts by label; none: it is an open question, with references.
        answer: the right label; None: it is not given.
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
    doc: Mapping[str, Any],
    target: str,
    prompt: str,
    continuations: Sequence[str],
    number: object,
    *,
    compared: Callable[[str], str] = str,
    follows: str | None = None,
    is_open: bool = False,
) -> Question:
    """The question of a sample.

    Args:
        doc: the dataset's record.
        target: what the harness takes for right.
        prompt: what the model was given.
        continuations: what the likelihoods are of; none: the answer was generated.
        number: the document's.
        compared: what of a text the harness's metric compares.
        follows: the words that follow each choice, where the choices stand in the prompts; the
            target is these words then, and says nothing.
        is_open: the answer is words, whatever choices the record has.

    Raises:
        NotRead: the right answer is none of the choices.
    """
    choices = {} if is_open else _choices(doc)
    if not choices and continuations:
        choices = dict(zip(_LABELS, (text.strip() for text in continuations), strict=False))
    key, step = _key(doc, number, has_passes="A" in doc)
    text = doc.get("question")
    choice_names = [name for name in doc if _is_choice_name(name)]
    own = {*_KEYS, *_LISTS, *_IMAGES, *choice_names, *_ABILITIES, "question", *_ANSWERS}
    attributes = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in doc.items()
        if name not in own and value is not None and value != ""
    }
    references = [] if choices else _references(target)
    reduced = [compared(one) for one in references]
    if reduced != references:
        attributes[TARGET] = target
    target = _places(target, continuations, choices)
    right = _right(doc, target, choices)
    if len(right) > 1:
        attributes[RIGHT_CHOICES] = "".join(right)
    if follows is not None and target.strip() == follows.strip():
        target = ""
    answer = _answer(doc, target, choices) if choices and len(right) < 2 else None
    return Question(
        key=key,
        step=step,
        text=text if isinstance(text, str) and text.strip() else prompt,
        choices=choices,
        answer=answer,
        references=tuple(dict.fromkeys(one for one in reduced if one)),
        abilities=tuple(
            (level, name, str(doc[name]).strip())
            for name, level in _ABILITIES.items()
            if isinstance(doc.get(name), str | int) and str(doc[name]).strip()
        ),
        attributes=attributes,
    )


def _places(target: str, continuations: Sequence[str], choices: Mapping[str, str]) -> str:
    """A target of places, where the requests have the choices in another order than the record.

    The harness's numbers are places among the requests; here they become those among the choices.
    """
    requested = [text.strip() for text in continuations]
    texts = [text.strip() for text in choices.values()]
    is_other = (
        requested != texts and sorted(requested) == sorted(texts) and len(set(texts)) == len(texts)
    )
    if not is_other or not _IS_PLACES.fullmatch(target) or target.strip() in texts:
        return target
    places = [str(texts.index(text)) for text in requested]
    return _DIGITS.sub(
        lambda found: places[int(found[0])] if int(found[0]) < len(places) else found[0], target
    )


def _is_choice_name(name: str) -> bool:
    return bool(_SEED_CHOICE.fullmatch(name) or _NUMBERED_CHOICE.fullmatch(name) or name in _LABELS)


def _right(doc: Mapping[str, Any], target: str, choices: Mapping[str, str]) -> list[str]:
    """The right choices, where there may be several; [] where there is one at most."""
    labels = list(choices)
    if target.startswith("["):
        places = re.findall(r"[0-9]+", target) if re.fullmatch(r"\[[0-9, ]*\]", target) else []
        if places and all(int(place) < len(labels) for place in places):
            return sorted({labels[int(place)] for place in places})
    for name in doc:
        of_name = doc[name] if isinstance(doc[name], dict) else {}
        marks, texts = of_name.get("labels"), of_name.get("choices")
        # The record may have several lists of choices (mc1_targets, mc2_targets): that of these.
        if (
            isinstance(marks, list)
            and isinstance(texts, list)
            and all(mark in (0, 1) for mark in marks)
            and len(marks) == len(labels)
            and [str(one).strip() for one in texts] == [one.strip() for one in choices.values()]
        ):
            return [label for label, mark in zip(labels, marks, strict=True) if mark]
    return []


def label_of(
    continuation: str, place: int, question: Question, *, is_prompt: bool = False
) -> tuple[str, str]:
    """Which choice a continuation is, and whether it is its content or its letter.

    Args:
        is_prompt: it is a prompt that the choice stands in, and the words after it are always the
            same.

    Raises:
        NotRead: it is none, or could be several.
    """
    text = continuation.strip()
    if is_prompt and place < len(question.choices):
        label, its_text = list(question.choices.items())[place]
        if text.endswith(its_text.strip()):
            return label, "content"
    at_place = next(islice(question.choices, place, None), None)
    if at_place is not None and question.choices[at_place].strip() == text:
        return at_place, "letter" if text == at_place else "content"
    texts = {label: its_text.strip() for label, its_text in question.choices.items()}
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
    letters = {
        name: doc[name] for name in sorted(doc) if name in _LETTERS and isinstance(doc[name], str)
    }
    numbered = {
        _LABELS[int(found[1]) - 1]: doc[name]
        for name in sorted(doc)
        if (found := _NUMBERED_CHOICE.fullmatch(name)) and isinstance(doc[name], str)
    }
    for named in (seed, letters, numbered):
        some = {label: text for label, text in named.items() if text not in ("", "nan")}
        if len(some) > 1:
            return some
    for name in _LISTS:
        listed = doc.get(name)
        texts = listed.get("text") if isinstance(listed, dict) else listed
        labels = listed.get("label") if isinstance(listed, dict) else None
        if not isinstance(texts, list) or len(texts) < 2 or len(texts) > len(_LABELS):
            continue
        if isinstance(labels, list) and all(str(label) in _LABELS for label in labels):
            return {str(label): str(text) for label, text in zip(labels, texts, strict=False)}
        return {label: str(text) for label, text in zip(_LABELS, texts, strict=False)}
    return {}


def _answer(doc: Mapping[str, Any], target: str, choices: Mapping[str, str]) -> str | None:
    # The harness's numbers are places from 0; the record's own may be those in its choices' names.
    own = (_named_by_number(doc, doc.get(name), choices) for name in _ANSWERS)
    for value in (target, *own):
        meant = _meant(value, choices)
        if len(meant) > 1:
            return _settled(doc, str(value).strip(), meant, choices)
        if meant:
            return meant[0]
    if target.strip() in ("", "None"):
        return None
    raise NotRead("target", f"{target[:60]!r} is none of the choices ({', '.join(choices)})")


def _named_by_number(doc: Mapping[str, Any], value: object, choices: Mapping[str, str]) -> object:
    """The label of a choice that the record calls option2 and its answer `2`; else the value."""
    text = str(value).strip()
    found = next((n for n in doc if _NUMBERED_CHOICE.fullmatch(n) and n[-1] == text), None)
    is_own = found is not None and doc[found] == choices.get(_LABELS[int(text) - 1])
    return _LABELS[int(text) - 1] if is_own and isinstance(value, str) else value


def _meant(value: object, choices: Mapping[str, str]) -> list[str]:
    """The choices that a value may mean: a label, a place from 0, or a text. Several: unclear."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return []
    text = str(value).strip()
    if text in choices:
        return [text]
    fitting = [label for label, its_text in choices.items() if its_text.strip() == text]
    if _DIGITS.fullmatch(text) and int(text) < len(choices):
        at_place = list(choices)[int(text)]
        return [at_place] if at_place in fitting else [at_place, *fitting]
    return fitting if len(fitting) == 1 else []


def _settled(
    doc: Mapping[str, Any], text: str, meant: Sequence[str], choices: Mapping[str, str]
) -> str:
    """The choice that a number means which is the place of one and the text of another.

    Raises:
        NotRead: the record does not say.
    """
    for name in _ANSWERS:
        label = _label(doc, doc.get(name), choices)
        if label is not None and label in meant:
            return label
    raise NotRead(
        "target",
        f"{text!r} may be the place of choice {meant[0]} or the text of choice {meant[1]}, and neither "
        "answer nor answerKey of the record says which",
    )


def _label(doc: Mapping[str, Any], value: object, choices: Mapping[str, str]) -> str | None:
    """The choice that a record's own answer clearly is; None: it is not given, or not clear."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    lists = [doc[name] for name in _LISTS if isinstance(doc.get(name), dict | list)]
    of_lists = [one.get("label") if isinstance(one, dict) else None for one in lists]
    for labels in of_lists:
        # The record's own labels may be 1, 2, 3, 4, and are A, B, C, D here.
        if isinstance(labels, list) and value in labels and len(labels) == len(choices):
            return list(choices)[labels.index(value)]
    if isinstance(value, int):
        # Where the choices are texts, a number is none of them.
        are_texts = all(isinstance(one, str) for listed in lists for one in _texts(listed))
        known = are_texts and _choices(doc) and 0 <= value < len(choices)
        return list(choices)[value] if known else None
    meant = _meant(value, choices)
    return meant[0] if len(meant) == 1 else None


def _texts(listed: Any) -> Sequence[Any]:
    texts = listed.get("text") if isinstance(listed, dict) else listed
    return texts if isinstance(texts, list) else ()


def _references(target: str) -> list[str]:
    """The references: a list, as Python writes one, or a text."""
    if target.startswith("["):
        try:
            found = ast.literal_eval(target)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = None
        if isinstance(found, list) and found and all(isinstance(one, str) for one in found):
            return list(dict.fromkeys(one for one in found if one))
    return [target] if target else []

"""The choices in a data set's own record, and which of them is right.

Records differ from data set to data set. What is looked for, in this order:

choices   a list options, choices or candidates, also one as Python or JSON writes it, or its texts by
          their keys ({"A": …}, {"1": …}) or with labels; else a field for each: choice_a … (SEED-Bench),
          A … (MMBench), option1 … (WinoGrande), a0 …, whose numbers say what a number as the answer means
answer    what the harness takes for right: a number, a label or a choice's text; else answer or
          answerKey, which also decide where a number is the place of one choice and the text of another

Several choices may be right (TruthfulQA's mc2): a list of numbers, or of 0 and 1 in the record, one for
each choice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ingest.prompts import LABELS

LISTS = ("options", "choices", "candidates")
ANSWERS = ("answer", "answerKey")
_NUMBERED = re.compile("(?:option|choice)[1-9]")
_DIGITS = re.compile(r"[0-9]{1,9}")
_PLACES = re.compile(r"[0-9\[\], ]{1,200}")
_NO_CHOICE = ("", "nan")
_FIELD = re.compile(
    r"(?P<stem>(?:option|choice|candidate|answer|opt)s?_?|a_?)?"
    r"(?:(?P<letter>[A-Za-z])|(?P<number>[0-9]{1,2}))"
)
_NUMBER = re.compile(r"[0-9]{1,2}(\.0)?")


class NotRead(Exception):
    """What a sample has that cannot be read: the field, and the problem."""

    def __init__(self, field_name: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field_name
        self.problem = problem


def choices_of(doc: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a record's choices by label; empty: it has none."""
    return of_record(doc).by_label


def among_choices(target: str, shown: Iterable[str], choices: Mapping[str, str]) -> str:
    """A target whose numbers are places among the choices as they were shown, as those in the record.

    Args:
        shown: the choices in the order of the requests.
        choices: the record's, by label.
    """
    requested = [text.strip() for text in shown]
    texts = [text.strip() for text in choices.values()]
    is_other = (
        requested != texts and sorted(requested) == sorted(texts) and len(set(texts)) == len(texts)
    )
    if not is_other or not _PLACES.fullmatch(target) or target.strip() in texts:
        return target
    places = [str(texts.index(text)) for text in requested]
    return _DIGITS.sub(
        lambda found: places[int(found[0])] if int(found[0]) < len(places) else found[0], target
    )


def several_right(doc: Mapping[str, Any], target: str, choices: Mapping[str, str]) -> list[str]:
    """The labels of the right choices, where there are several; [] where there is one at most."""
    labels = list(choices)
    if target.startswith("["):
        places = re.findall(r"[0-9]+", target) if re.fullmatch(r"\[[0-9, ]*\]", target) else []
        if places and all(int(place) < len(labels) for place in places):
            found = sorted({labels[int(place)] for place in places})
            return found if len(found) > 1 else []
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
            found = [label for label, mark in zip(labels, marks, strict=True) if mark]
            return found if len(found) > 1 else []
    return []


def answer_of(doc: Mapping[str, Any], target: str, choices: Mapping[str, str]) -> str | None:
    """The label of the right choice; None: it is not given.

    Raises:
        NotRead: it is none of the choices, or could be two.
    """
    # The harness's numbers are places from 0; the record's own may be those in its choices' names.
    own = (_named_by_number(doc, doc.get(name), choices) for name in ANSWERS)
    for value in (target, *own):
        meant = _meant(value, choices)
        if len(meant) > 1:
            return _settled(doc, str(value).strip(), meant, choices)
        if meant:
            return meant[0]
    if target.strip() in ("", "None"):
        return None
    raise NotRead("target", f"{target[:60]!r} is none of the choices ({', '.join(choices)})")


def label_of(
    words: str, place: int, choices: Mapping[str, str], key: str, *, is_prompt: bool = False
) -> tuple[str, str]:
    """Which choice a request shows, and whether by its content or its letter.

    Args:
        words: what the request has of it.
        place: the request's.
        key: the question's, for messages.
        is_prompt: the words are a prompt that the choice stands in, at its end.

    Raises:
        NotRead: it is none, or could be several.
    """
    text = words.strip()
    at_place, its_text = next(islice(choices.items(), place, None), ("", ""))
    if is_prompt and at_place and text.endswith(its_text.strip()):
        return at_place, "content"
    if at_place and its_text.strip() == text:
        return at_place, "letter" if text == at_place else "content"
    letter = text.strip("().:")
    if letter in choices:
        return letter, "letter"
    fitting = [label for label, its_text in choices.items() if its_text.strip() == text]
    if len(fitting) != 1:
        raise NotRead("arguments", f"{text[:60]!r} is none of the choices of question {key}")
    return fitting[0], "content"


def _label_in(name: str) -> str:
    return LABELS[int(name[-1]) - 1] if name[-1].isdigit() else name[-1].upper()


def _listed(value: object) -> tuple[Sequence[Any], Sequence[Any]]:
    """The texts and labels of a list of choices; empty: it is none, or has no labels."""
    found = value if isinstance(value, dict) else {"text": value}
    texts, labels = found.get("text"), found.get("label")
    return texts if isinstance(texts, list) else (), labels if isinstance(labels, list) else ()


def _named_by_number(doc: Mapping[str, Any], value: object, choices: Mapping[str, str]) -> object:
    """The label of a choice that the record calls option2 and its answer `2`; else the value."""
    text = str(value).strip()
    found = next((n for n in doc if _NUMBERED.fullmatch(n) and n[-1] == text), None)
    is_own = found is not None and doc[found] == choices.get(_label_in(found))
    return _label_in(found or "") if is_own and isinstance(value, str) else value


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
    for name in ANSWERS:
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
    lists = [_listed(doc.get(name)) for name in LISTS]
    for _, labels in lists:
        # The record's own labels may be 1, 2, 3, 4, and are A, B, C, D here.
        if value in labels and len(labels) == len(choices):
            return list(choices)[labels.index(value)]
    if isinstance(value, int):
        # Where the choices are texts, a number is none of them.
        are_texts = all(isinstance(one, str) for texts, _ in lists for one in texts)
        known = are_texts and choices_of(doc) and 0 <= value < len(choices)
        return list(choices)[value] if known else None
    meant = _meant(value, choices)
    return meant[0] if len(meant) == 1 else None


@dataclass(frozen=True)
class Choices:
    """Choices, in their order.

    Attributes:
        texts: of the labels A, B, …; none: the record has no choices.
        names: the fields of the record that they are in.
        keys: what the record calls each; none: they stand in a list.
        labels: of ours, where the record has its own for a list.
    """

    texts: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def by_label(self) -> dict[str, str]:
        """The texts that are none's absence, by label; empty: there are not two."""
        every = zip(self.labels or LABELS, self.texts, strict=False)
        found = {label: text for label, text in every if text not in _NO_CHOICE}
        return found if len(found) > 1 else {}

    @property
    def is_listed(self) -> bool:
        """Whether a number as the answer can be the place of a choice."""
        return bool(self.names)

    def label_of(self, given: object, *, first: int = 0) -> str | None:
        """The label of the choice that an answer is: by its letter, key, text or place; None: none.

        Args:
            first: the number of the first choice in a list.
        """
        labels = LABELS[: len(self.texts)]
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            return None
        text = str(given).strip()
        bare = text.strip("().")
        if bare in tuple(labels):
            return bare
        if text in self.keys:
            return labels[self.keys.index(text)]
        if text in self.texts:
            return labels[self.texts.index(text)]
        if not self.is_listed:
            return None
        if bare.upper() in tuple(labels):
            return bare.upper()
        if _NUMBER.fullmatch(text):
            number = text.removesuffix(".0")
            if number in self.keys:
                return labels[self.keys.index(number)]
            place = int(number) - first
            if not any(key.isdigit() for key in self.keys) and 0 <= place < len(labels):
                return labels[place]
        return None


def of_record(doc: Mapping[str, Any]) -> Choices:
    """The choices of a record; none where it has none."""
    for name in LISTS:
        value = written(doc.get(name))
        texts, labels = map(as_texts, _listed(value))
        if len(texts) > 1 and isinstance(value, dict):
            are_ours = len(labels) == len(texts) and {*labels} <= {*LABELS}
            return Choices(texts, frozenset({name}), labels=labels if are_ours else ())
        if isinstance(value, dict):
            found = _of_keys(value)
            if found.texts:
                return Choices(found.texts, frozenset({name}), found.keys)
        if len(texts) > 1 or (texts and name != "candidates"):
            return Choices(texts, frozenset({name}))
    families: dict[tuple[str, bool], dict[str, str]] = {}
    for name in doc:
        field = _FIELD.fullmatch(name)
        if field is None or (field["stem"] is None and (field["number"] or name.islower())):
            continue
        if field["letter"] and field["stem"] in ("a", "a_"):
            continue
        key = field["letter"] or field["number"]
        families.setdefault((field["stem"] or "", field["letter"] is not None), {})[key] = name
    for names in families.values():
        found = _of_keys({key: doc[name] for key, name in names.items()})
        if found.texts:
            used = frozenset(names.values())
            keys = () if found.keys[0].upper() == "A" else found.keys
            return Choices(found.texts, used, keys)
    return Choices()


def first_number(docs: Iterable[tuple[Choices, object]]) -> int:
    """The number that the answers of a dataset have for the first choice of a list.

    It is 1 where some answer is the number of choices and none is 0.
    """
    numbers = [
        (int(str(given)), len(choices.texts))
        for choices, given in docs
        if choices.is_listed
        and not choices.keys
        and not isinstance(given, bool)
        and isinstance(given, str | int)
        and str(given).isascii()
        and str(given).isdigit()
        and str(given) not in choices.texts
    ]
    are_from_one = any(one == n for one, n in numbers) and all(1 <= one <= n for one, n in numbers)
    return 1 if are_from_one else 0


def written(value: object) -> object:
    """A list or dict that a text is as Python writes it; else the value itself."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        try:
            return ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return value
    return value


def as_texts(value: object) -> tuple[str, ...]:
    """The texts of a list that can be one of choices; none of anything else."""
    if not isinstance(value, list) or len(value) > len(LABELS):
        return ()
    return tuple(str(one) for one in value)


def _of_keys(value: Mapping[object, object]) -> Choices:
    """Choices by keys that count from A, a, 0 or 1; what is empty at the end is no choice."""
    keys = sorted((str(key) for key in value), key=lambda key: (len(key), key))
    by_key = {str(key): one for key, one in value.items()}
    while keys and (by_key[keys[-1]] is None or str(by_key[keys[-1]]) in ("", "nan")):
        keys.pop()
    counts = (LABELS, LABELS.lower(), *([str(n) for n in range(one, one + 26)] for one in (0, 1)))
    if len(keys) < 2 or not any(keys == list(count)[: len(keys)] for count in counts):
        return Choices()
    if not all(isinstance(by_key[key], str | int | float) for key in keys):
        return Choices()
    return Choices(tuple(str(by_key[key]) for key in keys), keys=tuple(keys))

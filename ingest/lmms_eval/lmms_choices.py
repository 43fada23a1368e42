"""The choices in a record of one of lmms-eval's datasets, however they are called.

options, choices, candidates        a list of texts, or one as Python or JSON writes it; or texts by
                                    their keys: {"A": …}, {"1": …}
option_a, choice_a, A …             a field for each
option1, choice_1, a0, a1 …         the same with numbers, which say what a number as the answer means
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ingest.prompts import LABELS

LISTS = ("options", "choices", "candidates")
_FIELD = re.compile(
    r"(?P<stem>(?:option|choice|candidate|answer|opt)s?_?|a_?)?"
    r"(?:(?P<letter>[A-Za-z])|(?P<number>[0-9]{1,2}))"
)
_NUMBER = re.compile(r"[0-9]{1,2}(\.0)?")


@dataclass(frozen=True)
class Choices:
    """Choices, in their order.

    Attributes:
        texts: of the labels A, B, …; none: the record has no choices.
        names: the fields of the record that they are in.
        keys: what the record calls each; none: they stand in a list.
    """

    texts: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()

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
        if isinstance(value, dict):
            found = _of_keys(value)
            if found.texts:
                return Choices(found.texts, frozenset({name}), found.keys)
        texts = as_texts(value)
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

"""What harnesses write of single answers: a number, or an object with the score and what was read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SCORES = ("score", "hit", "correct", "is_correct", "true_false")
_READ = ("parsed_pred", "extraction", "pred")
_SAID = ("prediction", "pred_answer")
"""What holds the whole answer as often as what was read in it."""
_RIGHT = ("answer", "ground_truth")
_TRUTHS = {"True": 1.0, "False": 0.0}


@dataclass(frozen=True)
class Metric:
    """What a harness made of an answer under a name.

    Attributes:
        value: as it is written; None: it is null there.
        score: the number that it stands for; None: none.
        answer: what was read in the answer; None: the harness does not say.
    """

    value: str | None
    score: float | None
    answer: str | None = None


def read(value: object, *, said: str | None = None) -> Metric | None:
    """What a metric's entry says of an answer; None: nothing.

    Of an object it is the score that is kept and what was read: the rest is of the question.

    Args:
        value: the entry, as JSON gives it.
        said: what the model said.
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        return Metric(written(value), number(value))
    name = next((one for one in _SCORES if number(value.get(one)) is not None), None)
    answer = _read(value, said)
    if name is not None:
        return Metric(written(value[name]), number(value[name]), answer)
    return Metric(answer, _is_right(value), answer) if answer is not None else None


def written(value: object) -> str:
    """An entry as text: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def number(value: object) -> float | None:
    """The number that an entry is; None: it is none."""
    if isinstance(value, str):
        # As harnesses write what JSON has no word for, such as NumPy's True.
        value = _TRUTHS.get(value, value)
    if not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (OverflowError, ValueError):
        return None
    return found if math.isfinite(found) else None


def _is_right(entry: Mapping[str, Any]) -> float | None:
    """Whether what was read is the right choice, which the harness looks at only when it counts.

    What open questions are compared by is not in the entry.
    """
    found = next((_one(entry[name]) for name in _READ if name in entry), None)
    right = next((entry[name] for name in _RIGHT if name in entry), None)
    if entry.get("question_type") == "open" or not isinstance(found, str):
        return None
    return float(found == right) if isinstance(right, str) else None


def _read(entry: Mapping[str, Any], said: str | None) -> str | None:
    for name in (*_READ, *_SAID):
        found = _one(entry.get(name))
        if found is None or found in ("", []):
            continue
        text = written(found)
        if name in _READ or said is None or text.strip().lower() != said.strip().lower():
            return text
    return None


def _one(found: object) -> object:
    """The only one of a list, as where each question was put once."""
    return found[0] if isinstance(found, list) and len(found) == 1 else found

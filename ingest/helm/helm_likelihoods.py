"""HELM's requests for the likelihood of each choice by itself (multiple_choice_separate_*).

A state is a request: `reference_index` says of which choice, and `request_mode` whether its question
precedes it (original) or no question does (calibration). The prompt ends in the choice, and the
completion repeats it, token by token with its log-probability. As in HELM the score of a choice is
over the last tokens, those of a blank and the choice: their mean, or where the method is calibrated
the sum less the sum without the question.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warehouse.errors import InputError

ORIGINAL, CALIBRATION = "original", "calibration"
MEAN, CALIBRATED = "multiple_choice_separate_original", "multiple_choice_separate_calibrated"
METHODS = (MEAN, CALIBRATED)
REDUCTION = {MEAN: "mean", CALIBRATED: None}
"""By method, what a score is over the tokens of a choice; None: neither their sum nor their mean."""
_MODES = {MEAN: (ORIGINAL,), CALIBRATED: (ORIGINAL, CALIBRATION)}
LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Likelihood:
    """The log-likelihood of a choice, summed, and the number of its tokens."""

    total: float
    n_tokens: int


@dataclass
class Instance:
    """The requests of an instance in a trial.

    Attributes:
        row: the first request.
        choices: the texts of its references.
        found: by mode and reference; None: the request failed, or its tokens are not those of
            the choice.
        prompts: those with the question, by reference.
    """

    row: int
    choices: list[str]
    found: dict[tuple[str, int], Likelihood | None] = field(default_factory=dict)
    prompts: dict[int, str] = field(default_factory=dict)

    @property
    def n_choices(self) -> int:
        """How many references it has."""
        return len(self.choices)

    def attributes(self) -> dict[str, str]:
        """How the scores came about, for `answer_attribute`."""
        sums = {mode: self._totals(mode) for mode in (ORIGINAL, CALIBRATION)}
        totals = {"loglik": sums[ORIGINAL], "loglik_without_question": sums[CALIBRATION]}
        kept = {
            name: json.dumps(of) for name, of in totals.items() if any(x is not None for x in of)
        }
        if self.prompts:
            prompts = [self.prompts.get(n) for n in range(self.n_choices)]
            kept["prompt"] = json.dumps(prompts, ensure_ascii=False)
        return kept

    def _totals(self, mode: str) -> list[float | None]:
        every = (self.found.get((mode, n)) for n in range(self.n_choices))
        return [one.total if one else None for one in every]


def add(path: Path, row: int, state: Mapping[str, Any], instance: Instance, method: str) -> None:
    """Take in a request.

    Raises:
        InputError: it is of no choice, of no mode that the method has, or of one that was there; its
            completion is none.
    """
    place, mode = state.get("reference_index"), state.get("request_mode")
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < instance.n_choices:
        raise InputError(path, "is no reference of the instance", row=row, field="reference_index")
    if mode not in _MODES[method]:
        allowed = ", ".join(_MODES[method])
        raise InputError(path, f"{mode!r} is none of {allowed}", row=row, field="request_mode")
    if (mode, place) in instance.found:
        words = f"the request for choice {place} ({mode}) is there already"
        raise InputError(path, words, row=row, field="reference_index")
    instance.found[mode, place] = _likelihood(
        path, row, state.get("result"), instance.choices[place]
    )
    request = state.get("request")
    prompt = request.get("prompt") if isinstance(request, dict) else None
    if mode == ORIGINAL and isinstance(prompt, str):
        instance.prompts[place] = prompt


def scores(path: Path, instance: Instance, method: str) -> Iterator[tuple[str, float, int | None]]:
    """The label, score and number of tokens of each choice that has a score.

    Raises:
        InputError: a choice has no request.
    """
    for place, label in enumerate(LABELS[: instance.n_choices]):
        for mode in _MODES[method]:
            if (mode, place) not in instance.found:
                raise InputError(
                    path,
                    f"its instance has no request for choice {place} ({mode})",
                    row=instance.row,
                    field="reference_index",
                )
        own = instance.found[ORIGINAL, place]
        alone = instance.found.get((CALIBRATION, place))
        if own is None or (method == CALIBRATED and alone is None):
            continue
        if alone is not None:
            yield label, own.total - alone.total, None
        else:
            yield label, own.total / own.n_tokens, own.n_tokens


def _likelihood(path: Path, row: int, result: object, choice: str) -> Likelihood | None:
    completions = result.get("completions") if isinstance(result, dict) else None
    if not isinstance(completions, list):
        raise InputError(path, "is no list", row=row, field="result.completions")
    if isinstance(result, dict) and result.get("success") is False and not completions:
        return None
    if len(completions) != 1 or not isinstance(completions[0], dict):
        raise InputError(path, "is not one completion", row=row, field="result.completions")
    tokens = completions[0].get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(one, dict) for one in tokens):
        raise InputError(path, "is no list of tokens", row=row, field="result.completions.tokens")
    n_tokens = _n_tokens([str(one.get("text") or "") for one in tokens], choice)
    if n_tokens is None:
        return None
    values = [one.get("logprob") for one in tokens[-n_tokens:]]
    total = 0.0
    for value in values:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or value is None or not math.isfinite(value):
            raise InputError(
                path, f"{value!r} is no number", row=row, field="result.completions.tokens.logprob"
            )
        total += value
    return Likelihood(total, n_tokens)


def _n_tokens(texts: Sequence[str], choice: str) -> int | None:
    """How many of the last tokens are a blank and the choice; None: they are not."""
    wanted, joined = choice.strip(), ""
    if not wanted:
        return None
    for n, text in enumerate(reversed(texts), start=1):
        joined = text + joined
        if joined.strip() == wanted:
            # A tokenizer may have the blank by itself.
            is_blank_before = joined[:1].strip() and texts[: len(texts) - n][-1:] == [" "]
            return n + bool(is_blank_before)
        if len(joined.strip()) > len(wanted):
            return None
    return None

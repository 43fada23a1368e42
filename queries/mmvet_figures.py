"""MM-Vet's figures: of the exact fractions, and as its own script's sums of floats come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt

Scores = Mapping[int, Sequence[float]]
"""Each question's scores by judge sample, the questions in the order of their file."""
_FEW = 8
"""From so many numbers on, NumPy adds in this many partial sums."""


@dataclass(frozen=True)
class Figures:
    """What a score file says of some questions, in percent to one decimal.

    Attributes:
        mean: over the judge samples.
        spread: the population standard deviation of their totals.
        runs: the totals.
    """

    mean: float
    spread: float
    runs: tuple[float, ...]


def exact(totals: Sequence[Fraction]) -> Figures:
    """From the totals per judge sample, in percent: exact fractions, ties to even."""
    mean = sum(totals, Fraction()) / len(totals)
    variance = sum(((one - mean) ** 2 for one in totals), Fraction()) / len(totals)
    return Figures(_shown(mean), _root(variance), tuple(map(_shown, totals)))


def exact_totals(scores: Scores, questions: Collection[int], n_samples: int) -> list[Fraction]:
    """The totals per judge sample over some questions, in percent."""
    by_question = [
        [Fraction(repr(one)) for one in scores[key]] for key in scores if key in questions
    ]
    return [
        100 * sum((of_question[place] for of_question in by_question), Fraction()) / len(questions)
        for place in range(n_samples)
    ]


def script(totals: Sequence[float]) -> Figures:
    """The same as MM-Vet's script has it, with NumPy's arithmetic of floats."""
    mean = _numpy_sum(totals) / len(totals)
    spread = sqrt(_numpy_sum([(one - mean) * (one - mean) for one in totals]) / len(totals))
    return Figures(_numpy_round(mean), _numpy_round(spread), tuple(map(_numpy_round, totals)))


def script_totals(scores: Scores, questions: Collection[int], n_samples: int) -> list[float]:
    """Per judge sample, in percent: added up in the order of the questions, divided, times 100.

    In this order, since sums of floats that should be a tie fall to either side of it in others.
    """
    totals = []
    for place in range(n_samples):
        total = 0.0
        for key, of_question in scores.items():
            if key in questions:
                total += of_question[place]
        totals.append(total / len(questions) * 100)
    return totals


def _shown(total: Fraction) -> float:
    # A fraction's round takes ties to even.
    return float(round(total, 1))


def _root(variance: Fraction) -> float:
    """The root to one decimal, ties to even."""
    halves = isqrt(400 * variance.numerator // variance.denominator)
    tenths, is_over = divmod(halves, 2)
    is_tie = halves * halves == 400 * variance
    if is_over and (not is_tie or tenths % 2):
        tenths += 1
    return tenths / 10


def _numpy_round(value: float) -> float:
    return round(value * 10) / 10


def _numpy_sum(values: Sequence[float]) -> float:
    """One after the other; from eight on, eight sums side by side (up to 128 numbers)."""
    whole = len(values) // _FEW * _FEW
    total = 0.0
    if whole:
        sums = list(values[:_FEW])
        for place in range(_FEW, whole):
            sums[place % _FEW] += values[place]
        a, b, c, d, e, f, g, h = sums
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for value in values[whole:]:
        total += value
    return total

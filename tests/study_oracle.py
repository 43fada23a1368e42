"""The statistics of the studies in plain Python, from the papers' formulas, written apart from the SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pvariance, variance

Z = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A score with its standard error."""

    value: float
    variance: float

    @property
    def ends(self) -> tuple[float, float]:
        """The 95 % interval of the normal distribution."""
        half = Z * sqrt(self.variance)
        return self.value - half, self.value + half


def tuned(y: Sequence[float], f: Sequence[float], other: Sequence[float]) -> float:
    """PPI++'s weight of the predictions for a mean (arXiv 2311.01453, Section 6), cut to 0 … 1."""
    if not other or len({*f, *other}) == 1:
        return 0.0
    covariance = fmean(a * b for a, b in zip(y, f, strict=True)) - fmean(y) * fmean(f)
    found = covariance / ((1 + len(y) / len(other)) * variance([*f, *other]))
    return min(1.0, max(0.0, found))


def ppi(
    y: Sequence[float], f: Sequence[float], other: Sequence[float], *, unbiased: bool = False
) -> Estimate:
    """The prediction-powered mean: labels and predictions of the same, and predictions of the others."""
    weight = tuned(y, f, other)
    rest = [a - weight * b for a, b in zip(y, f, strict=True)]
    spread = variance(rest) if unbiased else pvariance(rest)
    error = spread / len(rest)
    if other:
        error += weight**2 * pvariance(other) / len(other)
    return Estimate((weight * fmean(other) if other else 0.0) + fmean(rest), error)


def stratified(parts: Sequence[tuple[int, Estimate]]) -> Estimate:
    """Strata by their questions; how many questions are in each varies as questions do."""
    n = sum(size for size, _ in parts)
    value = sum(size / n * one.value for size, one in parts)
    within = sum((size / n) ** 2 * one.variance for size, one in parts)
    between = sum(size / n * (one.value - value) ** 2 for size, one in parts) / n
    return Estimate(value, within + between)


def rogan_gladen(
    p: float, n: int, specificity: float, n_wrong: float, sensitivity: float, n_right: float
) -> tuple[float, float, float]:
    """The estimate and its adjusted interval (arXiv 2511.21140; Lang and Reiczigel 2014)."""
    value = min(1.0, max(0.0, (p + specificity - 1) / (specificity + sensitivity - 1)))
    p = (n * p + Z**2 / 2) / (n + Z**2)
    q0 = (n_wrong * specificity + 1) / (n_wrong + 2)
    q1 = (n_right * sensitivity + 1) / (n_right + 2)
    v0, v1 = q0 * (1 - q0) / (n_wrong + 2), q1 * (1 - q1) / (n_right + 2)
    theta = (p + q0 - 1) / (q0 + q1 - 1)
    shift = 2 * Z**2 * (theta * v1 - (1 - theta) * v0)
    error = sqrt(p * (1 - p) / (n + Z**2) + (1 - theta) ** 2 * v0 + theta**2 * v1) / (q0 + q1 - 1)
    return value, max(0.0, theta + shift - Z * error), min(1.0, theta + shift + Z * error)


@dataclass(frozen=True)
class OwnLabels:
    """A run whose own answers are labelled: by stratum how many there are, and person and judge of the labelled.

    Attributes:
        strata: how many questions, and of the labelled ones (the person's score, the judge's).
        p: the judge's mean over all questions of the run.
    """

    strata: Sequence[tuple[int, Sequence[tuple[float, float]]]]
    p: float

    def rogan_gladen(
        self,
        p: float,
        n: int,
        specificity: float,
        n_wrong: float,
        sensitivity: float,
        n_right: float,
    ) -> tuple[float, float, float]:
        """The estimate of n of its questions, and its interval by what each question adds to it.

        Args:
            p: the judge's mean over those.
            n_wrong, n_right: labels that specificity and sensitivity are over.
        """
        value = min(1.0, max(0.0, (p + specificity - 1) / (specificity + sensitivity - 1)))
        q0 = (n_wrong * specificity + 1) / (n_wrong + 2)
        q1 = (n_right * sensitivity + 1) / (n_right + 2)
        n_run = sum(size for size, _ in self.strata)

        def right(p: float, n: int) -> float:
            adjusted = (n * p + Z**2 / 2) / (n + Z**2)
            return min(1 - 0.5 / n, max(0.5 / n, (adjusted + q0 - 1) / (q0 + q1 - 1)))

        theta, run_theta = right(p, n), right(self.p, n_run)
        k0 = (1 - theta) / (n_run * (1 - run_theta))
        k1 = theta / (n_run * run_theta)

        def label(y: float, f: float) -> float:
            return k0 * (1 - y) * (1 - f - q0) - k1 * y * (f - q1)

        chosen = sum(
            size * (size - len(known)) / len(known) * variance([label(*one) for one in known])
            for size, known in self.strata
        )
        wrong, others_wrong = n * (1 - theta), n_run * (1 - run_theta) - n * (1 - theta)
        rights, others_right = n * theta, n_run * run_theta - n * theta
        asked = (
            q0 * (1 - q0) * (wrong * (1 / n - k0) ** 2 + max(0.0, others_wrong) * k0**2)
            + q1 * (1 - q1) * (rights * (1 / n - k1) ** 2 + max(0.0, others_right) * k1**2)
        )  # fmt: skip
        error = sqrt(theta * (1 - theta) / n + (asked + chosen) / (q0 + q1 - 1) ** 2)
        return value, max(0.0, value - Z * error), min(1.0, value + Z * error)

"""Scores of every choice of a dataset under a language model that sees text alone.

Answer ranking (SEED-Bench, Section 3.3) for the text-only baselines of the two SEED-Bench papers,
and a screening for questions that can be answered without their image.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from local_models.language_model import Encoded, LanguageModel
from local_models.prompts import continuation, has_pictures, prompt
from local_models.questions import ANSWER, TEXT, Question

SUM, MEAN = "sum", "mean"
REDUCTIONS = (SUM, MEAN)


@dataclass(frozen=True)
class ChoiceScore:
    """The score of a choice. `n_tokens` is the number of tokens that the score is of."""

    question_key: str
    step: int
    component: str
    label: str
    score: float
    n_tokens: int


@dataclass(frozen=True)
class Outcome:
    """What was scored, and what was not.

    Attributes:
        scores: one row per choice, in the order of questions and choices.
        skipped: questions' passes that were not scored, by reason.
        n_blank: choices of scored questions that have no token, and so no score.
        n_tied: passes with several best choices.
    """

    scores: tuple[ChoiceScore, ...]
    skipped: dict[str, int] = field(default_factory=dict)
    n_blank: int = 0
    n_tied: int = 0


def score_choices(
    questions: Sequence[Question],
    model: LanguageModel,
    *,
    scored: str,
    reduction: str,
    batch_size: int,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """The log-likelihood of every choice.

    Args:
        scored: content (the choice's text after the question) or letter (its letter after question
            and choices).
        reduction: sum, or mean over the choice's tokens.
        batch_size: how many inputs are computed together; it does not change the scores.
        on_progress: callback, called with how many inputs are done, of how many.

    Raises:
        EvalhouseError: the model cannot compute them.
    """
    skipped: Counter[str] = Counter()
    n_blank = 0
    known: list[tuple[Question, str]] = []
    encoded: list[Encoded] = []
    for question in questions:
        reason = _unusable(question)
        if reason is None:
            texts = [continuation(label, text, scored) for label, text in question.choices]
            found = model.encode(prompt(question, scored), texts)
            if any(model.is_too_long(one) for one in found):
                reason = f"longer than the model's {model.longest:,} tokens"
        if reason is not None:
            skipped[reason] += 1
            continue
        for (label, _), one in zip(question.choices, found, strict=True):
            if not one.targets:
                n_blank += 1
                continue
            known.append((question, label))
            encoded.append(one)
    sums = model.score(encoded, batch_size=batch_size, on_progress=on_progress)
    scores = tuple(
        ChoiceScore(
            question_key=question.key,
            step=question.step,
            component=TEXT if TEXT in question.components else ANSWER,
            label=label,
            score=total / len(one.targets) if reduction == MEAN else total,
            n_tokens=len(one.targets),
        )
        for (question, label), one, total in zip(known, encoded, sums, strict=True)
    )
    return Outcome(scores, dict(skipped), n_blank, _tied(scores))


def _unusable(question: Question) -> str | None:
    """Why a question cannot be put as a text; None if it can."""
    if not question.text:
        return "without a text"
    if not question.components & {ANSWER, TEXT}:
        return "whose answer is no text"
    if not any(text.strip() for _, text in question.choices):
        return "whose choices are blank"
    if has_pictures(question):
        return "whose choices are images"
    return None


def _tied(scores: Sequence[ChoiceScore]) -> int:
    n = 0
    for _, group in groupby(scores, key=lambda one: (one.question_key, one.step)):
        values = [one.score for one in group]
        n += values.count(max(values)) > 1
    return n

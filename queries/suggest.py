"""A small subset of questions that ranks models as all of them do, and how far to trust it.

Chosen on half of the models and tried on the other half, with random subsets of the same size next to it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from itertools import combinations
from math import sqrt
from statistics import fmean

import duckdb

from queries import studies
from queries.choosing import choose_benchmark, choose_strategy, judges_of_datasets
from queries.install import LATEST
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
Scores = Mapping[str, Mapping[int, float]]
"""By model and question."""

_RANDOM = 200
"""Random subsets that the suggested one is compared with."""


@dataclass(frozen=True)
class Agreement:
    """How far a subset's means go with those over all questions: Kendall's tau-b, and their mean distance."""

    tau_b: float | None
    error: float


@dataclass(frozen=True)
class Suggestion:
    """A subset, and what it and random ones do for models that it was not chosen on.

    Attributes:
        question_ids: the subset, in order.
        chosen_on: the models that it was chosen on; `tried_on` are the others.
        at_random: means over random subsets of the same size, for the others.
    """

    dataset: str
    dataset_id: int
    judge: str
    n_questions: int
    question_ids: tuple[int, ...]
    chosen_on: tuple[str, ...]
    tried_on: tuple[str, ...]
    suggested: Agreement
    at_random: Agreement
    n_random: int = _RANDOM


def suggest(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    n: int,
    *,
    dataset: str | None = None,
    judge: str | None = None,
    seed: int = 0,
    release: str = LATEST,
) -> Suggestion:
    """A subset of n questions of a dataset.

    Args:
        dataset: by default the benchmark's only one with models.
        seed: of the random subsets, and of which half of the models is which.

    Raises:
        UsageError: no such benchmark, dataset or judge, too few models, or no more than n questions.
    """
    (source,) = studies.sources(con, ["model_answer"], release).values()
    name, strategy, _, task, benchmark_id = choose_benchmark(con, benchmark)
    judges = judges_of_datasets(
        con, judge, benchmark_id, task, choose_strategy(strategy, task, name)
    )
    rows = con.execute(
        _SQL["scores"].format(source=source),
        {"benchmark_id": benchmark_id, "datasets": list(judges), "judges": list(judges.values())},
    ).fetchall()
    names = sorted({row[0] for row in rows if dataset in (None, row[0])})
    there = ", ".join(sorted({row[0] for row in rows})) or "none"
    if dataset is not None and not names:
        raise UsageError(
            f"no dataset {dataset!r} of {name} has scores under {judges.get(dataset, judge)}; there are {there}"
        )
    if len(names) != 1:
        raise UsageError(
            f"say which dataset of {name} with --dataset; those with scores are {there}"
        )
    scores: dict[str, dict[int, float]] = {}
    dataset_id = 0
    for its_dataset, dataset_id_, model, question_id, score in rows:
        if its_dataset == names[0]:
            dataset_id = dataset_id_
            scores.setdefault(model, {})[question_id] = score
    if len(scores) < 4:
        raise UsageError(
            f"{names[0]} has scores of {counted(len(scores), 'model')}; a subset takes 4 at least, two to try it on"
        )
    common = sorted(set.intersection(*(set(of) for of in scores.values())))
    if n >= len(common):
        raise UsageError(
            f"{names[0]} has {counted(len(common), 'question')} that all models have a score of; --n is less"
        )
    order = sorted(scores, key=lambda model: md5(f"{seed},{model}".encode()).hexdigest())
    first, second = order[::2], order[1::2]
    chosen = choose({model: scores[model] for model in first}, common, n, seed)
    others = {model: scores[model] for model in second}
    drawn = random.Random(seed)
    tries = [agreement(others, common, drawn.sample(common, n)) for _ in range(_RANDOM)]
    taus = [one.tau_b for one in tries if one.tau_b is not None]
    return Suggestion(
        dataset=names[0],
        dataset_id=dataset_id,
        judge=judges[names[0]],
        n_questions=len(common),
        question_ids=tuple(chosen),
        chosen_on=tuple(sorted(first)),
        tried_on=tuple(sorted(second)),
        suggested=agreement(others, common, chosen),
        at_random=Agreement(fmean(taus) if taus else None, fmean(one.error for one in tries)),
    )


def choose(scores: Scores, questions: Sequence[int], n: int, seed: int = 0) -> list[int]:
    """The questions of a subset: of n parts of the same size, by difficulty, one each, so that the mean stays;
    drawn by a hash from those of the part that go better with the rest (the correlation of item_statistics),
    so that the models come apart.

    The best one of each part would be chosen for chance agreement with these models, and be off for others.
    """
    totals = {model: sum(of[q] for q in questions) for model, of in scores.items()}
    hard = {q: fmean(of[q] for of in scores.values()) for q in questions}
    by_chance = {q: md5(f"{seed},{q}".encode()).hexdigest() for q in questions}
    ordered = sorted(questions, key=lambda q: (hard[q], by_chance[q]))
    found = []
    for part in range(n):
        of_part = ordered[part * len(ordered) // n : (part + 1) * len(ordered) // n]
        of_part.sort(key=lambda q: (-_with_rest(scores, totals, q), by_chance[q]))
        better = of_part[: max(1, len(of_part) // 2)]
        found.append(min(better, key=by_chance.__getitem__))
    return sorted(found)


def agreement(scores: Scores, questions: Sequence[int], subset: Sequence[int]) -> Agreement:
    """How far the means over a subset go with those over all questions."""
    whole = [fmean(of[q] for q in questions) for of in scores.values()]
    part = [fmean(of[q] for q in subset) for of in scores.values()]
    error = fmean(abs(a - b) for a, b in zip(whole, part, strict=True))
    return Agreement(tau_b(whole, part), error)


def tau_b(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b (Biometrika 33, 1945); None where one of the two is the same for all."""
    agreed = apart_one = apart_other = 0
    for i, j in combinations(range(len(one)), 2):
        x, y = _sign(one[i] - one[j]), _sign(other[i] - other[j])
        agreed += x * y
        apart_one += x * x
        apart_other += y * y
    return agreed / sqrt(apart_one * apart_other) if apart_one and apart_other else None


def _sign(difference: float) -> int:
    return 0 if abs(difference) < 1e-12 else 1 if difference > 0 else -1


def _with_rest(scores: Scores, totals: Mapping[str, float], question: int) -> float:
    """Pearson's correlation of a question with the rest of the total; 0 where there is none."""
    x = [of[question] for of in scores.values()]
    y = [totals[model] - of[question] for model, of in scores.items()]
    mean_x, mean_y = fmean(x), fmean(y)
    spread = sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    together = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return together / spread if spread > 1e-12 else 0.0

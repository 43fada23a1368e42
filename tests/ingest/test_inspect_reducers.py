"""What Inspect makes of several samples of a question: ours by the same reducers, against plain Python."""

from __future__ import annotations

import math
import random
import shutil
import statistics
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.houses import QuickHouse
from tests.inspect_logs import CHOICES, figures, head, load, sample, scored
from tests.inspect_readings import load_reduced_and_grouped

_RANDOM = random.Random(17)
_N = 5


def _pass_at(scores: list[float], k: int) -> float:
    n, right = len(scores), scores.count(1.0)
    return 1 - math.comb(n - right, k) / math.comb(n, k)


def _pass_k(scores: list[float], k: int) -> float:
    return math.comb(scores.count(1.0), k) / math.comb(len(scores), k)


_REDUCERS: dict[str, Callable[[list[float]], float]] = {
    "mean": statistics.mean,
    "median": statistics.median,
    "mode": lambda scores: Counter(scores).most_common(1)[0][0],
    "max": max,
    **{f"at_least_{k}": lambda scores, k=k: float(scores.count(1.0) >= k) for k in (1, 3)},  # type: ignore[misc]
    **{f"pass_at_{k}": lambda scores, k=k: _pass_at(scores, k) for k in (1, 2, 4, 5)},  # type: ignore[misc]
    **{f"pass_k_{k}": lambda scores, k=k: _pass_k(scores, k) for k in (1, 2, 4)},  # type: ignore[misc]
}


@pytest.fixture(scope="module")
def reduced(
    new_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, dict[str, float]]:
    """A log whose figures plain Python made; the last reducer is one that nobody knows."""
    path = tmp_path_factory.mktemp("reduced") / "warehouse.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    said = {f"q{n}": [_RANDOM.choice("AAB") for _ in range(_N)] for n in range(12)}
    # As often right as wrong, with what came first wrong and right.
    said |= {"q12": list("BABAC"), "q13": list("ABABC"), "q14": ["A"] * _N, "q15": ["B"] * _N}  # fmt: skip
    samples = [
        sample(
            key,
            letter,
            epoch=n + 1,
            choices=CHOICES,
            target="A",
            scores={"choice": scored("C" if letter == "A" else "I", letter)},
        )
        for key, letters in said.items()
        for n, letter in enumerate(letters)
    ]
    scores = [[float(letter == "A") for letter in letters] for letters in said.values()]
    stated = {name: statistics.mean(map(reduce, scores)) for name, reduce in _REDUCERS.items()}
    results = figures(
        *(("choice", name, {"accuracy": value}) for name, value in stated.items()),
        ("choice", "own_reducer", {"accuracy": 0.5}),
    )
    load(house, "epochs.eval", samples, head("epochs", config={"epochs": _N}, log_results=results))
    return house, stated


@pytest.mark.slow
def test_figures_of_every_reducer_are_ours(reduced: tuple[Warehouse, dict[str, float]]) -> None:
    house, stated = reduced
    rows = house.sql(
        "SELECT reducer, published, ours, is_same, reason_kind, reason FROM harness_difference"
    ).rows()
    ours = {row[0]: row[2] for row in rows}
    assert ours.pop("own_reducer") is None
    assert ours == pytest.approx(stated, abs=1e-9)
    assert {row[0]: row[3:] for row in rows if not row[3]} == {
        "own_reducer": (False, "other_reducer", "the reducer own_reducer is not computed here")
    }
    # They are not all the same number.
    assert len({round(value, 6) for value in stated.values()}) > 6


@pytest.mark.slow
def test_figures_of_groups_are_means_over_their_questions(house: Warehouse) -> None:
    """x is an ability, and u the value of an attribute; x2 is a second figure of x."""
    load_reduced_and_grouped(house)
    rows = house.sql(
        "SELECT metric, ours, n_scored FROM harness_difference WHERE starts_with(metric, 'grouped|') "
        "ORDER BY metric"
    ).rows()
    said = {(n, epoch): float((n + epoch) % 3 > 0) for n in range(6) for epoch in (1, 2, 3)}
    mean = {
        name: statistics.mean(score for (n, _), score in said.items() if is_in(n))
        for name, is_in in {"all": lambda n: True, "u": lambda n: n % 3 == 0, "x": lambda n: n % 2 == 0}.items()
    }  # fmt: skip
    assert [(name, pytest.approx(ours), n) for name, ours, n in rows] == [
        ("grouped|all", mean["all"], 18),
        ("grouped|u", mean["u"], 6),
        ("grouped|x", mean["x"], 9),
        ("grouped|x2", mean["x"], 9),
    ]

"""Labels that are all alike, or all as the judge says, show no spread: their intervals have a width all the same."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from evalhouse import Warehouse
from tests import study_oracle
from tests.commands import run
from tests.queries.test_studies_long import _FACTS, _labelled, _over
from tests.study_oracle import Z
from tests.tables import write_jsonl

pytestmark = pytest.mark.slow

_TWO = {
    "question_level": "SELECT DISTINCT question_id, 0 AS ability_id FROM given UNION ALL "
    "SELECT DISTINCT question_id, 1 + question_id % 2 FROM given",
    "ability_tree": "SELECT 1 AS benchmark_id, n AS ability_id, 'l' AS level, 'a' || n AS ability, "
    "'a' AS abbreviation, n AS ordinal, NULL AS parent_id FROM range(3) AS r(n)",
    "ability_base": "SELECT 1 AS benchmark_id, 0 AS ability_id, b AS base_id FROM range(1, 3) AS r(b)",
}


def otherwise(n: int) -> float:
    """What may be otherwise at most, by n labels that are all alike."""
    low, high = proportion_confint(0, n, alpha=0.05, method="beta")
    assert low == 0
    exact = binomtest(n, n).proportion_ci(0.95, "exact")
    assert (1 - exact.low, exact.high) == (pytest.approx(high, abs=1e-12), 1.0)
    return float(high)


def scores(
    judge: list[float], person: list[float], stratum: list[int], known: list[bool], **facts: str
) -> pl.DataFrame:
    """The study over one run."""
    given = [np.array([one]) for one in (judge, person, stratum, known)]
    return _over({"labelled_question": _labelled(*given)}, _FACTS | facts, "corrected_score")


def ppi(frame: pl.DataFrame, **where: Any) -> dict[str, Any]:
    (row,) = frame.filter(**{"correction": "ppi", "average": "micro", "ability_id": 0} | where).to_dicts()  # fmt: skip
    return row


@pytest.mark.parametrize("n_labelled", [10, 20, 57, 200])
@pytest.mark.parametrize("all_of", [1.0, 0.0, 0.5])
def test_labels_all_alike(n_labelled: int, all_of: float) -> None:
    """Of 200 questions, whatever the judge says of the rest; the ends are those of other libraries."""
    drawn = np.random.default_rng(n_labelled)
    judge = [float(one) for one in drawn.random(200) < 0.8]
    row = ppi(scores(judge, [all_of] * 200, [0] * 200, [n < n_labelled for n in range(200)]))
    most = otherwise(n_labelled)
    assert row["estimate"] == pytest.approx(all_of, abs=1e-12)
    assert row["low"] == pytest.approx(all_of - all_of * most, abs=1e-9)
    assert row["high"] == pytest.approx(all_of + (1 - all_of) * most, abs=1e-9)
    assert (row["interval_kind"], row["stderr"]) == ("exact", None)


def test_twenty_of_twenty() -> None:
    row = ppi(scores([1.0] * 20, [1.0] * 20, [0] * 20, [True] * 20))
    assert (round(100 * row["low"], 2), row["high"]) == (83.16, 1.0)
    row = ppi(scores([1.0] * 20, [0.0] * 20, [0] * 20, [True] * 20))
    assert (row["low"], round(100 * row["high"], 2)) == (0.0, 16.84)


@pytest.mark.parametrize("n_wrong", [1, 7])
def test_labels_that_differ_are_as_before(n_wrong: int) -> None:
    judge = [float(n % 5 > 0) for n in range(100)]
    person = [float(n >= n_wrong) for n in range(100)]
    known = [n < 30 for n in range(100)]
    row = ppi(scores(judge, person, [0] * 100, known))
    found = study_oracle.ppi(person[:30], judge[:30], judge[30:])
    assert row["interval_kind"] == "normal"
    assert (row["low"], row["high"]) == pytest.approx(found.ends, abs=1e-9)
    assert row["stderr"] == pytest.approx(sqrt(found.variance), abs=1e-9)


@pytest.mark.parametrize("soft", [False, True])
def test_a_judge_that_every_label_agrees_with(soft: bool) -> None:
    """It may be wrong elsewhere: as often as so many labels without a mistake allow."""
    judge = [(n % 7) / 6 if soft else float(n % 4 > 0) for n in range(300)]
    known = [n < 40 for n in range(300)]
    row = ppi(scores(judge, judge, [0] * 300, known))
    found = study_oracle.ppi(judge[:40], judge[:40], judge[40:])
    most = otherwise(40)
    below, above = min(most, found.value), min(most, 1 - found.value)
    assert row["estimate"] == pytest.approx(found.value, abs=1e-12)
    assert row["low"] == pytest.approx(
        found.value - sqrt(Z**2 * found.variance + below**2), abs=1e-9
    )
    high = min(1.0, found.value + sqrt(Z**2 * found.variance + above**2))
    assert row["high"] == pytest.approx(high, abs=1e-9)
    assert (row["interval_kind"], row["stderr"]) == ("partly exact", None)
    # Where all is labelled there is nothing else that the judge decides.
    whole = ppi(scores(judge, judge, [0] * 300, [True] * 300))
    assert whole["interval_kind"] == "normal"
    assert whole["stderr"] > 0


def test_each_stratum_has_its_own_bound() -> None:
    """Strata by verdict: 15 labels of right answers are right, 10 of wrong ones wrong; a third differs."""
    judge = [1.0] * 120 + [0.0] * 60 + [1.0] * 20
    person = [1.0] * 120 + [0.0] * 60 + [1.0, 0.0] * 10
    stratum = [1] * 120 + [0] * 60 + [2] * 20
    known = [n < 15 or 120 <= n < 130 or n >= 190 for n in range(200)]
    row = ppi(scores(judge, person, stratum, known))
    shares, values = (0.6, 0.3, 0.1), (1.0, 0.0, 0.5)
    estimate = sum(a * b for a, b in zip(shares, values, strict=True))
    # Of the third: half of ten, over n - 1.
    normal = 0.1**2 * 0.25 / 9
    normal += sum(a * (b - estimate) ** 2 for a, b in zip(shares, values, strict=True)) / 200
    assert row["estimate"] == pytest.approx(estimate, abs=1e-12)
    for end, sign, gap in (("low", -1, 0.6 * otherwise(15)), ("high", 1, 0.3 * otherwise(10))):
        assert row[end] == pytest.approx(estimate + sign * sqrt(Z**2 * normal + gap**2), abs=1e-9)
    assert row["interval_kind"] == "partly exact"


def test_beside_what_rules_read() -> None:
    judge = [1.0, 0.0] * 50 + [1.0] * 100
    person = [1.0] * 200
    stratum = [-1] * 100 + [0] * 100
    row = ppi(scores(judge, person, stratum, [100 <= n < 130 for n in range(200)]))
    normal = 0.25 * 0.25 / 100 + (0.5 * 0.25**2 * 2) / 200
    assert row["estimate"] == pytest.approx(0.75)
    assert row["high"] == pytest.approx(0.75 + Z * sqrt(normal), abs=1e-9)
    low = 0.75 - sqrt(Z**2 * normal + (0.5 * otherwise(30)) ** 2)
    assert row["low"] == pytest.approx(low, abs=1e-9)
    assert row["interval_kind"] == "partly exact"


def test_rules_that_have_all_of_an_ability_right() -> None:
    """No judge decides anything of it: neither correction has a label, and both have a width."""
    judge = [1.0 if n % 2 else float(n % 3 > 0) for n in range(100)]
    stratum = [-1 if n % 2 else 0 for n in range(100)]
    frame = scores(judge, judge, stratum, [n % 4 < 2 for n in range(100)], **_TWO)
    for correction in ("ppi", "rg"):
        row = ppi(frame, ability_id=2, correction=correction)
        assert (row["n_judged"], row["estimate"], row["high"]) == (0, 1.0, 1.0)
        assert row["low"] == pytest.approx(1 - otherwise(50), abs=1e-9)
        assert (row["interval_kind"], row["stderr"]) == ("exact", None)


def test_a_macro_average_of_an_exact_one() -> None:
    judge = [1.0 if n % 2 else float(n % 3 > 0) for n in range(120)]
    person = [1.0 if n % 2 else float(n % 5 > 0) for n in range(120)]
    frame = scores(judge, person, [0] * 120, [n < 60 for n in range(120)], **_TWO)
    first, second = (ppi(frame, ability_id=one) for one in (1, 2))
    assert (first["interval_kind"], second["interval_kind"]) == ("normal", "exact")
    whole = ppi(frame, average="macro")
    assert whole["estimate"] == pytest.approx((first["estimate"] + second["estimate"]) / 2)
    for end in ("low", "high"):
        gaps = [one[end] - one["estimate"] for one in (first, second)]
        half = sqrt(sum(gap**2 for gap in gaps)) / 2
        assert abs(whole[end] - whole["estimate"]) == pytest.approx(half, abs=1e-9)
    assert (whole["interval_kind"], whole["stderr"]) == ("partly exact", None)


def test_two_runs_with_labels_all_alike_differ_by_an_interval() -> None:
    judge = np.array([[1.0] * 60, [float(n % 3 > 0) for n in range(60)]])
    person = np.array([[1.0] * 60, [float(n % 4 > 0) for n in range(60)]])
    known = np.tile(np.arange(60) < 30, (2, 1))
    given = {"labelled_question": _labelled(judge, person, np.zeros((2, 60), dtype=int), known)}
    of = _over(given, _FACTS, "corrected_score")
    one, other = (ppi(of, run_id=run_id) for run_id in (0, 1))
    assert (one["interval_kind"], other["interval_kind"]) == ("exact", "normal")
    (row,) = _over(given, _FACTS, "corrected_difference").filter(run_a=0).to_dicts()
    difference = one["estimate"] - other["estimate"]
    below = sqrt((one["estimate"] - one["low"]) ** 2 + (other["high"] - other["estimate"]) ** 2)
    above = sqrt((one["high"] - one["estimate"]) ** 2 + (other["estimate"] - other["low"]) ** 2)
    assert (row["low"], row["high"]) == pytest.approx((difference - below, difference + above))
    assert (row["interval_kind"], row["stderr"], row["stderr_unpaired"]) == ("partly exact", None, None)  # fmt: skip


@pytest.mark.parametrize(("truth", "n_labelled"), [(0.98, 20), (0.97, 40), (0.02, 30)])
def test_they_hold_the_truth(truth: float, n_labelled: int) -> None:
    """A thousand worlds in which most labels are alike; of a width of 0 nearly none would hold it."""
    drawn = np.random.default_rng(7)
    person = (drawn.random((1_000, 200)) < truth).astype(float)
    judge = np.where(drawn.random(person.shape) < 0.9, person, 1 - person)
    known = np.tile(np.arange(200) < n_labelled, (1_000, 1))
    frame = _over(
        {"labelled_question": _labelled(judge, person, np.zeros(person.shape, dtype=int), known)},
        _FACTS,
        "corrected_score",
    ).filter(correction="ppi", average="micro", interval_kind="exact")
    assert frame.height > 200
    holds = frame.select(pl.col("low").le(truth) & pl.col("high").ge(truth)).to_series()
    assert holds.all()
    assert frame.select((pl.col("high") - pl.col("low")).min()).item() > 0.05


def test_the_board_says_which(house: Warehouse, tmp_path: Path) -> None:
    """Twenty of twenty right, of one model; of another the labels differ."""
    keys = [str(n) for n in range(20)]
    questions = [
        {"question_key": key, "question": f"Q {key}", "A": "cat", "B": "dog", "answer": "A"}
        for key in keys
    ]
    said, judged, labelled = [], [], []
    for model in ("sure", "torn"):
        for key in keys:
            of = {"model": model, "question_key": key, "pass": 0}
            said.append(of | {"prediction": f"unclear {model} {key}"})
            judged.append(of | {"judge": "J", "reply": "A" if int(key) % 4 else "B"})
            is_right = model == "sure" or int(key) % 3
            labelled.append(of | {"judge": "ann", "verdict": "A" if is_right else "B"})
    for name, rows in (("q", questions), ("s", said), ("j", judged), ("l", labelled)):
        house.ingest(write_jsonl(tmp_path / f"{name}.jsonl", rows), benchmark="Own")
    words = ("leaderboard", "Own", "--judge", "J", "--by", "ann", "--db", house.path)
    done = run("evalhouse", *words, "--corrected", "ppi", cwd=tmp_path)
    assert done.code == 0, done.err
    (sure,) = (line for line in done.out.splitlines() if "sure" in line)
    (torn,) = (line for line in done.out.splitlines() if "torn" in line)
    assert "100.00 (83.16 … 100.00)" in sure
    assert sure.rstrip().endswith("exact (Clopper-Pearson): Overall")
    assert "exact" not in torn
    assert "Interval" in done.out
    done = run("evalhouse", *words, "--corrected", "rg", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "Interval" not in done.out

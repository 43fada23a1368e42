"""Seeded simulations: how often intervals hold what is true, and what is found of what was planted.

The views of the release run over tables of worlds in their place, a world being a run, so that a thousand of
them are one query.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from statistics import fmean

import duckdb
import numpy as np
import polars as pl
import pytest

from queries import release as releases
from queries import suggest
from queries.plan import plan

pytestmark = pytest.mark.long

WORLDS = 1_000
_FACTS = {
    "current_run": "SELECT DISTINCT run_id, 'B' AS benchmark, 1 AS benchmark_id, 'D' AS dataset, NULL AS version, "
    "NULL AS split, NULL AS language, 'm' || run_id AS model, 'r' AS run, 1 AS dataset_id, TRUE AS is_latest "
    "FROM given",
    "question_level": "SELECT DISTINCT question_id, 0 AS ability_id FROM given",
    "ability_tree": "SELECT 1 AS benchmark_id, 0 AS ability_id, 'overall' AS level, 'Overall' AS ability, "
    "'Overall' AS abbreviation, -1 AS ordinal, NULL AS parent_id",
    "ability_base": "SELECT 1 AS benchmark_id, 0 AS ability_id, 0 AS base_id WHERE FALSE",
}


def _over(
    tables: Mapping[str, pl.DataFrame],
    facts: Mapping[str, str],
    view: str,
    *,
    n_benchmarks: int = 1,
) -> pl.DataFrame:
    """The rows of a study over tables in the place of views; the first of them is `given` in the facts."""
    release = releases.load(releases.default_name())
    with duckdb.connect() as con:
        con.execute(
            "CREATE SCHEMA worlds; CREATE TABLE main.benchmark (benchmark_id INTEGER, name VARCHAR); "
            "CREATE TABLE main.judge (name VARCHAR, kind VARCHAR)"
        )
        named = "'B' || n" if n_benchmarks > 1 else "'B'"
        con.execute(
            f"INSERT INTO main.benchmark SELECT n, {named} FROM range(1, {n_benchmarks} + 1) AS r(n)"
        )
        for name, frame in tables.items():
            con.register("rows", frame.to_arrow())
            schema = "main" if name == "choice" else "worlds"
            con.execute(f"CREATE TABLE {schema}.{name} AS SELECT * FROM rows")
            con.unregister("rows")
        con.execute(f"CREATE VIEW given AS FROM worlds.{next(iter(tables))}")
        for name, sql in facts.items():
            con.execute(f"CREATE TABLE worlds.{name} AS {sql}")
        there = dict.fromkeys((*tables, *facts), "worlds")
        for item in plan(release, "worlds", files=[release.views[view]], there=there):
            kind = "VIEW" if item.file.name == view else "TABLE"
            con.execute(
                item.sql
                if item.file.kind == "macro"
                else f'CREATE {kind} worlds."{item.file.name}" AS {item.sql}'
            )
        return pl.DataFrame(con.sql(f"SELECT * FROM worlds.{view}").to_arrow_table())


def _labelled(
    judge: np.ndarray, person: np.ndarray, stratum: np.ndarray, known: np.ndarray
) -> pl.DataFrame:
    """Worlds by questions, as labelled_question has them; a stratum of -1 is of questions that rules read."""
    n_worlds, n = judge.shape
    judged = stratum >= 0
    chance = np.ones(judge.shape)
    for one in np.unique(stratum[judged]):
        of = stratum == one
        chance = np.where(
            of, ((known & of).sum(axis=1) / np.maximum(of.sum(axis=1), 1))[:, None], chance
        )
    frame = pl.DataFrame(
        {
            "run_id": np.repeat(np.arange(n_worlds, dtype=np.int32), n),
            "question_id": np.tile(np.arange(n, dtype=np.int32), n_worlds),
            "judge_score": judge.ravel(),
            "person_score": np.where(known & judged, person, np.nan).ravel(),
            "stratum": stratum.ravel(),
            "chance": chance.ravel(),
        }
    )
    return frame.with_columns(
        pl.col("person_score").fill_nan(None),
        (pl.col("stratum") >= 0).alias("is_judged"),
        pl.when(pl.col("stratum") >= 0).then(pl.format("s{}", "stratum")).alias("stratum"),
        pl.when(pl.col("stratum") >= 0).then("chance").alias("chance"),
        *(pl.lit(value).alias(name) for name, value in {
            "model": "m", "run": "r", "dataset_id": 1, "benchmark_id": 1, "strategy": "vanilla", "judge": "J",
            "person": "ann", "task": "choice_extraction",
        }.items()),
    )  # fmt: skip


def _draw(drawn: np.random.Generator, stratum: np.ndarray, sizes: Mapping[int, int]) -> np.ndarray:
    """So many of each stratum of each world, by chance."""
    order = drawn.random(stratum.shape)
    known = np.zeros(stratum.shape, dtype=bool)
    for one, n in sizes.items():
        place = np.argsort(np.argsort(np.where(stratum == one, order, 2.0), axis=1), axis=1)
        known |= (stratum == one) & (place < n)
    return known


def _coverage(frame: pl.DataFrame, correction: str, truth: float) -> float:
    of = frame.filter(correction=correction, average="micro")
    assert of.height == WORLDS
    holds = of.select(pl.col("low").le(truth) & pl.col("high").ge(truth)).to_series()
    return holds.mean()  # type: ignore[return-value]


def _uncorrected(judge: np.ndarray, truth: float) -> float:
    half = 1.96 * judge.std(axis=1, ddof=1) / np.sqrt(judge.shape[1])
    return float((np.abs(judge.mean(axis=1) - truth) <= half).mean())


def test_intervals_of_right_and_wrong_hold_the_truth() -> None:
    """600 questions, a judge right on 92 % of right answers and 70 % of wrong ones, 150 labels by chance."""
    drawn = np.random.default_rng(20_311)
    person = (drawn.random((WORLDS, 600)) < 0.55).astype(float)
    judge = np.where(drawn.random(person.shape) < np.where(person == 1, 0.92, 0.30), 1.0, 0.0)
    stratum = np.zeros(person.shape, dtype=int)
    known = _draw(drawn, stratum, {0: 150})
    frame = _over(
        {"labelled_question": _labelled(judge, person, stratum, known)}, _FACTS, "corrected_score"
    )
    found = {method: _coverage(frame, method, 0.55) for method in ("ppi", "rg")}
    print("coverage, by chance:", found, "uncorrected:", _uncorrected(judge, 0.55))
    assert 0.93 <= found["ppi"] <= 0.97
    assert 0.93 <= found["rg"] <= 0.97
    assert _uncorrected(judge, 0.55) < 0.5


def test_intervals_of_rogan_and_gladen_hold_the_truth() -> None:
    """As their paper has it: the labels are of another run's answers, and a thousand benchmarks have two runs each."""
    drawn = np.random.default_rng(20_315)
    frames = []
    for place, (n, n_labelled, share) in enumerate(((200, 200, 0.5), (600, 0, 0.4))):
        person = (drawn.random((WORLDS, n)) < share).astype(float)
        judge = np.where(drawn.random(person.shape) < np.where(person == 1, 0.9, 0.25), 1.0, 0.0)
        stratum = np.zeros(person.shape, dtype=int)
        frame = _labelled(judge, person, stratum, _draw(drawn, stratum, {0: n_labelled}))
        frames.append(frame.with_columns(
            (pl.col("run_id") + 1).cast(pl.Int32).alias("benchmark_id"),
            (pl.col("run_id") + 1).cast(pl.Int32).alias("dataset_id"),
            (pl.col("run_id") * 2 + place).cast(pl.Int32),
        ))  # fmt: skip
    facts = _FACTS | {
        "current_run": _FACTS["current_run"]
        .replace("1 AS benchmark_id", "benchmark_id")
        .replace("'B' AS benchmark", "'B' || benchmark_id AS benchmark"),
        "ability_tree": "SELECT DISTINCT benchmark_id, 0 AS ability_id, 'overall' AS level, 'Overall' AS ability, "
        "'Overall' AS abbreviation, -1 AS ordinal, NULL AS parent_id FROM given",
    }
    frame = _over(
        {"labelled_question": pl.concat(frames)}, facts, "corrected_score", n_benchmarks=WORLDS
    )
    of = frame.filter(pl.col("run_id") % 2 == 1)
    assert of.filter(correction="rg")["calibrated_on"].unique().to_list() == ["benchmark"]
    print(
        "coverage, labels of others:",
        _coverage(of, "rg", 0.4),
        "uncorrected:",
        _uncorrected(judge, 0.4),
    )
    assert 0.93 <= _coverage(of, "rg", 0.4) <= 0.97
    assert _uncorrected(judge, 0.4) < 0.5


def test_intervals_by_strata_hold_the_truth() -> None:
    """A third of the questions is read by rules; the rest is in strata by the judge's verdict, 60 labels each."""
    drawn = np.random.default_rng(20_312)
    is_ruled = drawn.random((WORLDS, 900)) < 1 / 3
    person = np.where(drawn.random(is_ruled.shape) < np.where(is_ruled, 0.8, 0.5), 1.0, 0.0)
    said = np.where(drawn.random(person.shape) < np.where(person == 1, 0.9, 0.35), 1.0, 0.0)
    judge = np.where(is_ruled, person, said)
    truth = 0.8 / 3 + 0.5 * 2 / 3
    stratum = np.where(is_ruled, -1, judge).astype(int)
    known = _draw(drawn, stratum, {0: 60, 1: 60})
    frame = _over(
        {"labelled_question": _labelled(judge, person, stratum, known)}, _FACTS, "corrected_score"
    )
    found = {method: _coverage(frame, method, truth) for method in ("ppi", "rg")}
    print("coverage, by strata:", found, "uncorrected:", _uncorrected(judge, truth))
    assert 0.93 <= found["ppi"] <= 0.97
    assert 0.93 <= found["rg"] <= 0.97
    assert _uncorrected(judge, truth) < 0.5


def test_intervals_of_abilities_hold_the_truth() -> None:
    """Of 600 questions a third is harder; sensitivity and specificity are those of all 150 labels."""
    drawn = np.random.default_rng(20_316)
    person = (drawn.random((WORLDS, 600)) < np.where(np.arange(600) < 200, 0.4, 0.7)).astype(float)
    judge = np.where(drawn.random(person.shape) < np.where(person == 1, 0.92, 0.30), 1.0, 0.0)
    stratum = np.zeros(person.shape, dtype=int)
    known = _draw(drawn, stratum, {0: 150})
    facts = _FACTS | {
        "question_level": "SELECT DISTINCT question_id, 0 AS ability_id FROM given UNION ALL "
        "SELECT DISTINCT question_id, CASE WHEN question_id < 200 THEN 1 ELSE 2 END FROM given",
        "ability_tree": "SELECT 1 AS benchmark_id, n AS ability_id, 'l' AS level, 'a' || n AS ability, "
        "'a' AS abbreviation, n AS ordinal, NULL AS parent_id FROM range(3) AS r(n)",
    }
    frame = _over(
        {"labelled_question": _labelled(judge, person, stratum, known)}, facts, "corrected_score"
    )
    for ability_id, truth in enumerate((0.6, 0.4, 0.7)):
        of = frame.filter(ability_id=ability_id)
        found = {method: _coverage(of, method, truth) for method in ("ppi", "rg")}
        print("coverage, ability", ability_id, found)
        assert 0.93 <= found["rg"] <= 0.97
        # An ability has 50 or 100 labels of its own, which is few for a normal distribution.
        assert 0.92 <= found["ppi"] <= 0.97


def test_intervals_of_soft_scores_hold_the_truth() -> None:
    """Scores from 0 to 1 in tenths; the judge is 0.08 too kind, and 120 of 400 are labelled."""
    drawn = np.random.default_rng(20_313)
    person = np.round(drawn.beta(1.2, 1.0, (WORLDS, 400)), 1)
    truth = float(np.round(np.random.default_rng(1).beta(1.2, 1.0, 4_000_000), 1).mean())
    judge = np.round(np.clip(person + 0.08 + drawn.normal(0, 0.15, person.shape), 0, 1), 1)
    stratum = np.zeros(person.shape, dtype=int)
    known = _draw(drawn, stratum, {0: 120})
    frame = _over(
        {"labelled_question": _labelled(judge, person, stratum, known)}, _FACTS, "corrected_score"
    )
    found = _coverage(frame, "ppi", truth)
    print("coverage, soft:", found, "uncorrected:", _uncorrected(judge, truth))
    assert 0.93 <= found <= 0.97
    assert _uncorrected(judge, truth) < 0.5
    assert frame.filter(correction="rg")["reason"].unique().to_list() == [
        "scores are not right or wrong alone"
    ]


def test_differences_of_two_runs_hold_the_truth() -> None:
    """Pairs of runs on the same questions, some hard for both; each labelled where its plan drew."""
    drawn = np.random.default_rng(20_314)
    pairs, n = 200, 500
    ease = drawn.normal(0, 1, (pairs, n))
    frames, truth = [], []
    for place, skill in enumerate((0.6, 0.2)):
        person = (drawn.normal(0, 1, ease.shape) < ease + skill).astype(float)
        judge = np.where(
            drawn.random(person.shape) < np.where(person == 1, 0.9, 0.2 + 0.1 * place), 1.0, 0.0
        )
        stratum = np.zeros(person.shape, dtype=int)
        known = _draw(drawn, stratum, {0: 150})
        frame = _labelled(judge, person, stratum, known)
        frames.append(frame.with_columns(
            (pl.col("run_id") * 2 + place).cast(pl.Int32), (pl.col("run_id") + 1).alias("dataset_id"),
        ))  # fmt: skip
        truth.append(float((np.random.default_rng(2).normal(0, 2**0.5, 4_000_000) < skill).mean()))
    given = pl.concat(frames)
    found = _over({"labelled_question": given}, _FACTS, "corrected_difference").filter(
        pl.col("run_a") % 2 == 0
    )
    assert found.height == pairs
    is_in = found.select(
        pl.col("low").le(truth[0] - truth[1]) & pl.col("high").ge(truth[0] - truth[1])
    ).to_series()
    print("coverage, differences:", is_in.mean())
    assert 0.91 <= float(is_in.mean()) <= 0.985  # type: ignore[arg-type]
    assert float((found["stderr"] < found["stderr_unpaired"]).mean()) > 0.95  # type: ignore[arg-type]


def _models(seed: int, n: int, n_models: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """Whether models of growing skill are right on questions of all kinds of difficulty."""
    drawn = np.random.default_rng(seed)
    skill = np.linspace(-0.2, 2.0, n_models)
    hard = drawn.normal(0, 1.0, n)
    sharp = drawn.lognormal(0, 0.4, n)
    chance = 1 / (1 + np.exp(-sharp * (skill[:, None] - hard)))
    return drawn.random(chance.shape) < 0.25 + 0.75 * chance, drawn.integers(1, 4, chance.shape)


def test_planted_wrong_keys_are_suspected() -> None:
    """5 % of 1,000 keys are wrong, and 16 models answer: of the top 5 %, eight in ten are planted ones."""
    n = 1_000
    is_right, wrong = _models(5, n)
    drawn = np.random.default_rng(6)
    truth = drawn.integers(0, 4, n)
    said = np.where(is_right, truth, (truth + wrong) % 4)
    planted = np.zeros(n, dtype=bool)
    planted[drawn.choice(n, n // 20, replace=False)] = True
    key = np.where(planted, (truth + drawn.integers(1, 4, n)) % 4, truth)
    labels = np.array(list("ABCD"))
    scores = (said == key).astype(float)
    answers = pl.DataFrame(
        {
            "run_id": np.repeat(np.arange(16, dtype=np.int32), n),
            "question_id": np.tile(np.arange(n, dtype=np.int32), 16),
            "predicted": labels[said].ravel(),
            "answer": np.tile(labels[key], 16),
            "score": scores.ravel(),
            "points": np.repeat(scores.sum(axis=1), n),
        }
    ).with_columns(
        pl.lit("D").alias("dataset"), pl.lit(1).alias("dataset_id"), pl.lit("none").alias("judge"),
        pl.lit(False).alias("is_blind"), pl.format("q{}", "question_id").alias("question_key"),
        pl.format("m{}", "run_id").alias("model"), pl.lit("vanilla").alias("strategy"), pl.lit(n).alias("n_questions"),
    )  # fmt: skip
    choices = pl.DataFrame(
        {
            "question_id": np.repeat(np.arange(n, dtype=np.int32), 4),
            "pass": np.zeros(4 * n, dtype=np.int16),
        }
    )
    found = _over({"model_answer": answers, "choice": choices}, {}, "suspect_answer").sort("place")
    top = found.head(n // 20)["question_id"].to_list()
    precision = fmean(bool(planted[question]) for question in top)
    print("of the top 5 %:", precision, "suspected in all:", found.height, "planted among them:",
          sum(bool(planted[q]) for q in found["question_id"]))  # fmt: skip
    assert precision >= 0.8


def test_suggested_subsets_beat_random_ones() -> None:
    """100 of 1,000 questions, on the half of 16 models that they were not chosen on, over 30 worlds: ranks agree
    more, and the error of a score is no larger."""
    gains, errors = [], []
    for seed in range(30):
        is_right, _ = _models(100 + seed, 1_000)
        questions = list(range(1_000))
        scores = [dict(zip(questions, map(float, row), strict=True)) for row in is_right]
        halves = [
            {f"m{place}": of for place, of in enumerate(scores) if place % 2 == half}
            for half in (0, 1)
        ]
        for first, second in (halves, halves[::-1]):
            chosen = [
                suggest.agreement(second, questions, suggest.choose(first, questions, 100, n))
                for n in range(3)
            ]
            drawn = random.Random(seed)
            tries = [
                suggest.agreement(second, questions, drawn.sample(questions, 100))
                for _ in range(12)
            ]
            gains.append(
                fmean(one.tau_b or 0 for one in chosen) - fmean(one.tau_b or 0 for one in tries)
            )
            errors.append(fmean(one.error for one in chosen) - fmean(one.error for one in tries))
    print("tau-b above random:", fmean(gains), "error above random:", fmean(errors))
    assert fmean(gains) > 0.005
    assert fmean(errors) < 0.0005

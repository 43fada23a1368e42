"""What scores are worth: noise, questions, judges compared, ranks; against scipy, numpy and plain Python."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev, stdev, variance
from typing import Any

import duckdb
import numpy as np
import pytest
import scipy.stats
import statsmodels.stats.power
import statsmodels.stats.weightstats

from evalhouse import UsageError, Warehouse
from queries import compare, paired, power, studies, suggest
from queries import release as releases
from queries.options import CompareOptions
from tests.commands import run
from tests.houses import QuickHouse
from tests.tables import write_jsonl
from warehouse import runs

# One warehouse for all of them takes seconds to make.
pytestmark = pytest.mark.slow

LABELS = "ABCD"
N = 60
MODELS = [f"m{number:02}" for number in range(12)]
NAMES = (
    "answer_score",
    "variance_part",
    "sample_result",
    "judge_shift",
    "item_statistics",
    "dataset_reliability",
    "multimodal_gain",
    "position_bias",
    "suspect_answer",
    "rank_agreement",
    "model_standing",
)
Tables = dict[str, list[dict[str, Any]]]


class World:
    """Choice questions with two passes, models of growing skill, a few wrong keys; and repeated answers.

    Args:
        n: questions of choices; half as many are answered again and again, a third as many softly graded.
        models: some of the last of MODELS.
    """

    def __init__(self, n: int = N, models: Sequence[str] = MODELS) -> None:
        drawn = random.Random(7)
        self.truth = {str(key): drawn.choice(LABELS) for key in range(n)}
        self.key = {
            key: LABELS[(LABELS.index(label) + 1) % 4] if int(key) % 20 == 3 else label
            for key, label in self.truth.items()
        }
        hardness = {key: drawn.random() for key in self.truth}
        self.said = {
            (model, key, step): label
            if drawn.random() < 0.35 + 0.05 * place - 0.3 * hardness[key] + 0.2
            else drawn.choice([other for other in LABELS if other != label])
            for place, model in enumerate((*models, "m11-text", "lm"))
            for key, label in self.truth.items()
            for step in (0, 1)
        }
        self.again = {
            (key, sample): float(drawn.random() < 0.2 + int(key) / 40)
            for key in map(str, range(n // 2))
            for sample in range(5)
        }
        self.soft = {
            (key, sample, judged): min(
                1.0, max(0.0, round(int(key) / 20 + drawn.gauss(0, 0.1) + shift, 1))
            )
            for key in map(str, range(n // 3))
            for sample in range(3)
            for shift in [drawn.gauss(0, 0.2)]
            for judged in range(2)
        }

    def score(self, model: str, key: str) -> float:
        """Under CircularEval."""
        return float(all(self.said[model, key, step] == self.key[key] for step in (0, 1)))


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def fill(house: Warehouse, folder: Path, world: World) -> None:
    """Read a world into a warehouse."""

    def read(name: str, benchmark: str, rows: list[dict[str, Any]], **more: Any) -> None:
        house.ingest(write_jsonl(folder / f"{name}.jsonl", rows), benchmark=benchmark, **more)

    choices = {label: f"thing {label}" for label in LABELS}
    read("own-questions", "Own", [
        {"question_key": key, "pass": step, "question": f"own {key}", **choices, "answer": world.key[key],
         "ability_topic": "animals" if int(key) < 25 else "birds"}
        for key in world.key for step in (0, 1)
    ])  # fmt: skip
    for name, is_text in (("image", False), ("text", True)):
        read(name, "Own", [
            {"model": model.removesuffix("-text"), "question_key": key, "pass": step, "prediction": label}
            for (model, key, step), label in world.said.items() if ("text" in model) == is_text
        ])  # fmt: skip
    facts = [{"name": name, "language_backbone": "lm", "access": "open"} for name in ("m10", "m11")]
    house.ingest(write_jsonl(folder / "models.jsonl", facts))
    keys = sorted({key for key, _ in world.again}, key=int)
    read("again-questions", "Again", [
        {"question_key": key, "question": f"again {key}", **choices, "answer": "A"} for key in keys
    ])  # fmt: skip
    read("again-said", "Again", [
        {"model": "m00", "question_key": key, "sample": sample, "prediction": "A" if score else "BCD"[sample % 3]}
        for (key, sample), score in world.again.items()
    ])  # fmt: skip
    soft = sorted({key for key, _, _ in world.soft}, key=int)
    read(
        "soft-questions",
        "Soft",
        [{"question_key": key, "question": f"soft {key}", "reference": "yes"} for key in soft],
    )
    read("soft-said", "Soft", [
        {"model": "m00", "question_key": key, "sample": sample, "prediction": f"answer {key} {sample}"}
        for key in soft for sample in range(3)
    ])  # fmt: skip
    read("soft-judged", "Soft", [
        {"model": "m00", "question_key": key, "sample": sample, "judge": "S", "judge_sample": judged,
         "reply": f"{score}"}
        for (key, sample, judged), score in world.soft.items()
    ])  # fmt: skip
    with house.writing() as con:
        for (run_id,) in con.execute(
            "SELECT run_id FROM main.run JOIN main.model AS m USING (model_id) WHERE label = 'text' OR m.name = 'lm'"
        ).fetchall():
            runs.set_input(con, run_id, "text")
        # The server answered as another model from some point on.
        con.execute(
            "UPDATE main.judgment SET returned_model = CASE WHEN judge_sample = 0 AND subject_hash IN ("
            "SELECT subject_hash FROM field_v2_internal.open_subject JOIN main.question USING (question_id) "
            "WHERE CAST(question_key AS INTEGER) < 12) THEN 'S-may' ELSE 'S-june' END"
        )


@pytest.fixture(scope="module")
def house(new_file: Path, tmp_path_factory: pytest.TempPathFactory, world: World) -> Warehouse:
    folder = tmp_path_factory.mktemp("studies")
    shutil.copy(new_file, folder / "house.duckdb")
    house = QuickHouse(folder / "house.duckdb")
    fill(house, folder, world)
    return house


@pytest.fixture(scope="module")
def tables(house: Warehouse) -> Tables:
    with house.reading() as con:
        return {name: studies.rows(con, name).to_dicts() for name in NAMES}


def _rows(tables: Tables, name: str, **where: object) -> list[dict[str, Any]]:
    return [row for row in tables[name] if where.items() <= row.items()]


def test_what_there_is(tables: Tables) -> None:
    """Each has rows here, so that what follows compares something."""
    assert {name for name in NAMES if not tables[name]} == set()
    listed = studies.listed()
    assert {*NAMES, "corrected_score", "judge_calibration"} - {"answer_score"} <= set(
        listed["study"]
    )


def test_variance_of_answers_within_questions(tables: Tables, world: World) -> None:
    by_key = [[world.again[key, sample] for sample in range(5)] for key in map(str, range(30))]
    questions, answers, judge = sorted(
        _rows(tables, "variance_part", dataset="Again", judge="none"),
        key=lambda row: ("questions", "answers", "judge").index(row["part"]),
    )
    within = fmean(variance(scores) for scores in by_key)
    between = variance([fmean(scores) for scores in by_key])
    assert answers["variance"] == pytest.approx(within, abs=1e-9)
    assert questions["variance"] == pytest.approx(between - within / 5, abs=1e-9)
    assert judge["variance"] is None
    assert questions["stderr"] == pytest.approx(math.sqrt(between / 30), abs=1e-9)
    assert answers["stderr_one_more"] == pytest.approx(
        math.sqrt((between - within / 5 + within / 6) / 30), abs=1e-9
    )
    assert questions["share"] + answers["share"] == pytest.approx(1, abs=1e-9)


def test_variance_of_judge_samples_within_answers(tables: Tables, world: World) -> None:
    """Three levels, from the mean squares of a nested analysis of variance."""
    cube = np.array(
        [
            [[world.soft[key, sample, judged] for judged in range(2)] for sample in range(3)]
            for key in map(str, range(20))
        ]
    )
    within = cube.var(axis=2, ddof=1).mean()
    of_answers = cube.mean(axis=2).var(axis=1, ddof=1).mean()
    of_questions = cube.mean(axis=(1, 2)).var(ddof=1)
    found = {row["part"]: row for row in _rows(tables, "variance_part", dataset="Soft", judge="S")}
    assert found["judge"]["variance"] == pytest.approx(within, abs=1e-9)
    assert found["answers"]["variance"] == pytest.approx(of_answers - within / 2, abs=1e-9)
    assert found["questions"]["variance"] == pytest.approx(of_questions - of_answers / 3, abs=1e-9)
    assert {part: row["n"] for part, row in found.items()} == {
        "questions": 20,
        "answers": 3,
        "judge": 2,
    }
    one_more = (of_questions - within / 6 + within / 9) / 20
    assert found["judge"]["stderr_one_more"] == pytest.approx(math.sqrt(one_more), abs=1e-9)


def test_several_answers_to_a_question(tables: Tables, world: World) -> None:
    by_key = [[world.again[key, sample] for sample in range(5)] for key in map(str, range(30))]
    right = [int(sum(scores)) for scores in by_key]
    rows = _rows(tables, "sample_result", dataset="Again", judge="none")
    assert [row["k"] for row in rows] == [1, 2, 3, 4, 5]
    for row in rows:
        k = row["k"]
        at_k = fmean(1 - math.comb(5 - c, k) / math.comb(5, k) for c in right)
        all_k = fmean(math.comb(c, k) / math.comb(5, k) for c in right)
        assert (row["pass_at_k"], row["pass_all_k"]) == pytest.approx((at_k, all_k), abs=1e-9)
        pairs = fmean(fmean(float(a == b) for a, b in combinations(scores, 2)) for scores in by_key)
        assert row["consistency"] == pytest.approx(pairs, abs=1e-9)
        assert row["share_constant"] == pytest.approx(fmean(c in (0, 5) for c in right), abs=1e-9)
    # Wrong answers name B, C, D, B, C: two that are right beat them where they come first.
    elected = []
    for scores in by_key:
        labels = ["A" if score else "BCDBC"[sample] for sample, score in enumerate(scores)]
        elected.append(
            max(labels, key=lambda label: (labels.count(label), -labels.index(label))) == "A"
        )
    assert rows[0]["majority"] == pytest.approx(fmean(elected), abs=1e-9)


def test_items(tables: Tables, world: World) -> None:
    scores = {model: {key: world.score(model, key) for key in world.key} for model in MODELS}
    totals = {model: sum(of.values()) for model, of in scores.items()}
    found = {
        row["question_key"]: row
        for row in _rows(tables, "item_statistics", dataset="Own", judge="none")
    }
    best = sorted(totals.values(), reverse=True)[(len(MODELS) + 1) // 2 - 1]
    assert len(found) == N
    for key, row in found.items():
        item = [scores[model][key] for model in MODELS]
        rest = [totals[model] - scores[model][key] for model in MODELS]
        assert row["n_models"] == len(MODELS)
        assert row["share_right"] == pytest.approx(fmean(item), abs=1e-9)
        if len(set(item)) > 1:
            assert row["item_rest"] == pytest.approx(
                scipy.stats.pearsonr(item, rest).statistic, abs=1e-9
            )
        else:
            assert row["item_rest"] is None
        assert row["blind_right"] == pytest.approx(
            fmean(world.score(m, key) for m in ("m11-text", "lm")), abs=1e-9
        )
        better = [model for model in MODELS if totals[model] >= best]
        wrong = [
            world.said[model, key, 0]
            for model in better
            if world.said[model, key, 0] != world.key[key]
        ]
        assert row["top_wrong"] == (
            min(wrong, key=lambda label: (-wrong.count(label), label)) if wrong else None
        )
        if wrong:
            assert row["top_wrong_share"] == pytest.approx(
                wrong.count(row["top_wrong"]) / len(better), abs=1e-9
            )


def test_reliability_is_kr_20(tables: Tables, world: World) -> None:
    matrix = np.array([[world.score(model, key) for key in world.key] for model in MODELS])
    p = matrix.mean(axis=0)
    totals = matrix.sum(axis=1)
    kr20 = N / (N - 1) * (1 - (p * (1 - p)).sum() / totals.var())
    (row,) = _rows(tables, "dataset_reliability", dataset="Own", judge="none")
    assert row["alpha"] == pytest.approx(kr20, abs=1e-9)
    assert row["stderr_of_measurement"] == pytest.approx(
        totals.std(ddof=1) / N * math.sqrt(1 - kr20), abs=1e-9
    )
    blind = [fmean(world.score(model, key) for model in ("m11-text", "lm")) for key in world.key]
    assert (row["n_blind"], row["blind_score"]) == (2, pytest.approx(fmean(blind), abs=1e-9))
    assert row["share_solved_blind"] == pytest.approx(
        fmean(score > 0.5 for score in blind), abs=1e-9
    )


def test_what_the_image_is_worth(tables: Tables, world: World) -> None:
    image, text, base = (
        fmean(world.score(m, key) for key in world.key) for m in ("m11", "m11-text", "lm")
    )
    (row,) = _rows(tables, "multimodal_gain", dataset="Own", judge="none")
    assert row["gain"] == pytest.approx(image - text, abs=1e-9)
    assert row["leakage"] == pytest.approx(max(0.0, text - base), abs=1e-9)


def test_places_among_the_choices(tables: Tables, world: World) -> None:
    for model in MODELS[::4]:
        rows = {
            row["label"]: row
            for row in _rows(
                tables, "position_bias", dataset="Own", judge="none", model=model, run="image"
            )
        }
        recalls = []
        for label in LABELS:
            of = [(key, step) for key in world.key for step in (0, 1) if world.key[key] == label]
            recall = fmean(world.said[model, key, step] == label for key, step in of)
            recalls.append(recall)
            assert rows[label]["recall"] == pytest.approx(recall, abs=1e-9)
            said = [world.said[model, key, step] for key in world.key for step in (0, 1)]
            assert rows[label]["n_said"] == said.count(label)
        assert rows["A"]["recall_spread"] == pytest.approx(pstdev(recalls), abs=1e-9)
        apart = fmean(
            len({world.said[model, key, step] == world.key[key] for step in (0, 1)}) > 1
            for key in world.key
        )
        assert rows["A"]["share_disagreeing"] == pytest.approx(apart, abs=1e-9)


def test_suspects(tables: Tables, world: World) -> None:
    """The same votes in plain Python; the planted ones are among the first."""
    weight = {}
    for model in MODELS:
        right = sum(world.said[model, key, 0] == world.key[key] for key in world.key)
        accuracy = (right + 1) / (N + 2)
        weight[model] = math.log(accuracy * 3 / (1 - accuracy))
    evidence = {}
    for key, right_label in world.key.items():
        votes = dict.fromkeys(LABELS, 0.0)
        for model in MODELS:
            votes[world.said[model, key, 0]] += weight[model]
        said = [world.said[model, key, 0] for model in MODELS]
        others = [label for label in LABELS if label != right_label and said.count(label) > 1]
        evidence[key] = (
            max((votes[label] for label in others), default=-math.inf) - votes[right_label]
        )
    rows = _rows(tables, "suspect_answer", dataset="Own", judge="none")
    assert {row["question_key"] for row in rows} == {
        key for key, value in evidence.items() if value > 0
    }
    for row in rows:
        assert row["evidence"] == pytest.approx(evidence[row["question_key"]], abs=1e-9)
    assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))
    planted = {key for key in world.key if world.key[key] != world.truth[key]}
    first = {row["question_key"] for row in rows[: len(planted)]}
    assert len(first & planted) >= 2
    assert (
        f"models name {rows[0]['other']}, {rows[0]['n_for_key']} the key {rows[0]['answer']}"
        in rows[0]["why"]
    )


def test_ranks_are_kendalls(tables: Tables, world: World) -> None:
    (row,) = _rows(tables, "rank_agreement", kind="ability", dataset="Own", judge="none")
    assert (row["one"], row["other"]) == ("animals", "birds")
    # A run that saw the text alone stands for no model.
    latest = MODELS
    columns = [
        [
            fmean(world.score(model, key) for key in world.key if (int(key) < 25) == is_first)
            for model in latest
        ]
        for is_first in (True, False)
    ]
    assert row["n_models"] == len(latest)
    assert row["tau_b"] == pytest.approx(scipy.stats.kendalltau(*columns).statistic, abs=1e-9)


def test_where_models_stand(tables: Tables, world: World) -> None:
    (row,) = _rows(tables, "model_standing", judge="none", model="m05")
    totals = {model: sum(world.score(model, key) for key in world.key) for model in MODELS}
    others = [total for model, total in totals.items() if model != "m05"]
    beaten = fmean(
        1.0 if totals["m05"] > other else 0.5 if totals["m05"] == other else 0.0 for other in others
    )
    assert row["n_columns"] == 1
    assert row["mean_rank"] == 1 + sum(other > totals["m05"] for other in others)
    assert row["win_rate"] == pytest.approx(beaten, abs=1e-9)


def test_the_judges_part_of_a_change(tables: Tables, world: World) -> None:
    """Two samples of one judge over the same answers."""
    (row,) = _rows(tables, "judge_shift", dataset="Soft", judge_sample_a=0, judge_sample_b=1)
    assert row["answered_as_a"] is row["answered_as_b"] is None
    old, new = (
        [
            fmean(world.soft[key, sample, judged] for sample in range(3))
            for key in map(str, range(20))
        ]
        for judged in (0, 1)
    )
    steps = [b - a for a, b in zip(old, new, strict=True)]
    assert row["change"] == pytest.approx(fmean(steps), abs=1e-9)
    assert row["judge_part"] == pytest.approx(fmean(steps), abs=1e-9)
    assert row["model_part"] == pytest.approx(0, abs=1e-12)
    assert row["judge_stderr"] == pytest.approx(stdev(steps) / math.sqrt(20), abs=1e-9)
    assert row["linked_score"] == pytest.approx(fmean(old), abs=1e-9)


def test_the_judges_part_by_what_the_server_answered_as(tables: Tables, world: World) -> None:
    """The old name decided one sample of some questions; the new one the other, and both of the rest."""
    (row,) = _rows(
        tables, "judge_shift", answered_as_a="S-may", answered_as_b="S-june", judge_a="S"
    )
    old, new = (
        [
            fmean(world.soft[key, sample, judged] for sample in range(3))
            for key in map(str, range(12))
        ]
        for judged in (0, 1)
    )
    steps = [b - a for a, b in zip(old, new, strict=True)]
    assert (row["n"], row["judge_sample_a"], row["judge_sample_b"]) == (12, None, None)
    assert row["score_a"] == pytest.approx(fmean(old), abs=1e-9)
    assert row["judge_part"] == pytest.approx(fmean(steps), abs=1e-9)
    assert row["judge_stderr"] == pytest.approx(stdev(steps) / math.sqrt(12), abs=1e-9)
    assert len(_rows(tables, "judge_shift")) == 4


def test_a_board_goes_on_under_a_new_judge() -> None:
    """Two models link the judges; of the others one is known under each."""
    old = {"a": 0.7, "b": 0.5, "gone": 0.2}
    new = {"a": 0.8, "b": 0.7, "fresh": 0.75}
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE board_column (dataset VARCHAR, dataset_id INTEGER, judge VARCHAR, level VARCHAR, "
            "ability VARCHAR, ability_id INTEGER, model VARCHAR, score DOUBLE)"
        )
        con.executemany(
            "INSERT INTO board_column VALUES ('D', 1, ?, 'overall', 'Overall', 0, ?, ?)",
            [
                (judge, model, score)
                for judge, of in (("J", old), ("K", new))
                for model, score in of.items()
            ],
        )
        sql = releases.load("latest").views["board_link"].text
        rows = (
            con.sql(f"SELECT * FROM ({sql}) WHERE judge_old = 'J' ORDER BY place").pl().to_dicts()
        )
    shifts = [new[model] - old[model] for model in ("a", "b")]
    fresh = new["fresh"] - fmean(shifts)
    assert [(row["model"], row["how"]) for row in rows] == [
        ("a", "old judge"),
        ("fresh", "new judge less shift"),
        ("b", "old judge"),
        ("gone", "old judge"),
    ]
    assert [row["score"] for row in rows] == pytest.approx([0.7, fresh, 0.5, 0.2], abs=1e-12)
    assert {row["n_linking"] for row in rows} == {2}
    assert rows[0]["shift_stderr"] == pytest.approx(stdev(shifts) / math.sqrt(2), abs=1e-12)
    assert rows[3]["linked_score"] is None


def test_equivalence_is_two_one_sided_tests(house: Warehouse, world: World) -> None:
    steps = [world.score("m09", key) - world.score("m10", key) for key in world.key]
    with house.reading() as con:
        for margin in (0.05, 0.15, 0.4):
            found = paired.compare(con, CompareOptions("m09", "m10", margin=margin))
            p_value = statsmodels.stats.weightstats.DescrStatsW(steps).ttost_mean(-margin, margin)[
                0
            ]
            assert found.frame["equivalence_p_value"][0] == pytest.approx(p_value, abs=1e-9)
        with pytest.raises(UsageError, match="above 0 and below 100"):
            paired.compare(con, CompareOptions("m09", "m10", margin=0.0))


def test_power_is_that_of_a_paired_test(house: Warehouse, world: World) -> None:
    steps = [world.score("m02", key) - world.score("m10", key) for key in world.key]
    with house.reading() as con:
        found = paired.compare(con, CompareOptions("m02", "m10"))
        spread = power.of_pair(con, found)
        title, n_pairs, median = power.of_benchmark(con, "Own")
    assert spread.variance == pytest.approx(variance(steps), abs=1e-9)
    normal_power = statsmodels.stats.power.normal_power
    least = spread.least()
    assert normal_power(least / stdev(steps), N, 0.05) == pytest.approx(0.8, abs=1e-4)
    wanted = spread.questions(0.02)
    assert wanted is not None
    assert normal_power(0.02 / stdev(steps), wanted, 0.05) >= 0.8 - 1e-6
    assert normal_power(0.02 / stdev(steps), wanted - 1, 0.05) < 0.8 + 1e-6
    # One answer to each question tells nothing of how answers vary.
    assert spread.answers(0.02) is None
    assert (title, n_pairs) == ("Own · circular · judge none", math.comb(len(MODELS), 2))
    assert 0 < median.variance < 1


def test_how_many_answers_a_difference_takes() -> None:
    """The squared standard error is (questions' part + answers' part / k) / n."""
    spread = power.Spread(
        n=100, difference=0.0, variance=0.2 + 0.3 / 2, of_answers=0.3 / 2, n_answers=2
    )
    reach = scipy.stats.norm.ppf(0.975) + scipy.stats.norm.ppf(0.8)
    effect = reach * math.sqrt((0.2 + 0.3 / 7.5) / 100)
    assert spread.answers(effect) == 8
    assert spread.answers(reach * math.sqrt(0.2 / 100) * 0.99) is None
    # The estimate of the questions' part is below 0, and no more than none of it can be had.
    noisy = power.Spread(n=100, difference=0.0, variance=0.1, of_answers=0.12, n_answers=3)
    assert noisy.answers(0.01) == math.ceil(0.12 * 3 / 100 * (reach / 0.01) ** 2)


def test_a_suggested_subset(house: Warehouse, world: World) -> None:
    with house.reading() as con:
        found = suggest.suggest(con, "Own", 20)
        again = suggest.suggest(con, "Own", 20)
        with pytest.raises(
            UsageError, match="has 60 questions that all models have a score of; --n is less"
        ):
            suggest.suggest(con, "Own", 60)
    assert found == again
    assert len(set(found.question_ids)) == 20
    assert {*found.chosen_on, *found.tried_on} == set(MODELS)
    keys = dict(
        house.sql(
            "SELECT question_id, question_key FROM main.question WHERE dataset_id = 1"
        ).iter_rows()
    )
    whole = [fmean(world.score(model, key) for key in world.key) for model in found.tried_on]
    part = [
        fmean(world.score(model, keys[q]) for q in found.question_ids) for model in found.tried_on
    ]
    assert found.suggested.tau_b == pytest.approx(
        scipy.stats.kendalltau(whole, part).statistic, abs=1e-9
    )
    assert found.suggested.error == pytest.approx(
        fmean(abs(a - b) for a, b in zip(whole, part, strict=True))
    )
    assert found.at_random.tau_b is not None


def test_the_command(house: Warehouse) -> None:
    def said(*words: object) -> str:
        done = run("evalhouse", *words, cwd=house.path.parent)
        assert done.code == 0, done.err
        return done.out

    assert "suspect_answer" in said("study")
    compared = said("compare", "m09", "m10", "--margin", "15", "--db", house.path)
    assert "p (±15)" in compared
    assert "by two one-sided t tests" in compared
    printed = said("power", "m02", "m10", "--effect", "0.02", "--db", house.path)
    assert "60 questions show a difference of" in printed
    printed = said("power", "--benchmark", "Own", "--db", house.path)
    assert "Own · circular · judge none · median of" in printed
    assert "answers to each question: give two models" in printed
    # A power of 2.5 % would be had by a difference of 0, and less by one below it.
    done = run("evalhouse", "power", "--benchmark", "Own", "--power", "0.05", cwd=house.path.parent)
    assert "error: --power is a fraction above 0.05" in done.err
    printed = said("study", "model_standing", "--where", "judge=non", "--db", house.path)
    assert printed == "model_standing: no row with judge=non; judge is S, none\n"
    suggested = said(
        "subsets",
        "suggest",
        "--benchmark",
        "Own",
        "--n",
        "20",
        "--name",
        "small",
        "--db",
        house.path,
    )
    assert "20 of 60 questions, chosen on 6 models, tried on 6 others" in suggested
    assert "subset small of Own" in suggested
    printed = said(
        "study", "suspect_answer", "--where", "judge=none", "--top", "3", "--db", house.path
    )
    assert len(printed.splitlines()) == 5
    done = run("evalhouse", "study", "variance_parts", "--db", house.path, cwd=house.path.parent)
    assert (done.code, "there is variance_part" in done.err) == (2, True)
    with (
        house.reading() as con,
        pytest.raises(UsageError, match="suspect_answer has no benchmark to choose"),
    ):
        studies.rows(con, "suspect_answer", {"benchmark": "Own"})
    with pytest.raises(UsageError, match="COLUMN=VALUE"):
        studies.conditions(["judge"])


def test_releases_rank_alike(house: Warehouse, world: World, tmp_path: Path) -> None:
    """A release that is not installed, and whose scores are cut to tenths so that models tie."""
    folder = tmp_path / "tenths_v1"
    (folder / "score").mkdir(parents=True)
    (folder / "release.toml").write_text('builds_on = "field_v2"\n', "utf-8")
    text = releases.load("field_v2").views["ability_score"].text
    assert "EXCLUDE (subset)\n" in text
    cut_score = "EXCLUDE (subset, score), round(10 * score - 0.4999) / 10 AS score\n"
    (folder / "score" / "ability_score.sql").write_text(
        text.replace("EXCLUDE (subset)\n", cut_score), "utf-8"
    )
    with house.reading() as con:
        rows = compare.rows(con, ["latest", str(folder)])
        with pytest.raises(UsageError, match="field_v2 is one release: a second one"):
            compare.rows(con, ["latest", "field_v2"])
    (row,) = studies.chosen(rows, "rank_agreement", {"dataset": "own", "judge": "none"}).to_dicts()
    exact = [fmean(world.score(model, key) for key in world.key) for model in MODELS]
    cut = [math.floor(10 * score) / 10 for score in exact]
    assert (row["kind"], row["one"], row["other"]) == ("release", "field_v2", "tenths_v1")
    assert row["tau_b"] == pytest.approx(scipy.stats.kendalltau(exact, cut).statistic, abs=1e-9)
    assert row["n_models"] == len(exact)
    with house.reading() as con:
        assert rows.columns == studies.rows(con, "rank_agreement").columns

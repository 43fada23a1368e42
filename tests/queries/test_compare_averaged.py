"""`compare` in macro, by clusters of an attribute and over several datasets: against scipy and plain Python."""

from __future__ import annotations

import itertools
import math
import random
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

import pytest
from scipy import stats

from evalhouse import UsageError, Warehouse
from queries import render
from tests import held
from tests.commands import run
from tests.houses import QuickHouse
from tests.tables import write_jsonl

LABELS = "ABCD"
ABILITIES = ("reading", "counting", "counting", "naming", "naming", "naming")
Scores = dict[str, dict[str, int]]


def _video(key: str) -> str | None:
    return None if int(key) % 7 == 0 else f"v{int(key) // 4}"


def _ability(key: str) -> str:
    return ABILITIES[int(key) % len(ABILITIES)]


@pytest.fixture(scope="module")
def scores() -> dict[str, Scores]:
    """Right and wrong of two models on three benchmarks, alike within a video."""
    drawn = random.Random(5)
    found: dict[str, Scores] = {}
    for benchmark, n in (("Own", 60), ("Other", 40), ("Poor", 24)):
        luck: dict[object, float] = defaultdict(lambda: drawn.gauss(0, 1))
        found[benchmark] = {
            model: {
                key: int(luck[model, _video(key) or key] + drawn.gauss(0, 1) < skill)
                for key in map(str, range(n))
            }
            for model, skill in (("good", 0.9), ("fair", 0.4))
        }
    return found


@pytest.fixture(scope="module")
def house(
    new_file: Path, tmp_path_factory: pytest.TempPathFactory, scores: dict[str, Scores]
) -> Warehouse:
    folder = tmp_path_factory.mktemp("averaged")
    shutil.copy(new_file, folder / "house.duckdb")
    house = QuickHouse(folder / "house.duckdb")
    for benchmark, models in scores.items():
        keys = list(models["good"])
        questions = [
            {"question_key": key, "question": f"what {key}", "answer": "A"}
            | {label: f"thing {label}" for label in LABELS}
            | ({"videoID": video} if (video := _video(key)) else {})
            | ({"ability_topic": _ability(key)} if benchmark != "Poor" else {})
            for key in keys
        ]
        house.ingest(write_jsonl(folder / f"{benchmark}.jsonl", questions), benchmark=benchmark)
        said = [
            {"model": model, "question_key": key, "prediction": "A" if is_right else "B"}
            for model, of in models.items()
            for key, is_right in of.items()
        ]
        house.ingest(write_jsonl(folder / f"{benchmark}-said.jsonl", said), benchmark=benchmark)
    return house


def _differences(scores: Scores) -> dict[str, float]:
    return {key: float(scores["good"][key] - scores["fair"][key]) for key in scores["good"]}


def _variance(parts: Sequence[dict[str, float]], cluster: Callable[[str], str]) -> float:
    """Of the mean of the parts' means: of what each cluster adds, with paired_test's correction."""
    additions: dict[str, float] = defaultdict(float)
    correction = 0.0
    for part in parts:
        n, mean = len(part), fmean(part.values())
        for key, difference in part.items():
            additions[cluster(key)] += (difference - mean) / n
        correction += sum((d - mean) ** 2 for d in part.values()) / (n - 1) / n**2
    return (sum(one**2 for one in additions.values()) + correction) / len(parts) ** 2


def _degrees(parts: Sequence[dict[str, float]], cluster: Callable[[str], str]) -> float:
    own = [_variance([part], cluster) for part in parts]
    counts = [len({cluster(key) for key in part}) - 1 for part in parts]
    return sum(own) ** 2 / sum(v**2 / n for v, n in zip(own, counts, strict=True))


def _by_ability(differences: dict[str, float]) -> list[dict[str, float]]:
    return [
        {key: value for key, value in differences.items() if _ability(key) == name}
        for name in dict.fromkeys(ABILITIES)
    ]


def _video_or_own(key: str) -> str:
    return _video(key) or f"own {key}"


def _check(row: dict[str, float], mean: float, variance: float, degrees: float) -> None:
    error = math.sqrt(variance)
    assert row["difference"] == pytest.approx(mean, abs=1e-12)
    assert row["stderr"] == pytest.approx(error, rel=1e-9)
    assert row["degrees"] == pytest.approx(degrees, rel=1e-9)
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(mean / error), degrees), rel=1e-9)
    if degrees > 10:
        half = stats.t.ppf(0.975, degrees) * error
        assert (row["low"], row["high"]) == pytest.approx((mean - half, mean + half), rel=1e-9)


def test_macro_is_over_abilities(house: Warehouse, scores: dict[str, Scores]) -> None:
    parts = _by_ability(_differences(scores["Own"]))
    found = house.compare("good", "fair", dataset="Own", average="macro", margin=0.2)
    overall, *abilities = found.frame.to_dicts()
    mean = fmean(fmean(part.values()) for part in parts)
    own = str
    _check(overall, mean, _variance(parts, own), _degrees(parts, own))
    assert overall["stderr"] == pytest.approx(
        math.sqrt(sum(stats.sem(list(part.values())) ** 2 for part in parts)) / 3, rel=1e-9
    )
    boards = house.sql(
        "SELECT score FROM ability_score WHERE dataset = 'Own' AND level = 'overall' AND average = 'macro' "
        "AND strategy = 'circular' ORDER BY model DESC"
    )["score"].to_list()
    assert (overall["score_a"], overall["score_b"]) == pytest.approx(boards, abs=1e-12)
    error, degrees = overall["stderr"], overall["degrees"]
    wanted = max(
        stats.t.sf((mean + 0.2) / error, degrees), stats.t.cdf((mean - 0.2) / error, degrees)
    )
    assert overall["equivalence_p_value"] == pytest.approx(wanted, rel=1e-9)
    # The finest abilities are over questions, and all tests of the level are corrected together.
    assert [row["n"] for row in abilities] == [len(part) for part in parts]
    raw = sorted(row["p_value"] for row in abilities)
    assert min(row["p_holm"] for row in abilities) == pytest.approx(min(1, 3 * raw[0]))
    assert " · macro · " in render.render_comparison(found, "table")


def test_clusters_by_an_attribute(house: Warehouse, scores: dict[str, Scores]) -> None:
    differences = _differences(scores["Own"])
    found = house.compare("good", "fair", dataset="Own", cluster="videoID")
    overall = found.frame.row(0, named=True)
    clusters = {_video_or_own(key) for key in differences}
    assert overall["n_clusters"] == len(clusters)
    _check(
        overall,
        fmean(differences.values()),
        _variance([differences], _video_or_own),
        len(clusters) - 1,
    )
    assert overall["stderr_questions"] == pytest.approx(
        stats.sem(list(differences.values())), rel=1e-9
    )
    assert overall["stderr"] > overall["stderr_questions"]
    text = render.render_comparison(found, "table")
    assert "videoID" in text.splitlines()[1]
    assert "clustered by videoID" in text
    # A video may have questions of several abilities.
    parts = _by_ability(differences)
    both = house.compare("good", "fair", dataset="Own", cluster="videoID", average="macro")
    _check(
        both.frame.row(0, named=True),
        fmean(fmean(part.values()) for part in parts),
        _variance(parts, _video_or_own),
        _degrees(parts, _video_or_own),
    )


def test_without_clusters_it_is_the_usual_comparison(house: Warehouse) -> None:
    """Each question has an attribute of its own value: the same errors as paired_difference has."""
    usual = house.compare("good", "fair", dataset="Poor").frame.row(0, named=True)
    with house.writing() as con:
        con.execute(
            "INSERT INTO main.question_attribute SELECT question_id, 'own', question_key, source_id FROM main.question"
        )
    found = house.compare("good", "fair", dataset="Poor", cluster="own").frame.row(0, named=True)
    for name in ("n", "n_clusters", "score_a", "score_b", "stderr", "low", "high", "t_p_value"):
        assert found[name] == pytest.approx(usual[name], rel=1e-9), name


@pytest.mark.slow
def test_over_several_datasets(house: Warehouse, scores: dict[str, Scores]) -> None:
    parts = [_differences(scores[name]) for name in ("Own", "Other")]
    found = house.compare_over("good", "fair", "Own,Other", margin=0.3)
    mean, *rest = found.frame.to_dicts()
    assert [row["dataset"] for row in rest] == ["Own", "Other"]
    own = str
    variance = sum(_variance([part], own) for part in parts) / 4
    _check(mean, fmean(fmean(part.values()) for part in parts), variance, _degrees(parts, own))
    # The sum of two means is the difference of one from the other's opposite: Welch's test.
    welch = stats.ttest_ind(
        list(parts[0].values()), [-value for value in parts[1].values()], equal_var=False
    )
    assert mean["p_value"] == pytest.approx(welch.pvalue, rel=1e-9)
    assert 0 < mean["equivalence_p_value"] < 1
    every = house.compare_over("good", "fair", "all", average="micro", cluster="videoID")
    assert [part.a.dataset for part in every.parts] == ["Other", "Own", "Poor"]
    for fmt in ("table", "csv", "json"):
        assert "Own" in render.render_comparison(every, fmt)
    assert "videoID" in render.render_comparison(every, "table").splitlines()[1]
    assert render.pack_comparison(every, "parquet")


@pytest.mark.slow
def test_over_the_columns_of_a_board(
    house: Warehouse, scores: dict[str, Scores], tmp_path: Path
) -> None:
    """A column of two datasets, and one whose figure counts pairs of questions."""
    keys = [str(n) for n in range(1, 41)]
    drawn = random.Random(8)
    pairs: Scores = {
        model: {key: int(drawn.random() < skill) for key in keys}
        for model, skill in (("good", 0.9), ("fair", 0.6))
    }
    questions = [
        {"question_key": key, "question": f"pair {key}", "answer": "A", "A": "one", "B": "two"}
        for key in keys
    ]
    said = [
        {"model": model, "question_key": key, "prediction": "A" if is_right else "B"}
        for model, of in pairs.items()
        for key, is_right in of.items()
    ]
    path = tmp_path / "house.duckdb"
    held.close()
    shutil.copy(house.path, path)
    house = QuickHouse(path)
    for name, rows in (("questions", questions), ("said", said)):
        house.ingest(write_jsonl(tmp_path / f"{name}.jsonl", rows), benchmark="MMVP")
    figures = {
        name: f'[[column]]\nname = "{name}"\nscale = 100\nof = [{", ".join(parts)}]\n'
        for name, parts in (
            ("Both", ('{ benchmark = "Own" }', '{ benchmark = "Other" }')),
            ("Pairs", ('{ benchmark = "MMVP" }',)),
        )
    }
    board = tmp_path / "board.toml"
    board.write_text("\n".join(['title = "Ours"', 'mean = "Mean"', *figures.values()]))
    found = house.compare_over("good", "fair", str(board))
    mean, both, of_pairs = found.frame.to_dicts()
    assert (both["dataset"], both["strategy"]) == ("Both", "circular")
    assert (of_pairs["dataset"], of_pairs["strategy"]) == ("Pairs", "group:pair")
    shares = {
        model: [of[keys[n]] * of[keys[n + 1]] for n in range(0, len(keys), 2)] for model, of in pairs.items()
    }  # fmt: skip
    groups = {str(n): float(a - b) for n, (a, b) in enumerate(zip(*shares.values(), strict=True))}
    parts = [_differences(scores[name]) for name in ("Own", "Other")]
    assert of_pairs["difference"] == pytest.approx(fmean(groups.values()), abs=1e-12)
    assert both["difference"] == pytest.approx(
        fmean(fmean(part.values()) for part in parts), abs=1e-12
    )
    # The mean of the errors is what the error can be at most.
    errors = [stats.sem(list(part.values())) for part in parts]
    assert both["stderr"] == pytest.approx(fmean(errors), rel=1e-9)
    assert both["degrees"] == min(len(part) for part in parts) - 1
    its = stats.sem(list(groups.values()))
    variance = (fmean(errors) ** 2 + its**2) / 4
    degrees = (4 * variance) ** 2 / (
        fmean(errors) ** 4 / both["degrees"] + its**4 / (len(groups) - 1)
    )
    _check(mean, (both["difference"] + of_pairs["difference"]) / 2, variance, degrees)
    lines = house.board(str(board)).lines
    by_model = {line.model: line.mean for line in lines}
    assert mean["score_a"] * 100 == pytest.approx(by_model["good"])
    assert mean["score_b"] * 100 == pytest.approx(by_model["fair"])
    text = render.render_comparison(found, "table")
    assert text.splitlines()[0] == "Ours · Mean of 2 columns · good less fair · release latest"
    assert "as if they went together" in text
    # By its name the dataset is compared as its board has it, too.
    assert house.compare_over("good", "fair", "MMVP").frame["strategy"].to_list()[1] == "group:pair"
    with pytest.raises(
        UsageError,
        match=r"Open VLM Leaderboard: good and fair have no runs .* for MMBench_V11, MMStar",
    ):
        house.compare_over("good", "fair", "openvlm")
    of_pairs = '{ benchmark = "MMVP"'
    board.write_text(board.read_text().replace(of_pairs, f'{of_pairs}, figure = "Pears"'))
    with pytest.raises(UsageError, match="no figure 'Pears' of that benchmark; there are "):
        house.compare_over("good", "fair", str(board))


@pytest.mark.slow
def test_few_apart_over_several_datasets(new_file: Path, tmp_path: Path) -> None:
    shutil.copy(new_file, tmp_path / "house.duckdb")
    house = QuickHouse(tmp_path / "house.duckdb")
    weights, in_macro = [], []
    for benchmark, n, wrong in (("Small", 8, {"0", "1"}), ("Large", 40, {"3", "4"})):
        keys = [str(number) for number in range(n)]
        rows = [
            {"question_key": key, "question": f"what {key}", "answer": "A"}
            | {"ability_topic": "few" if int(key) < 2 else "many"}
            | {label: f"thing {label}" for label in LABELS}
            for key in keys
        ]
        said = [
            {"model": model, "question_key": key, "prediction": "B" if model == "fair" and key in wrong else "A"}
            for model in ("good", "fair")
            for key in keys
        ]  # fmt: skip
        house.ingest(write_jsonl(tmp_path / f"{benchmark}-q.jsonl", rows), benchmark=benchmark)
        house.ingest(write_jsonl(tmp_path / f"{benchmark}-s.jsonl", said), benchmark=benchmark)
        weights += [1 / n / 2] * len(wrong)
        of_topic = [2 if int(key) < 2 else n - 2 for key in wrong]
        in_macro += [1 / size / 2 / 2 for size in of_topic]
    found = house.compare_over("good", "fair", "all")
    mean = found.frame.row(0, named=True)
    assert mean["difference"] == pytest.approx(sum(weights))
    # Of the sixteen ways only both that have all on one side are as far from 0.
    assert (mean["test"], mean["p_value"]) == ("signs", pytest.approx(2 / 16))
    assert "an exact test of the questions' signs" in render.render_comparison(found, "table")
    # Of means of abilities each question counts by how many its ability has.
    mean = house.compare_over("good", "fair", "all", average="macro").frame.row(0, named=True)
    assert mean["difference"] == pytest.approx(sum(in_macro))
    assert (mean["test"], mean["p_value"]) == ("signs", pytest.approx(2 / 16))
    assert (
        "apart" not in house.compare("good", "fair", dataset="Small", average="macro").frame.columns
    )
    # A dataset that waits for a judge leaves the others their rows.
    late = [
        {"model": model, "question_key": "0", "prediction": f"unclear {model}"}
        for model in ("good", "fair")
    ]
    said = [{"model": "good", "question_key": "0", "judge": "J", "reply": "A"}]
    question = [
        {
            "question_key": "0",
            "question": "late",
            "answer": "A",
            **dict.fromkeys(LABELS, "one of four"),
        }
    ]
    for name, rows in (("question", question), ("late", late), ("replies", said)):
        house.ingest(write_jsonl(tmp_path / f"{name}.jsonl", rows), benchmark="Late")
    waiting = house.compare_over("good", "fair", "Small,Late", judge="J").frame.to_dicts()
    assert [row["difference"] for row in waiting] == [None, pytest.approx(2 / 8), None]
    assert [row["n_pending"] for row in waiting] == [1, 0, 1]


@pytest.mark.slow
def test_the_command_and_what_it_refuses(house: Warehouse, tmp_path: Path) -> None:
    def said(*words: str) -> tuple[int, str]:
        done = run("evalhouse", "compare", "good", "fair", *words, "--db", house.path, cwd=tmp_path)
        return done.code, done.out + done.err

    code, text = said("--over", "Own,Other", "--margin", "5")
    assert code == 0
    assert text.splitlines()[0] == "Mean of 2 datasets · good less fair · release latest"
    refused: Iterable[tuple[tuple[str, ...], str]] = (
        (("--over", "Own", "--level", "topic"), "--level is for one dataset"),
        (
            ("--over", "Own", "--release", "paper_v1"),
            "the release in use has no view; field_v2 has one",
        ),
        (("--over", "Nothing"), "no dataset 'Nothing' of both good and fair; there are Other, Own"),
        (
            ("--over", "Own,Other", "--judge", "gpt"),
            "no judge 'gpt' on any of the datasets; there are none",
        ),
        (("--dataset", "Poor", "--average", "macro"), "Poor has no abilities to average over"),
        (("--dataset", "Own", "--average", "median"), "no average 'median'"),
        (
            ("--dataset", "Own", "--cluster", "scene"),
            "no question of Own has the attribute 'scene'",
        ),
    )
    for words, message in refused:
        code, text = said(*words)
        assert code != 0, words
        assert message in text, words


def test_groups_are_not_averaged(house: Warehouse) -> None:
    with pytest.raises(UsageError, match="no strategy 'group:x'"):
        house.compare("good", "fair", dataset="Own", strategy="group:x", average="macro")


@pytest.mark.slow
def test_few_apart_are_tested_exactly(new_file: Path, tmp_path: Path) -> None:
    """Of macro every way in which they could have gone; questions of small abilities weigh more."""
    shutil.copy(new_file, tmp_path / "house.duckdb")
    house = QuickHouse(tmp_path / "house.duckdb")
    keys = [str(n) for n in range(24)]
    sizes = {name: sum(_ability(key) == name for key in keys) for name in set(ABILITIES)}
    questions = [
        {"question_key": key, "question": f"near {key}", "answer": "A", "ability_topic": _ability(key)}
        | {label: f"thing {label}" for label in LABELS}
        | {"videoID": f"v{int(key) // 2}"}
        for key in keys
    ]  # fmt: skip
    differing = dict(zip(("0", "6", "1", "3", "9", "12"), (1, 1, 1, 1, -1, 1), strict=True))
    for n_apart in (0, 1, 4, 5, 6):
        benchmark = f"Near{n_apart}"
        apart = dict(list(differing.items())[:n_apart])
        wrong = {"good": {"2"}, "fair": {"2"}}
        for key, sign in apart.items():
            wrong["fair" if sign > 0 else "good"].add(key)
        said = [
            {"model": model, "question_key": key, "prediction": "B" if key in of else "A"}
            for model, of in wrong.items()
            for key in keys
        ]
        house.ingest(write_jsonl(tmp_path / f"q{n_apart}.jsonl", questions), benchmark=benchmark)
        house.ingest(write_jsonl(tmp_path / f"s{n_apart}.jsonl", said), benchmark=benchmark)
        weights = [sign / sizes[_ability(key)] / len(sizes) for key, sign in apart.items()]
        found = house.compare("good", "fair", dataset=benchmark, average="macro")
        row = found.frame.row(0, named=True)
        assert row["difference"] == pytest.approx(sum(weights), abs=1e-12)
        micro = house.compare("good", "fair", dataset=benchmark, cluster="videoID")
        clustered = micro.frame.row(0, named=True)
        if n_apart > 5:
            assert (row["test"], row["p_value"]) == ("t", row["t_p_value"])
            assert (clustered["test"], clustered["p_value"]) == ("t", clustered["t_p_value"])
            continue
        ways = [
            abs(sum(sign * one for sign, one in zip(signs, weights, strict=True)))
            for signs in itertools.product((1, -1), repeat=n_apart)
        ]
        wanted = fmean(one > abs(sum(weights)) - 1e-12 for one in ways)
        assert (row["test"], row["p_value"]) == ("signs", pytest.approx(wanted, abs=1e-12))
        assert "an exact test of the questions' signs" in render.render_comparison(found, "table")
        # Where each counts alike it is McNemar's, whatever is clustered.
        n_more = sum(sign > 0 for sign in apart.values())
        exact = stats.binomtest(n_more, n_apart).pvalue if n_apart else 1.0
        assert (clustered["test"], clustered["p_value"]) == ("mcnemar", pytest.approx(exact))

"""The MMBench talk's tables (2024): the published figures from answers, the rest against plain Python."""

from __future__ import annotations

import shutil
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import Warehouse
from tests import mmbench_replay as replay
from tests.houses import QuickHouse
from tests.mmbench_random import ABILITIES, JUDGES, MODELS, Small, rows_of, small_house
from tests.mmbench_replay import (
    L2,
    NAMES,
    Group,
    counts_of,
    printed,
    published,
    read,
    require_equal,
)
from tests.oracle import Ask
from tests.tables import add_replies, register_judge

pytestmark = [pytest.mark.papers, pytest.mark.all_releases]

ROUND = 1000
"""Questions of Tables 1 and 2: so many that every printed cell is k out of them."""
SECTIONS = {
    "Large Language Models": {"kind": "LLM", "access": "proprietary"},
    "OpenSource VLMs": {"kind": "ImageLLM", "access": "open"},
    "Proprietary VLMs": {"kind": "ImageLLM", "access": "proprietary"},
}
COLUMNS = {"overall": "Overall", **{L2[l2]: l2 for l2 in L2}}


@pytest.fixture(scope="module")
def tables(shared: Path) -> Path:
    return shared / "paper_tables"


def main_groups(tables: Path) -> list[Group]:
    rows = read(tables / "mmbench_test2024_inferred_l2_counts.csv")
    return [Group("test", NAMES[row["l2"]], None, int(row["n"])) for row in rows]


def of_thousand(cell: str) -> int:
    return int(Fraction(cell) * ROUND / 100)


TABLE_1 = Group("val", None, None, ROUND)
TABLE_2 = Group("dev", None, None, ROUND)


def matched_rows(row: dict[str, str]) -> list[dict[str, Any]]:
    """Table 1: the rules match some answers, of which some are right, and a judge the rest."""
    matched, by_rules, gain = (of_thousand(row[c]) for c in ("match_rate", "match_acc", "llm_gain"))
    texts = ["A"] * by_rules + ["C"] * (matched - by_rules)
    texts += ["it purrs"] * gain + ["it runs fast"] * (ROUND - matched - gain)
    return [
        {"model": row["vlm"], "split": "val", "question_key": key, "pass": 0, "prediction": text}
        for key, text in zip(TABLE_1.keys, texts, strict=True)
    ]


@pytest.fixture(scope="module")
def house(tables: Path, empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The main results on test, Table 2 on dev, Table 1 on val, where a judge J reads the free texts."""
    folder = tmp_path_factory.mktemp("talk")
    passes = {"test": 1, "dev": 2, "val": 1}
    groups = [*main_groups(tables), TABLE_1, TABLE_2]
    answers, facts = [], []
    for row in read(tables / "slides_main_results_mar2024_test_l2.csv"):
        facts.append({"name": row["model"], **SECTIONS[row["section"]]})
        for group in main_groups(tables):
            (k,) = counts_of(row[{name: l2 for l2, name in NAMES.items()}[group.l2 or ""]], group.n)
            answers += replay.answer_rows(row["model"], group, k, 1)
    for row in read(tables / "slides_t2_circular_vs_vanilla_dev.csv"):
        right, lucky = of_thousand(row["circular"]), -of_thousand(row["acc_change"])
        answers += replay.answer_rows(row["vlm"], TABLE_2, right, 2, n_lucky=lucky)
    for row in read(tables / "slides_t1_if_stats.csv"):
        answers += matched_rows(row)
    pl.DataFrame(answers).write_parquet(folder / "answers.parquet")
    facts[0] |= {"released_on": "2024-01-25", "parameters_billion": None}
    facts[1] |= {
        "vision_backbone": "CLIP ViT-L/14",
        "language_backbone": "MPT-7B",
        "parameters_billion": 9,
    }
    shutil.copy(empty_file, folder / "talk.duckdb")
    made = QuickHouse(folder / "talk.duckdb")
    made.ingest(replay.question_file(folder / "questions.parquet", groups, passes), benchmark="MMBench")  # fmt: skip
    made.ingest(folder / "answers.parquet", benchmark="MMBench")
    made.ingest(replay.model_file(folder / "models.csv", facts))
    judge = register_judge(made, "J")
    asks = [Ask(key, {0: replay.CHOICES}, {0: "A"}) for key in TABLE_1.keys]
    said = [
        (ask, 0, text, label)
        for ask in asks
        for text, label in (("it purrs", "A"), ("it runs fast", "C"))
    ]
    add_replies(made, judge, said)
    return made


def main_results(house: Warehouse, tables: Path) -> None:
    frame = printed(house, "talk_sections").filter(pl.col("dataset") == "MMBench/test")
    rows = read(tables / "slides_main_results_mar2024_test_l2.csv")
    require_equal(replay.cells(frame, COLUMNS), published(rows, COLUMNS.values(), "test"), {})


def test_main_results(house: Warehouse, tables: Path) -> None:
    """Every Overall from the L-2 cells, to the printed digit."""
    main_results(house, tables)


def test_sections_facts_and_headings(house: Warehouse, tables: Path) -> None:
    frame = printed(house, "talk_sections").filter(pl.col("dataset") == "MMBench/test")
    rows = read(tables / "slides_main_results_mar2024_test_l2.csv")
    assert [(row["section"], row["model"]) for row in frame.iter_rows(named=True)] == [
        (row["section"], row["model"]) for row in rows
    ]
    facts = ["Release", "Vision backbone", "Language backbone", "Params (B)"]
    assert replay.headings(frame, "talk_sections") == ["Model", *facts, *list(rows[0])[2:]]
    first, second = frame.head(2).iter_rows(named=True)
    assert (str(first["released_on"]), first["parameters_billion"]) == ("2024-01-25", None)
    assert (
        second["vision_backbone"],
        second["language_backbone"],
        second["parameters_billion"],
    ) == ("CLIP ViT-L/14", "MPT-7B", 9)
    unknown = printed(house, "talk_sections").filter(pl.col("dataset") == "MMBench/val")
    assert set(unknown.filter(pl.col("model") == "GeminiProVision")["section"]) == {"Access unknown"}  # fmt: skip


def test_one_verdict_more_or_less_breaks_the_main_results(
    house: Warehouse, tables: Path, tmp_path: Path
) -> None:
    shutil.copy(house.path, tmp_path / "flipped.duckdb")
    flipped = QuickHouse(tmp_path / "flipped.duckdb")
    with flipped.writing() as con:
        found = con.execute(
            "SELECT run_id, question_id FROM main.prediction JOIN main.run USING (run_id) JOIN "
            "main.dataset AS d USING (dataset_id) JOIN main.model AS m USING (model_id) "
            "WHERE d.split = 'test' AND m.name = 'GPT-4v' AND text = 'A' ORDER BY question_id"
        ).fetchone()
        assert found is not None
        con.execute(
            "UPDATE main.prediction SET text = 'C' WHERE run_id = ? AND question_id = ?", found
        )
    # By hand: boards show it once it is verified.
    flipped.refresh(verify=True)
    with pytest.raises(AssertionError):
        main_results(flipped, tables)


def test_table_1(house: Warehouse, tables: Path) -> None:
    """X is what the rules find, Y what the judge adds; each total of the paper is their sum."""
    columns = {
        "match_rate": "match_rate",
        "match_acc": "match_acc",
        "judge_gain": "llm_gain",
        "total_acc": "total_acc",
    }
    frame = printed(house, "talk_t1", "J").filter(pl.col("dataset") == "MMBench/val")
    rows = read(tables / "slides_t1_if_stats.csv")
    require_equal(replay.cells(frame, columns), published(rows, columns.values(), "val"), {})
    alone = printed(house, "talk_t1").filter(pl.col("dataset") == "MMBench/val")
    assert alone["match_rate"].to_list() == frame["match_rate"].to_list()
    assert alone["total_acc"].to_list() == frame["match_acc"].to_list()
    assert set(alone["judge_gain"]) == {0.0}


def test_table_2(house: Warehouse, tables: Path) -> None:
    frame = printed(house, "talk_t2").filter(pl.col("dataset") == "MMBench/dev")
    names = {"circular": "circular", "acc_change": "acc_change"}
    rows = read(tables / "slides_t2_circular_vs_vanilla_dev.csv")
    require_equal(replay.cells(frame, names), published(rows, names, "dev"), {})


def test_challenging_abilities_as_the_talk_names_them(
    make_house: Any, tables: Path, tmp_path: Path
) -> None:
    """One model with the published A_max in four abilities, another with none, and an easier ability."""
    rows = read(tables / "slides_amax_challenging.csv")
    groups = [Group("dev", None, row["l3"], ROUND) for row in rows]
    groups.append(Group("dev", None, "OCR", 10))
    right = [of_thousand(row["a_max"]) for row in rows]
    answers = []
    for group, k in zip(groups, [*right, 9], strict=True):
        answers += replay.answer_rows("best", group, k, 1)
        answers += replay.answer_rows("other", group, 0, 1)
    pl.DataFrame(answers).write_parquet(tmp_path / "answers.parquet")
    house: Warehouse = make_house("challenging")
    house.ingest(
        replay.question_file(tmp_path / "questions.parquet", groups, {"dev": 1}),
        benchmark="MMBench",
    )
    house.ingest(tmp_path / "answers.parquet", benchmark="MMBench")
    found = printed(house, "talk_challenging")
    expected = sorted((k, str(group.l3)) for group, k in zip(groups, right, strict=False))
    assert [tuple(row) for row in found.select("place", "ability", "a_max", "n_best").iter_rows()] == [
        (place, ability, pytest.approx(k / 10), 1) for place, (k, ability) in enumerate(expected, 1)
    ] + [(5, "OCR", pytest.approx(90), 1)]  # fmt: skip
    questions = printed(house, "talk_challenging_questions")
    assert len(questions) == 4 * ROUND
    assert Counter(questions["ability"].to_list()) == dict.fromkeys(
        [row["l3"] for row in rows], ROUND
    )
    assert Counter(questions["n_right"].to_list()) == {1: sum(right), 0: 4 * ROUND - sum(right)}


# Against plain Python, on random answers.


@pytest.fixture(scope="module", params=[1, 2])
def small(
    request: pytest.FixtureRequest, empty_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, Small]:
    return small_house(empty_file, tmp_path_factory.mktemp("small"), request.param)


@JUDGES
def test_table_1_is_over_what_was_answered(small: tuple[Warehouse, Small], judge: str) -> None:
    """As Table 4 of the paper has the same runs; missing answers are reported, and not counted as wrong."""
    house, data = small
    paper = {row["model"]: row for row in rows_of(house, "mmbench_t4", judge)}
    alone = {row["model"]: row for row in rows_of(house, "talk_t1", "none")}
    found = {row["model"]: row for row in rows_of(house, "talk_t1", judge)}
    assert found.keys() == set(MODELS)
    for model, row in found.items():
        assert row["total_acc"] == paper[model]["vanilla"]
        assert row["match_acc"] == alone[model]["total_acc"]
        n_there = sum((ask.key, 0) in data.said[model] for ask in data.asks)
        assert row["coverage"] == pytest.approx(100 * n_there / len(data.asks), abs=1e-9)
        if row["total_acc"] is not None:
            assert row["judge_gain"] == pytest.approx(row["total_acc"] - row["match_acc"])
    assert any(row["coverage"] < 100 for row in found.values())


@JUDGES
def test_means_best_and_challenging(small: tuple[Warehouse, Small], judge: str) -> None:
    house, data = small
    scores = {a: {m: data.percent(m, judge, a) for m in MODELS} for a in ABILITIES}
    known = {
        ability: {m: s for m, s in of.items() if s is not None} for ability, of in scores.items()
    }
    found = {r["ability"]: r for r in rows_of(house, "mmbench_ability_mean", judge)}
    for ability, of in known.items():
        row = found[ability]
        mean = sum(of.values()) / len(of) if of else None
        assert (row["n_models"], row["mean_score"]) == (len(of), pytest.approx(mean, abs=1e-9))
    best = {ability: max(of.values()) for ability, of in known.items() if of}
    expected = {
        (ability, m)
        for ability, top in best.items()
        for m, s in known[ability].items()
        if round(s, 9) == round(top, 9)
    }
    rows = [r for r in rows_of(house, "mmbench_ability_best", judge) if r["level"] == "l3"]
    assert {(r["ability"], r["model"]) for r in rows} == expected
    challenging = rows_of(house, "talk_challenging", judge)
    assert {r["ability"]: r["a_max"] for r in challenging} == pytest.approx(best, abs=1e-9)
    for row in challenging:
        lower = sum(round(a, 9) < round(best[row["ability"]], 9) for a in best.values())
        assert row["place"] == 1 + lower
    four = {row["ability"] for row in challenging if row["place"] <= 4}
    questions = rows_of(house, "talk_challenging_questions", judge)
    assert {q["question_key"] for q in questions} == {k for k, a in data.ability.items() if a in four}  # fmt: skip
    for question in questions:
        here = [data.scores(m, judge)[question["question_key"]] for m in MODELS]
        whole = [s for s in here if s.n_missing == 0]
        assert question["n_models"] == len(whole)
        assert question["n_absent"] == len(here) - len(whole)
        assert question["n_right"] == sum(s.low == 1 for s in whole)
        assert question["n_open"] == sum(s.low != s.high for s in whole)


@JUDGES
def test_screening(small: tuple[Warehouse, Small], judge: str) -> None:
    house, data = small
    blind, hard = set(), set()
    for ask in data.asks:
        whole = {m: s for m in MODELS if (s := data.scores(m, judge)[ask.key]).n_missing == 0}
        texts = [s for m, s in whole.items() if MODELS[m] == "LLM"]
        others = [s for m, s in whole.items() if MODELS[m] != "LLM"]
        if texts and all(s.low == 1 for s in texts):
            blind.add((ask.key, len(texts), len(others), sum(s.high == 0 for s in others)))
        if others and all(s.high == 0 for s in others):
            hard.add((ask.key, len(others), len(texts), sum(s.low == 1 for s in texts)))
    found = rows_of(house, "talk_screen_blind", judge)
    fields = ("question_key", "n_blind", "n_seeing", "n_seeing_wrong")
    assert {tuple(r[f] for f in fields) for r in found} == blind
    found = rows_of(house, "talk_screen_hard", judge)
    fields = ("question_key", "n_seeing", "n_blind", "n_blind_right")
    assert {tuple(r[f] for f in fields) for r in found} == hard
    assert blind
    assert hard
    assert all(r["question"] == f"Q {r['question_key']}" for r in found)


@JUDGES
def test_english_and_chinese(small: tuple[Warehouse, Small], judge: str) -> None:
    """The same models on both; a French dataset or another version is no partner."""
    house, data = small
    found = rows_of(house, "talk_en_cn", judge)
    assert {r["dataset_cn"] for r in found} == {"MMBench/dev/cn"}
    seen = {(r["model"], r["ability"]): r for r in found if r["level"] in ("overall", "l3")}
    assert seen.keys() == {(m, a) for m in MODELS for a in (*ABILITIES, "Overall")}
    for (model, ability), row in seen.items():
        en, cn = (
            side.percent(model, judge, None if ability == "Overall" else ability)
            for side in (data, data.chinese)
        )
        assert (row["en"], row["cn"]) == pytest.approx((en, cn), abs=1e-9)
        change = None if en is None or cn is None else cn - en
        assert row["difference"] == pytest.approx(change, abs=1e-9)

"""Studies where something is missing: pending verdicts, answers numbered from 1, labels that are never right."""

from __future__ import annotations

import math
import random
import shutil
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import scipy.stats

from evalhouse import UsageError, Warehouse
from queries import label_frame, show, studies, suggest
from tests.houses import QuickHouse
from tests.tables import write_jsonl

# One warehouse for all of them takes seconds to make.
pytestmark = pytest.mark.slow

CHOICES = {label: f"thing {label}" for label in "ABCD"}
KEYS = [str(number) for number in range(24)]
MODELS = [f"m{number}" for number in range(5)]


class World:
    """Models of growing skill; J decides what no rule reads, of the last model the odd questions alone; K and
    the person ann are asked about some models."""

    def __init__(self) -> None:
        drawn = random.Random(4)
        self.key = {key: drawn.choice("ABC") for key in KEYS}
        self.said: dict[tuple[str, str], str] = {}
        for place, model in enumerate(MODELS):
            for key in KEYS:
                if drawn.random() < 0.3:
                    self.said[model, key] = f"hmm {model} {key}"
                elif drawn.random() > 0.05:
                    is_right = drawn.random() < 0.3 + 0.1 * place
                    self.said[model, key] = self.key[key] if is_right else drawn.choice("ABCD")
        unread = [place for place, text in self.said.items() if text.startswith("hmm")]
        self.verdicts = {
            judge: {place: drawn.choice([self.key[place[1]], "X"]) for place in unread if place in of}
            for judge, of in (
                ("J", {(m, k) for m in MODELS for k in KEYS if m != MODELS[-1] or int(k) % 2}),
                ("K", {(m, k) for m in MODELS[:2] for k in KEYS}),
                ("ann", {(MODELS[0], k) for k in KEYS[::3]}),
            )
        }  # fmt: skip

    def score(self, judge: str, model: str, key: str) -> float | None:
        text = self.said.get((model, key))
        if text is not None and text.startswith("hmm") and judge != "none":
            text = self.verdicts[judge].get((model, key))
            return None if text is None else float(text == self.key[key])
        return float(text == self.key[key])


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@pytest.fixture(scope="module")
def house(new_file: Path, tmp_path_factory: pytest.TempPathFactory, world: World) -> Warehouse:
    folder = tmp_path_factory.mktemp("states")
    house = QuickHouse(shutil.copy(new_file, folder / "house.duckdb"))
    number = iter(range(100))

    def read(benchmark: str, rows: list[dict[str, Any]], **more: Any) -> None:
        house.ingest(
            write_jsonl(folder / f"{next(number)}.jsonl", rows), benchmark=benchmark, **more
        )

    read("Judged", [
        {"question_key": key, "question": f"q {key}", **CHOICES, "answer": label}
        for key, label in world.key.items()
    ])  # fmt: skip
    read("Judged", [
        {"model": model, "question_key": key, "prediction": text} for (model, key), text in world.said.items()
    ])  # fmt: skip
    for judge, verdicts in world.verdicts.items():
        said = "verdict" if judge == "ann" else "reply"
        read("Judged", [
            {"model": model, "question_key": key, "judge": judge, said: label}
            for (model, key), label in verdicts.items()
        ])  # fmt: skip
    # A run of the text alone, of which J has read half.
    read(
        "Judged",
        [{"model": "m0", "question_key": key, "prediction": f"well {key}"} for key in KEYS],
        input="text",
        run="blind",
    )
    read(
        "Judged",
        [{"model": "m0", "question_key": key, "judge": "J", "reply": "X"} for key in KEYS[::2]],
        run="blind",
    )
    # Answers numbered from 1, as some harnesses do; the key is never D.
    read("Numbered", [
        {"question_key": key, "question": f"n {key}", **CHOICES, "answer": "ABC"[int(key) % 3]} for key in KEYS
    ])  # fmt: skip
    read("Numbered", [
        {"model": model, "question_key": key, "sample": sample, "prediction": "D" if int(key) % 2 else "A"}
        for model in MODELS[:3] for key in KEYS for sample in (1, 2)
    ])  # fmt: skip
    # Two models name D, one C; of what J cannot read a label is drawn, which is nobody's word.
    read("Suspect", [
        {"question_key": key, "question": f"s {key}", **CHOICES, "answer": "A"} for key in KEYS
    ])  # fmt: skip
    read("Suspect", [
        {"model": model, "question_key": key,
         "prediction": "A" if int(key) > 2 else "D" if model in MODELS[:2] and key != "1" else
         "C" if model == MODELS[0] else f"well {model} {key}"}
        for model in MODELS[:4] for key in KEYS
    ])  # fmt: skip
    read("Suspect", [
        {"model": model, "question_key": key, "judge": "J", "reply": "what?"} for model in MODELS[1:4] for key in "012"
        if model != MODELS[1] or key == "1"
    ])  # fmt: skip
    # Of the even questions a rule reads one pass as wrong, which decides them.
    read("Decided", [
        {"question_key": key, "pass": step, "question": f"d {key}", **CHOICES, "answer": "AB"[step]}
        for key in KEYS[:7] for step in (0, 1)
    ])  # fmt: skip
    read("Decided", [
        {"model": "m0", "question_key": key, "pass": step,
         "prediction": f"well {key}" if step else "A" if int(key) % 2 else "C"}
        for key in KEYS[:7] for step in (0, 1)
    ])  # fmt: skip
    read("Decided", [
        {"model": "m0", "question_key": key, "pass": 1, "judge": "J", "reply": "B"} for key in KEYS[:7]
    ])  # fmt: skip
    # K has what J has right wrong, of the only model that both were asked about.
    read("Linked", [
        {"question_key": key, "question": f"l {key}", **CHOICES, "answer": "A"} for key in KEYS[:4]
    ])  # fmt: skip
    read("Linked", [
        {"model": model, "question_key": key, "prediction": f"well {model} {key}"}
        for model in MODELS[:2] for key in KEYS[:4]
    ])  # fmt: skip
    read("Linked", [
        {"model": model, "question_key": key, "judge": judge, "reply": label}
        for model, judge, label in (("m0", "J", "A"), ("m0", "K", "B"), ("m1", "K", "A")) for key in KEYS[:4]
    ])  # fmt: skip
    # G graded one model twice, and the other one's answers in its second sample alone.
    read(
        "Graded",
        [{"question_key": key, "question": f"g {key}", "reference": "yes"} for key in KEYS[:6]],
    )
    read("Graded", [
        {"model": model, "question_key": key, "prediction": f"{model} says {key}"}
        for model in MODELS[:2] for key in KEYS[:6]
    ])  # fmt: skip
    for samples in ((0, 1), (1,)):
        read("Graded", [
            {"model": f"m{2 - len(samples)}", "question_key": key, "judge": "G", "judge_sample": sample,
             "reply": str(0.5 + int(key) / 10 * (2 - len(samples)))}
            for key in KEYS[:6] for sample in samples
        ])  # fmt: skip
    # The first pass is always right, the second in one answer of five.
    read("Circle", [
        {"question_key": key, "pass": step, "question": f"c {key}", **CHOICES, "answer": "AB"[step]}
        for key in KEYS[:4] for step in (0, 1)
    ])  # fmt: skip
    read("Circle", [
        {"model": "m0", "question_key": key, "pass": step, "sample": sample,
         "prediction": "A" if step == 0 else "B" if sample == 3 or key == "0" else "C"}
        for key in KEYS[:4] for step in (0, 1) for sample in range(5)
    ])  # fmt: skip
    return house


def _rows(house: Warehouse, name: str, **where: object) -> list[dict[str, Any]]:
    with house.reading() as con:
        return studies.rows(con, name, where).to_dicts()


def test_items_where_verdicts_are_pending(house: Warehouse, world: World) -> None:
    """A model is seen by the mean of what is known of it, and judges by the models that all have scored."""
    rows = _rows(house, "item_statistics", dataset="Judged", judge="J")
    assert len(rows) == len(KEYS)
    scores = {(m, k): world.score("J", m, k) for m in MODELS for k in KEYS}
    assert None in scores.values()
    for row in rows:
        key = row["question_key"]
        of = [model for model in MODELS if scores[model, key] is not None]
        rest = [
            fmean(
                s for k in KEYS if k != key for s in [scores[model, k]] if s is not None
            )
            for model in of
        ]  # fmt: skip
        item = [scores[model, key] for model in of]
        assert row["n_models"] == len(of)
        if len(set(item)) > 1:
            found = scipy.stats.pearsonr(item, rest).statistic
            assert row["item_rest"] == pytest.approx(found, abs=1e-9)
        both = [
            [world.score(judge, model, key) for judge in "JK"]
            for model in MODELS
            if None not in [world.score(judge, model, key) for judge in "JK"]
        ]
        apart = abs(fmean(float(j or 0) for j, _ in both) - fmean(float(k or 0) for _, k in both))
        assert row["judge_spread"] == pytest.approx(apart, abs=1e-9)


def test_what_is_pending_is_not_a_score(house: Warehouse) -> None:
    """The mean over what a judge has read would be the gain of other questions."""
    gains = {row["judge"]: row for row in _rows(house, "multimodal_gain")}
    assert gains["J"]["score_image"] is not None
    assert (gains["J"]["score_text"], gains["J"]["gain"]) == (None, None)
    assert gains["none"]["score_text"] == 0
    (row,) = _rows(house, "dataset_reliability", dataset="Judged", judge="J")
    assert (row["n_blind"], row["blind_score"], row["share_solved_blind"]) == (1, None, None)


def test_the_first_answer_is_not_always_number_0(house: Warehouse) -> None:
    rows = _rows(house, "position_bias", dataset="Numbered", model="m0", judge="none")
    assert [(row["label"], row["n"], row["recall"], row["n_said"]) for row in rows] == [
        ("A", 8, 0.5, 12),
        ("B", 8, 0, 0),
        ("C", 8, 0, 0),
        # Named and never right.
        ("D", 0, None, 12),
    ]
    assert rows[0]["recall_spread"] == pytest.approx(math.sqrt(0.5 / 9), abs=1e-9)
    # Keys that no model names, B and C, where all three name another label.
    items = _rows(house, "item_statistics", dataset="Numbered", judge="none")
    assert {row["top_wrong"] for row in items if int(row["question_key"]) % 2} == {"D"}


def test_a_label_of_pass_0_does_not_elect_a_question(house: Warehouse) -> None:
    row = _rows(house, "sample_result", dataset="Circle", judge="none", k=5)[0]
    assert row["mean"] == pytest.approx(fmean([1, 0.2, 0.2, 0.2]), abs=1e-9)
    assert row["majority"] == 0.25


def test_a_drawn_label_is_nobodys_word(house: Warehouse) -> None:
    """And what one model alone names is no suspicion: question 1."""
    drawn = house.sql(
        "SELECT predicted FROM pass_result WHERE dataset = 'Suspect' AND judge = 'J' AND resolved_by = 'random'"
    )
    assert drawn.height == 7
    rows = _rows(house, "suspect_answer", dataset="Suspect", judge="J")
    assert [(row["question_key"], row["why"].split(";")[0]) for row in rows] == [
        (key, "2 of 2 models name D, 0 the key A") for key in "02"
    ]
    items = {
        row["question_key"]: row
        for row in _rows(house, "item_statistics", dataset="Suspect", judge="J")
    }
    assert items["1"]["n_models"] == 4
    said = {
        row["label"]: row["n_said"]
        for row in _rows(house, "position_bias", dataset="Suspect", judge="J", model="m2")
    }
    assert sum(said.values()) == len(KEYS) - 3
    with house.reading() as con:
        rivals = {key: show.show(con, key, model="m0", dataset="Suspect")[0].rival for key in "01"}
        assert rivals["0"] is not None
        assert (rivals["0"]["other"], rivals["0"]["n_models"], rivals["1"]) == ("D", 2, None)
        with pytest.raises(
            UsageError,
            match="no dataset 'Suspected' of Suspect has scores under J; there are Suspect",
        ):
            suggest.suggest(con, "Suspect", 3, judge="J", dataset="Suspected")


def test_what_rules_decide_needs_no_label(house: Warehouse) -> None:
    """The judge was asked of a pass of every question, and decides three of seven."""
    with house.writing() as con:
        frame = label_frame.make(con, "J", n=7, benchmark="Decided")
    assert [(one.name, one.n) for one in frame.strata] == [("all", 3)]


def test_a_board_that_goes_on_has_no_score_above_1(house: Warehouse) -> None:
    rows = _rows(
        house, "board_link", dataset="Linked", judge_old="J", judge_new="K", level="overall"
    )
    assert [(row["model"], row["place"], row["score"], row["linked_score"], row["how"]) for row in rows] == [
        ("m1", 1, 1, 2, "new judge less shift, cut"),
        ("m0", 2, 1, 1, "old judge"),
    ]  # fmt: skip


def test_a_judge_sample_that_a_run_has_not_is_not_waited_for(house: Warehouse) -> None:
    """As on boards, where both models have a score."""
    items = _rows(house, "item_statistics", dataset="Graded", judge="G")
    assert [(row["n_models"], row["share_right"]) for row in items] == [
        (2, pytest.approx(0.5 + number / 20)) for number in range(6)
    ]
    parts = _rows(house, "variance_part", dataset="Graded", part="judge")
    assert {row["model"]: row["n"] for row in parts} == {"m0": 2, "m1": 1}
    means = {row["model"]: row["mean"] for row in _rows(house, "sample_result", dataset="Graded")}
    assert means == {"m0": pytest.approx(0.5), "m1": pytest.approx(0.75)}

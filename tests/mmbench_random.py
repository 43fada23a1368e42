"""Random answers to small MMBench datasets, and what plain Python makes of them (see oracle.py)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import Warehouse
from tests import mmbench_replay as replay
from tests.houses import QuickHouse
from tests.oracle import Ask, JudgeReplies, Score, pass_state, question_scores
from tests.tables import add_replies, question_rows, write_jsonl
from warehouse import judges, sources
from warehouse.connection import transaction

JUDGES = pytest.mark.parametrize("judge", ["none", "J", "P"])
ABILITIES = ("Image Style", "Image Quality", "OCR", "Future Prediction", "Social Relation")
MODELS = {"see1": "ImageLLM", "see2": None, "see3": "VideoLLM", "blind1": "LLM", "blind2": "LLM"}
TEXTS = ("A", "B", "(B)", "The answer is A.", "hmm", "no idea", "well", " ", None)


class Small:
    """A dataset of 20 questions with random answers, as the oracle sees it, under three judges."""

    chinese: Small

    def __init__(self, seed: int, judged: Mapping[str, JudgeReplies | None] | None = None) -> None:
        pick = random.Random(seed)
        labels = {0: "AB", 1: "BA"}
        self.asks = [
            Ask(str(i), {p: {"A": f"a{p}", "B": f"b{p}"} for p in labels}, {p: labels[p][i % 2] for p in labels})
            for i in range(20)
        ]  # fmt: skip
        self.ability = {ask.key: ABILITIES[int(ask.key) % 5] for ask in self.asks}
        self.said: dict[str, dict[tuple[str, int], tuple[str | None, bool]]] = {}
        for model in MODELS:
            share = {"see1": 0.8, "see2": 0.4, "see3": 0.0, "blind1": 0.9, "blind2": 0.9}[model]
            self.said[model] = {
                (ask.key, p): ((ask.answers[p] if pick.random() < share else pick.choice(TEXTS)), False)
                for ask in self.asks
                for p in labels
                if model in ("blind1", "see3") or pick.random() < 0.95
            }  # fmt: skip
        subjects = sorted(
            {
                (key, step, text)
                for of_model in self.said.values()
                for (key, step), (text, _) in of_model.items()
                if text in ("hmm", "no idea", "well")
            }
        )
        self.judges: dict[str, JudgeReplies | None] = {"none": None}
        for name, share in (("J", 0.8), ("P", 1.0)):
            replies = {s: [pick.choice("ABX")] for s in subjects if pick.random() < share}
            self.judges[name] = JudgeReplies(dict(replies.items()))
        if judged is not None:
            self.judges = dict(judged)

    def states(self, model: str, judge: str) -> dict[str, dict[int, tuple[str, str | None]]]:
        return {
            ask.key: {p: pass_state(ask, p, self.said[model], self.judges[judge]) for p in (0, 1)}
            for ask in self.asks
        }

    def scores(self, model: str, judge: str, strategy: str = "circular") -> dict[str, Score]:
        states = self.states(model, judge)
        return {ask.key: question_scores(ask, states[ask.key])[strategy] for ask in self.asks}

    def percent(
        self, model: str, judge: str, ability: str | None, strategy: str = "circular"
    ) -> float | None:
        """Over the questions that are answered; None while a verdict could change it."""
        here = [
            score
            for key, score in self.scores(model, judge, strategy).items()
            if ability in (None, self.ability[key])
        ]
        if any(score.low != score.high for score in here):
            return None
        lows = [score.low for score in here if score.n_missing == 0 and score.low is not None]
        return float(100 * sum(lows, Fraction()) / len(lows)) if lows else None

    def fill(self, house: Warehouse, folder: Path, **dataset: str) -> None:
        """Questions and answers of one dataset, through the ordinary adapters."""
        rows = [
            {**row, "ability_l3": self.ability[row["question_key"]]}
            for row in question_rows(self.asks)
        ]
        folder.mkdir()
        house.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="MMBench", split="dev", **dataset)  # fmt: skip
        said = [
            {"model": model, "question_key": key, "pass": step, "prediction": text}
            for model, of_model in self.said.items()
            for (key, step), (text, _) in of_model.items()
        ]
        house.ingest(write_jsonl(folder / "p.jsonl", said), benchmark="MMBench", split="dev", **dataset)  # fmt: skip

    def judge(self, house: Warehouse) -> None:
        by_key = {ask.key: ask for ask in self.asks}
        for name, kind in (("J", "llm"), ("P", "human")):
            replies = self.judges[name]
            assert replies is not None
            with house.writing() as con, transaction(con):
                source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
                judge = judges.Judge(name, "choice_extraction", kind, max_attempts=1)
                judge_id = judges.register(con, judge, source_id=source_id)
            add_replies(
                house,
                judge_id,
                [(by_key[k], p, t, said) for (k, p, t), said in replies.replies.items()],
            )


def small_house(empty_file: Path, folder: Path, seed: int) -> tuple[Warehouse, Small]:
    """The random answers on the English dataset, and others on the Chinese one of the same version."""
    shutil.copy(empty_file, folder / "small.duckdb")
    house, data = QuickHouse(folder / "small.duckdb"), Small(seed)
    data.fill(house, folder / "en", language="en")
    data.chinese = Small(seed + 100, data.judges)
    data.chinese.fill(house, folder / "cn", language="cn")
    Small(seed + 200).fill(house, folder / "v2", language="cn", version="2")
    Small(seed + 300).fill(house, folder / "fr", language="fr")
    data.judge(house)
    facts = [{"name": model, "kind": kind} for model, kind in MODELS.items()]
    house.ingest(replay.model_file(folder / "models.csv", facts))
    return house, data


def rows_of(house: Warehouse, view: str, judge: str) -> list[dict[str, Any]]:
    """A view's rows for the English dataset, in the order of its entry."""
    return (
        replay.printed(house, view, judge).filter(pl.col("dataset") == "MMBench/dev/en").to_dicts()
    )

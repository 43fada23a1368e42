"""The trunk, a warehouse of two models, and releases that change one view of the trunk each."""

from __future__ import annotations

from pathlib import Path

from evalhouse import Warehouse
from queries import release as releases
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

IN_WORDS = "answer_match"
"""What stands in the place of choice_match where answers are in words."""
TRUNK = (
    "choice_match",
    "pass_result",
    "question_result",
    "ability_sum",
    "ability_score",
    "leaderboard",
)
_MINE = "CASE WHEN {who} THEN {what} ELSE {column} END AS {column}"
_SCORES = ("score", "score_low", "score_high")
_POINTS = ("points_low", "points_high", "squares", "weighted_low", "weighted_high", "answered_low")
RULES: dict[str, tuple[str, dict[str, str]]] = {
    "answer_match": ("run_id = {two}", {"score": "1.0"}),
    "choice_match": ("model = 'two'", {"matched": "'B'", "state": "'matched'"}),
    "pass_result": ("model = 'two'", {"score": "1.0"}),
    "question_result": ("model = 'two'", dict.fromkeys(_SCORES, "1.0")),
    "ability_sum": ("run_id = {two}", dict.fromkeys(_POINTS, "1.0 * n")),
    "ability_score": ("model = 'two'", dict.fromkeys((*_SCORES, "score_answered"), "1.0")),
    "leaderboard": ("model = 'two'", {**dict.fromkeys(_SCORES, "1.0"), "rank": "1"}),
}
"""A rule for each view under which all that model two answers is right: whose rows, and columns."""


def two_models(path: Path) -> Warehouse:
    """Four questions of two passes, B being right; of two's answers half are wrong, of one's a quarter.

    Args:
        path: an empty warehouse.
    """
    house = QuickHouse(path)
    choices = {"A": "cat", "B": "dog"}
    questions = [Ask(str(k), {0: choices, 1: choices}, {0: "B", 1: "B"}) for k in range(4)]
    rows = [row | {"scene": f"s{row['question_key']}"} for row in question_rows(questions)]
    house.ingest(write_jsonl(path.parent / "q.jsonl", rows), benchmark="Own")
    said = [
        {"model": model, "question_key": ask.key, "pass": step, "prediction": text}
        for model, n_wrong in (("one", 1), ("two", 2))
        for ask in questions
        for step in (0, 1)
        for text in ["A" if step == 1 and int(ask.key) < n_wrong else "B"]
    ]
    house.ingest(write_jsonl(path.parent / "said.jsonl", said), benchmark="Own")
    return house


def two_models_in_words(path: Path, folder: Path) -> Warehouse:
    """Four questions of yes and no; of two's answers half are wrong, of one's a quarter.

    Args:
        path: an empty warehouse.
        folder: for the files.
    """
    house = QuickHouse(path)
    benchmark = folder / "words" / "benchmark.toml"
    benchmark.parent.mkdir()
    benchmark.write_text(
        'name = "Words"\ntask = "open"\nstrategy = "vanilla"\n[[rule]]\nrule = "yes_no"\n', "utf-8"
    )
    house.add_benchmark(benchmark.parent)
    questions = [
        {"question_key": str(k), "question": f"q{k}?", "references": ["Yes"]} for k in range(4)
    ]
    house.ingest(write_jsonl(folder / "words.jsonl", questions), benchmark="Words")
    rows = [
        {"model": model, "question_key": str(k), "prediction": "No." if k < n_wrong else "Yes."}
        for model, n_wrong in (("one", 1), ("two", 2))
        for k in range(4)
    ]
    house.ingest(write_jsonl(folder / "in_words.jsonl", rows), benchmark="Words")
    return house


def own_release(house: Warehouse, folder: Path, view: str, builds_on: str = "paper_v1") -> Path:
    """A user's release in which one view of the trunk has its own rule."""
    two = house.sql("SELECT run_id FROM current_run WHERE model = 'two'").item()
    columns = [row[0] for row in house.sql(f"DESCRIBE {view}", release=builds_on).iter_rows()]
    who, rule = RULES[view]
    columns = [
        _MINE.format(who=who.format(two=two), what=rule[name], column=name)
        if name in rule
        else name
        for name in columns
    ]
    path = folder / f"own_{view}"
    path.mkdir()
    (path / "release.toml").write_text(f'builds_on = "{builds_on}"\n')
    shipped = releases.load(builds_on).views[view].text
    # It ranks runs among each other.
    table = "table of all runs" if view == "leaderboard" else "kept per run"
    (path / f"{view}.sql").write_text(
        f"-- Mine.\n-- @{table}\nWITH shipped AS (\n{shipped}\n)\nSELECT {', '.join(columns)} FROM shipped\n",
        "utf-8",
    )
    return path

"""One trunk: a release that changes a view of it moves all that stands on that view, and nothing else does."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from evalhouse.demo.build import build as build_demo
from queries import compare, show
from queries import release as releases
from queries.plan import plan
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

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
    "choice_match": ("model = 'two'", {"matched": "'B'", "state": "'matched'"}),
    "pass_result": ("model = 'two'", {"score": "1.0"}),
    "question_result": ("model = 'two'", dict.fromkeys(_SCORES, "1.0")),
    "ability_sum": ("run_id = {two}", dict.fromkeys(_POINTS, "1.0 * n")),
    "ability_score": ("model = 'two'", dict.fromkeys((*_SCORES, "score_answered"), "1.0")),
    "leaderboard": ("model = 'two'", {**dict.fromkeys(_SCORES, "1.0"), "rank": "1"}),
}
"""A rule for each view under which all that model two answers is right: whose rows, and columns."""


@pytest.fixture(scope="module")
def house(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Four questions of two passes, B being right; of two's answers half are wrong, of one's a quarter."""
    folder = tmp_path_factory.mktemp("trunk")
    house = QuickHouse(Path(shutil.copy(empty_file, folder / "trunk.duckdb")))
    choices = {"A": "cat", "B": "dog"}
    questions = [Ask(str(k), {0: choices, 1: choices}, {0: "B", 1: "B"}) for k in range(4)]
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(questions)), benchmark="Own")
    rows = [
        {"model": model, "question_key": ask.key, "pass": step, "prediction": text}
        for model, n_wrong in (("one", 1), ("two", 2))
        for ask in questions
        for step in (0, 1)
        for text in ["A" if step == 1 and int(ask.key) < n_wrong else "B"]
    ]
    house.ingest(write_jsonl(folder / "said.jsonl", rows), benchmark="Own")
    return house


def _release(house: Warehouse, folder: Path, view: str) -> Path:
    """A user's release in which one view of the trunk has its own rule."""
    two = house.sql("SELECT run_id FROM current_run WHERE model = 'two'").item()
    columns = [row[0] for row in house.sql(f"DESCRIBE {view}").iter_rows()]
    who, rule = RULES[view]
    columns = [
        _MINE.format(who=who.format(two=two), what=rule[name], column=name)
        if name in rule
        else name
        for name in columns
    ]
    path = folder / f"own_{view}"
    path.mkdir()
    (path / "release.toml").write_text('builds_on = "paper_v1"\n')
    shipped = releases.load("paper_v1").views[view].text
    (path / f"{view}.sql").write_text(
        f"-- Mine.\n-- @kept per run\nWITH shipped AS (\n{shipped}\n)\nSELECT {', '.join(columns)} FROM shipped\n",
        "utf-8",
    )
    return path


def _one(house: Warehouse, release: str, query: str) -> Any:
    return house.sql(
        f"{query} AND judge = 'none' AND strategy = 'circular'", release=release
    ).item()


def test_the_trunk_is_one() -> None:
    """Each view of it is the only way from the one before to the one after."""
    reads = {item.file.name: item.depends_on for item in plan(releases.load("paper_v1"))}

    def rests(name: str, on: str, without: str | None = None) -> bool:
        below = [each for each in reads[name] if each != without]
        return on in below or any(rests(each, on, without) for each in below)

    for lower, upper in pairwise(TRUNK):
        assert rests(upper, lower)
    for view in TRUNK[3:]:
        assert not rests(view, "pass_result", without="question_result")
    for view in TRUNK[4:]:
        assert not rests(view, "question_result", without="ability_sum")
    assert not rests("leaderboard", "ability_sum", without="ability_score")
    for view in ("paired_difference", "score_interval", "rank_range", "subset_leaderboard"):
        assert not rests(view, "pass_result", without="question_result")
    assert not rests("subset_sample_total", "open_result", without="pass_result")


@pytest.mark.slow
@pytest.mark.parametrize(
    "view",
    [
        pytest.param(view, marks=() if view == "question_result" else pytest.mark.long)
        for view in TRUNK
    ],
)
def test_all_moves_alike(house: Warehouse, tmp_path: Path, view: str) -> None:
    own = _release(house, tmp_path, view)
    name = house.install_release(str(own))
    place = TRUNK.index(view)
    overall = "WHERE level = 'overall' AND average = 'micro' AND model = 'two'"
    views = ["leaderboard"]
    if place <= TRUNK.index("ability_score"):
        views += ["score_interval", "rank_range"]
    assert _one(house, "paper_v1", f"SELECT score FROM leaderboard {overall}") == 0.5
    for kept in (False, True):
        if kept:
            house.refresh(release=name)
        for each in views:
            subset = "" if each == "leaderboard" else " AND subset = 'all'"
            assert _one(house, name, f"SELECT score FROM {each} {overall}{subset}") == 1.0
        (shown,) = house.leaderboard("Own", release=name)
        found = {line.model: line.cells[0].score for line in shown.lines if line.cells[0]}
        assert found == {"one": 0.75, "two": 1.0}
    if place <= TRUNK.index("question_result"):
        row = house.compare("one", "two", release=name).frame.row(0, named=True)
        assert (row["score_a"], row["score_b"]) == (0.75, 1.0)
        with house.reading() as con:
            (shown,) = show.show(con, "0", model="two", release=name)
        assert {row["score"] for row in shown.scores if row["judge"] == "none"} == {1.0}
        if view != "question_result":
            assert {row["score"] for row in shown.results if row["judge"] == "none"} == {1.0}
    with house.reading() as con:
        changes = compare.compare(con, releases.load("paper_v1"), releases.load(str(own)))
    assert changes.ranks.filter(changes.ranks["model"] == "two")["after"].to_list() == [1.0]
    assert (changes.flips.height > 0) == (place <= TRUNK.index("pass_result"))


@pytest.mark.long
def test_half_of_the_passes_are_enough(tmp_path: Path) -> None:
    """A user's rule for questions: boards, compare and intervals give the same score."""
    house = build_demo(tmp_path / "demo")
    own = tmp_path / "half"
    own.mkdir()
    (own / "release.toml").write_text('builds_on = "paper_v1"\n')
    text = releases.load("paper_v1").views["question_result"].text
    rule = "required_passes(c.n_answered, c.n_expected)"
    assert rule in text
    (own / "question_result.sql").write_text(text.replace(rule, f"{rule} / 2.0"), "utf-8")
    (board,) = (
        one for one in house.leaderboard("MMBench", release=str(own)) if "dev" in one.dataset
    )
    found = {line.model: line.cells[0].score for line in board.lines if line.cells[0]}
    row = house.compare("Shikra", "Kosmos-2", release=str(own)).frame.row(0, named=True)
    assert found["Shikra"] == row["score_a"]
    assert found["Kosmos-2"] == row["score_b"]
    assert round(100 * row["score_a"], 2) == 85.37

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
from queries.render.pairs import comparison_table, over_many_table
from tests.trunk import IN_WORDS, TRUNK, own_release, two_models, two_models_in_words


@pytest.fixture(scope="module")
def house(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("trunk")
    return two_models(Path(shutil.copy(empty_file, folder / "trunk.duckdb")))


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

    for lower, upper in (*pairwise(TRUNK), (IN_WORDS, "pass_result")):
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
    own = own_release(house, tmp_path, view)
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
    compared = house.compare("one", "two", release=name)
    if place <= TRUNK.index("question_result"):
        assert compared.on_boards is None
        row = compared.frame.row(0, named=True)
        assert (row["score_a"], row["score_b"]) == (0.75, 1.0)
        with house.reading() as con:
            (shown,) = show.show(con, "0", model="two", release=name)
        assert {row["score"] for row in shown.scores if row["judge"] == "none"} == {1.0}
        if view != "question_result":
            assert {row["score"] for row in shown.results if row["judge"] == "none"} == {1.0}
    else:
        # Questions have the scores that they had; what boards make of them is said.
        assert compared.on_boards == (0.75, 1.0)
        (line,) = [note for note in comparison_table(compared, digits=1).notes if "Boards" in note]
        assert "one 75.0 and two 100.0" in line
        clustered = house.compare("one", "two", release=name, cluster="scene")
        assert clustered.on_boards == (0.75, 1.0)
    with house.reading() as con:
        changes = compare.compare(con, releases.load("paper_v1"), releases.load(str(own)))
    assert changes.ranks.filter(changes.ranks["model"] == "two")["after"].to_list() == [1.0]
    assert (changes.flips.height > 0) == (place <= TRUNK.index("pass_result"))


@pytest.mark.slow
def test_all_moves_alike_for_answers_in_words(empty_file: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(empty_file, tmp_path / "words.duckdb"))
    house = two_models_in_words(path, tmp_path)
    own = own_release(house, tmp_path, IN_WORDS, "field_v2")
    name = house.install_release(str(own))
    overall = (
        "WHERE level = 'overall' AND average = 'micro' AND model = 'two' AND strategy = 'vanilla'"
    )
    for kept in (False, True):
        if kept:
            kept_results = house.refresh(release=name)
            assert kept_results.n_fresh == kept_results.n_runs == 2
        for view in ("subset_leaderboard", *(("score_interval", "rank_range") if kept else ())):
            query = f"SELECT score FROM {view} {overall} AND judge = 'none' AND subset = 'all'"
            assert house.sql(query, release="field_v2").item() == 0.5
            assert house.sql(query, release=name).item() == 1.0
        row = house.compare("one", "two", release=name).frame.row(0, named=True)
        assert (row["score_a"], row["score_b"]) == (0.75, 1.0)
    with house.reading() as con:
        (shown,) = show.show(con, "0", model="two", release=name)
        assert {row["score"] for row in shown.results} == {1.0}
        changes = compare.compare(con, releases.load("field_v2"), releases.load(str(own)))
    assert changes.ranks.filter(changes.ranks["model"] == "two")["after"].to_list() == [1.0]
    assert changes.flips.height > 0
    above = str(own_release(house, tmp_path, "ability_score", "field_v2"))
    many = house.compare_over("one", "two", "all", release=above)
    (note,) = [one for one in over_many_table(many, digits=1).notes if "Boards of" in one]
    assert note.startswith(
        "Boards of own_ability_score score the questions of Words by a rule of its own."
    )


@pytest.mark.long
def test_half_of_the_passes_are_enough(tmp_path: Path) -> None:
    """A user's rule for questions: boards and compare give the same score, computed and kept."""
    house = build_demo(tmp_path / "demo")
    own = tmp_path / "half"
    own.mkdir()
    (own / "release.toml").write_text('builds_on = "paper_v1"\n')
    text = releases.load("paper_v1").views["question_result"].text
    rule = "required_passes(c.n_answered, c.n_expected)"
    assert rule in text
    changed = text.replace(rule, f"{rule} / 2.0")
    computed = _half(house, own, changed, n_kept=0)
    assert round(100 * computed[0]["Shikra"], 2) == 85.37
    head, body = changed.split("\nWITH ", 1)
    declared = f"{head}\n-- @kept per run\nWITH {body}"
    assert _half(house, own, declared, n_kept=None) == computed


def _half(
    house: Warehouse, own: Path, text: str, *, n_kept: int | None
) -> tuple[dict[str, float], dict[str, float]]:
    """The scores of a release on the board and in a comparison, of its folder and installed.

    Args:
        n_kept: runs of which it keeps results; None: all.
    """
    (own / "question_result.sql").write_text(text, "utf-8")
    found = []
    for release in (str(own), house.install_release(str(own))):
        if release == "half":
            kept = house.refresh(release=release)
            assert kept.n_fresh == (kept.n_runs if n_kept is None else n_kept)
        (board,) = (
            one for one in house.leaderboard("MMBench", release=release) if "dev" in one.dataset
        )
        scores = {line.model: line.cells[0].score for line in board.lines if line.cells[0]}
        row = house.compare("Shikra", "Kosmos-2", release=release).frame.row(0, named=True)
        compared = {"Shikra": row["score_a"], "Kosmos-2": row["score_b"]}
        assert {model: scores[model] for model in compared} == compared
        found.append((scores, compared))
    assert found[0] == found[1]
    return found[0]

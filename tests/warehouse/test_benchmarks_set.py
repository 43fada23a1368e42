"""`benchmarks set`: what was inferred of a dataset is changed without reading its files again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries.install import LATEST
from queries.plan import internal_schema
from queries.release import default_name
from tests.commands import run
from tests.tables import facts
from warehouse import benchmark_changes, connection
from warehouse.check import run_checks

_ROWS = [
    # index, theme, category, answer, prediction; the ANLS of it
    (1, "Sky", "easy", "seven stars", "seven stars", 1.0),
    (2, "sky", "hard", "kitten", "sitten", 5 / 6),
    (3, "Sea", "hard", "blue whale", "nothing", 0.0),
]


@pytest.fixture
def words(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A work dir of a dataset that nobody has heard of."""
    return _ingested(house, tmp_path)


def _ingested(house: Warehouse, place: Path, more: str = "") -> Warehouse:
    """The same, with some words more at the end of each answer."""
    folder = place / "out" / "vlm-7b"
    folder.mkdir(parents=True)
    head = "index\ttheme\tcategory\tquestion\tanswer\tprediction\n"
    rows = "".join(f"{i}\t{t}\t{c}\tq{i}\t{a}{more}\t{p}\n" for i, t, c, a, p, _ in _ROWS)
    (folder / "vlm-7b_SkyWords.tsv").write_text(head + rows, encoding="utf-8")
    house.ingest(folder / "vlm-7b_SkyWords.tsv")
    return house


def test_a_detail_without_a_rule(house: Warehouse, tmp_path: Path) -> None:
    """Sentences have no rule that could be inferred, and so none that could have a tolerance."""
    _ingested(house, tmp_path, ", as far as one can see here")
    with pytest.raises(UsageError, match=r"tolerance: of which rule\? There are 0; give rule=NAME"):
        house.set_benchmark("skywords", {"tolerance": "0.1"})


def _scores(house: Warehouse) -> list[float]:
    with house.reading() as con:
        rows = con.execute(
            f"SELECT score FROM {LATEST}.question_result WHERE strategy = 'vanilla' "
            "ORDER BY question_key"
        ).fetchall()
    return [score for (score,) in rows]


def test_a_rule_scores_what_is_there(words: Warehouse) -> None:
    before = facts(words.path)
    made = words.set_benchmark("skywords", {"rule": "anls"})
    assert made.scoring.rules[0].rule == "anls"
    assert _scores(words) == pytest.approx([row[-1] for row in _ROWS])
    # The answers and questions are the same rows; the toml is a source like one that was added.
    after = facts(words.path)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"benchmark_rule", "source"}
    shown = run(
        "evalhouse", "benchmarks", "show", "SkyWords", "--db", words.path, cwd=words.path.parent
    ).out
    assert "rule: anls" in shown
    assert (
        'rule = "anls"'
        in run(
            "evalhouse",
            "benchmarks",
            "show",
            "SkyWords",
            "--toml",
            "--db",
            words.path,
            cwd=words.path.parent,
        ).out
    )


def test_another_rule_supersedes_the_one_before(words: Warehouse) -> None:
    words.set_benchmark("SkyWords", {"rule": "anls"})
    words.set_benchmark("SkyWords", {"rule": "exact", "normaliser": "lower"})
    assert _scores(words) == [1.0, 0.0, 0.0]
    with words.reading() as con:
        rules = con.execute(
            "SELECT rule, normaliser, superseded_by IS NULL FROM main.benchmark_rule ORDER BY source_id"
        ).fetchall()
        assert [found for found in run_checks(con) if found.n] == []
    assert rules == [("extracted", "bare", False), ("anls", None, False), ("exact", "lower", True)]


def test_results_follow_a_rule(words: Warehouse) -> None:
    points = (
        f"SELECT sum(points_low) FROM {LATEST}.ability_sum JOIN main.ability USING (ability_id) "
        "WHERE strategy = 'vanilla' AND level = 'category'"
    )
    stale = f"SELECT count(*) FROM {internal_schema(default_name())}.stale_run"
    words.set_benchmark("SkyWords", {"rule": "exact"})
    words.refresh(release=LATEST)
    with words.reading() as con:
        assert con.execute(stale).fetchall() == [(0,)]
        assert con.execute(points).fetchall() == [(1.0,)]
    with words.writing() as con, connection.transaction(con):
        benchmark_changes.store(con, "SkyWords", {"rule": "anls"})
    with words.reading() as con:
        assert con.execute(stale).fetchall() == [(1,)]
    words.refresh(release=LATEST)
    with words.reading() as con:
        assert con.execute(stale).fetchall() == [(0,)]
        assert con.execute(points).fetchall() == [(pytest.approx(1 + 5 / 6),)]


def test_a_level_files_the_questions_that_are_there(words: Warehouse) -> None:
    run(
        "evalhouse",
        "benchmarks",
        "set",
        "SkyWords",
        "rule=anls",
        "level=theme",
        "--db",
        words.path,
        cwd=words.path.parent,
    )
    with words.reading() as con:
        filed = con.execute(
            "SELECT q.question_key, a.name FROM main.question_ability "
            "JOIN main.ability AS a USING (ability_id) JOIN main.question AS q USING (question_id) "
            "WHERE a.level = 'theme' ORDER BY 1"
        ).fetchall()
        scores = con.execute(
            f"SELECT ability, score FROM {LATEST}.ability_score "
            "WHERE level = 'theme' AND strategy = 'vanilla' AND average = 'micro' ORDER BY ability"
        ).fetchall()
        assert [found for found in run_checks(con) if found.n] == []
    assert filed == [("1", "Sky"), ("2", "Sky"), ("3", "Sea")]
    assert scores == [("Sea", 0.0), ("Sky", pytest.approx((1 + 5 / 6) / 2))]


def test_the_average_and_strategy_of_a_board(words: Warehouse) -> None:
    words.set_benchmark("SkyWords", {"strategy": "graded", "average": "macro"})
    (row,) = words.benchmarks().filter(benchmark="SkyWords").to_dicts()
    assert (row["strategy"], row["average"]) == ("graded", "macro")
    with words.reading() as con:
        stored = con.execute("SELECT strategy, average FROM main.benchmark").fetchall()
    assert stored == [("graded", "macro")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words_given", "message"),
    [
        (["rule"], "'rule' is not KEY=VALUE"),
        (["colour=red"], "'colour' cannot be set; there are rule, normaliser"),
        (["rule=anls", "rule=vqa"], "rule is given twice"),
        (["rule=anlz"], "rule: 'anlz' is none of choice, yes_no"),
        (["rule=number", "tolerance=much"], "tolerance: 'much' is no number"),
        (["strategy=circular"], "strategy: 'circular' is none of graded, vanilla"),
        (["strategy=vanilla"], "SkyWords is so already"),
        (["level=colour"], "level: no question has a column 'colour'; there are"),
        (["level="], "level: names columns, with commas between"),
    ],
)
def test_what_cannot_be_is_named_and_changes_nothing(
    words: Warehouse, words_given: Sequence[str], message: str
) -> None:
    before = facts(words.path)
    ended = run(
        "evalhouse",
        "benchmarks",
        "set",
        "SkyWords",
        *words_given,
        "--db",
        words.path,
        cwd=words.path.parent,
    )
    assert ended.code == 2
    assert message in " ".join(ended.err.split())
    assert facts(words.path) == before


def test_only_benchmarks_of_the_warehouse(words: Warehouse) -> None:
    with pytest.raises(UsageError, match="MMBench comes with evalhouse, and stays as it is"):
        words.set_benchmark("mmbench", {"average": "macro"})
    with pytest.raises(UsageError, match="no benchmark 'Sea', only SkyWords"):
        words.set_benchmark("Sea", {"average": "macro"})

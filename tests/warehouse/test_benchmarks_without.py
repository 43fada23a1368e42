"""`benchmarks set NAME without_…=…`: a level, a group or a figure is taken away again."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries.install import LATEST
from queries.plan import internal_schema
from queries.release import default_name
from tests.conftest import ROOT
from tests.tables import facts
from warehouse import benchmark, benchmark_changes, connection
from warehouse.check import run_checks

_ROWS = [
    # index, theme, category, image_path, answer, prediction
    (1, "Sky", "easy", "a.png", "Yes", "Yes"),
    (2, "Sky", "hard", "a.png", "No", "No"),
    (3, "Sea", "hard", "b.png", "Yes", "No"),
    (4, "Sea", "easy", "b.png", "No", "No"),
]
_FIGURES = """
[[group]]
name = "image"
key = [{ attribute = "image_path" }]

[[figure]]
name = "Overall"
aggregate = "micro"

[[figure]]
name = "image"
aggregate = "micro"
strategy = "group:image"

[[figure]]
name = "by difficulty"
aggregate = "macro"
parts = ["Overall"]
level = "category"

[[figure]]
name = "both, or so"
aggregate = "mean"
parts = ["Overall", "image"]
"""
_TOML = """
name = "SkyWords"
task = "open"
strategy = "vanilla"
average = "micro"
splits = []

[[level]]
name = "category"
columns = ["category"]

[[level]]
name = "theme"
columns = ["theme"]
apart = true

[[rule]]
rule = "yes_no"
"""


@pytest.fixture
def words(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A benchmark of one's own, with levels, a group and figures."""
    (tmp_path / "skywords").mkdir()
    (tmp_path / "skywords" / "benchmark.toml").write_text(_TOML + _FIGURES, encoding="utf-8")
    house.add_benchmark(tmp_path / "skywords")
    house.ingest(_file(tmp_path, "vlm-7b"))
    return house


def _file(place: Path, model: str, *, more: str = "") -> Path:
    folder = place / "out" / model
    folder.mkdir(parents=True)
    head = "index\ttheme\tcategory\timage_path\tquestion\tanswer\tprediction\n"
    rows = "".join(f"{i}\t{t}\t{c}\t{p}\tq{i}\t{a}\t{said}\n" for i, t, c, p, a, said in _ROWS)
    path = folder / f"{model}_SkyWords.tsv"
    path.write_text(head + rows + more, encoding="utf-8")
    return path


def _levels(house: Warehouse) -> dict[str, list[tuple[str, float]]]:
    found: dict[str, list[tuple[str, float]]] = {}
    with house.reading() as con:
        for level, ability, score in con.execute(
            f"SELECT level, ability, score FROM {LATEST}.ability_score AS s "
            "WHERE strategy = 'vanilla' AND average = 'micro' AND model = 'vlm-7b' ORDER BY 1, 2"
        ).fetchall():
            found.setdefault(level, []).append((ability, score))
    return found


def _figures(house: Warehouse) -> dict[str, float]:
    with house.reading() as con:
        return dict(
            con.execute(
                f"SELECT figure, score FROM {LATEST}.benchmark_score "
                "WHERE level = 'overall' AND model = 'vlm-7b'"
            ).fetchall()
        )


def test_a_level_goes_and_comes_back(words: Warehouse) -> None:
    whole = _levels(words)
    assert whole["theme"] == [("Sea", 0.5), ("Sky", 1.0)]
    before = facts(words.path)
    made = words.set_benchmark("SkyWords", {"without_level": "Theme"})
    assert [level.name for level in made.levels] == ["category"]
    after = facts(words.path)
    # What the questions are filed under stays; only a flag says that it does not count.
    assert {name for name in before if before[name] != after[name]} >= {"ability", "source"}
    assert before["question_ability"] == after["question_ability"]
    assert _levels(words) == {level: rows for level, rows in whole.items() if level != "theme"}
    assert words.benchmarks().filter(benchmark="SkyWords")["levels"].to_list() == ["category"]
    with words.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []
    words.set_benchmark("SkyWords", {"level": "theme"})
    assert _levels(words) == whole
    assert facts(words.path)["question_ability"] == before["question_ability"]


def test_another_file_does_not_bring_it_back(words: Warehouse, tmp_path: Path) -> None:
    words.set_benchmark("SkyWords", {"without_level": "theme"})
    more = "5\tSpace\thard\tc.png\tq5\tYes\tYes\n"
    words.ingest(_file(tmp_path, "vlm-8b", more=more))
    assert "theme" not in _levels(words)
    # Asked for again, it has what came in the meantime.
    words.set_benchmark("SkyWords", {"level": "theme"})
    assert [name for name, _ in _levels(words)["theme"]] == ["Sea", "Sky", "Space"]
    with words.reading() as con:
        filed = con.execute(
            "SELECT question_key, a.name FROM main.question_ability JOIN main.ability AS a "
            "USING (ability_id) JOIN main.question USING (question_id) WHERE level = 'theme' ORDER BY 1"
        ).fetchall()
        assert [found for found in run_checks(con) if found.n] == []
    assert filed == [("1", "Sky"), ("2", "Sky"), ("3", "Sea"), ("4", "Sea"), ("5", "Space")]


@pytest.mark.slow
def test_kept_results_follow(words: Warehouse) -> None:
    words.refresh(release=LATEST)
    stale = f"SELECT count(*) FROM {internal_schema(default_name())}.stale_run"
    with words.reading() as con:
        assert con.execute(stale).fetchall() == [(0,)]
    for changes in ({"without_level": "theme"}, {"without_figure": "by difficulty"}):
        with words.writing() as con, connection.transaction(con):
            benchmark_changes.store(con, "SkyWords", changes)
        with words.reading() as con:
            assert con.execute(stale).fetchall() == [(1,)]
        words.refresh(release=LATEST)
        with words.reading() as con:
            assert con.execute(stale).fetchall() == [(0,)]
    assert "theme" not in _levels(words)
    assert "by difficulty" not in _figures(words)


@pytest.mark.slow
def test_a_group_goes_with_the_figures_that_rest_on_it(words: Warehouse) -> None:
    assert _figures(words) == pytest.approx(
        {"Overall": 0.75, "image": 0.5, "by difficulty": 0.75, "both, or so": 0.625}
    )
    # A name with a comma of its own is one name.
    words.set_benchmark("SkyWords", {"without_figure": "both, or so"})
    words.set_benchmark("SkyWords", {"without_figure": "Image", "without_group": "image"})
    assert _figures(words) == pytest.approx({"Overall": 0.75, "by difficulty": 0.75})
    with words.reading() as con:
        strategies = con.execute(
            f"SELECT DISTINCT strategy FROM {LATEST}.question_result"
        ).fetchall()
        kept = con.execute(
            "SELECT name, superseded_by IS NULL FROM main.benchmark_figure ORDER BY ALL"
        ).fetchall()
    assert ("group:image",) not in strategies
    assert ("image", False) in kept
    assert ("image", True) not in kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"without_level": "colour"},
            "without_level: there is no level 'colour'; there are category, th",
        ),
        ({"without_group": "pair"}, "without_group: there is no group 'pair'; there are image"),
        (
            {"without_figure": "f1"},
            "without_figure: there is no figure 'f1'; there are Overall, image",
        ),
        ({"without_level": ""}, "without_level: names what is to go, with commas between"),
        ({"without_level": "category"}, "the figure by difficulty rests on the level category"),
        ({"without_group": "image"}, "the figure image rests on the group image"),
        ({"without_figure": "image"}, "the figure both, or so rests on the figure image"),
        (
            {"macro_level": "theme", "without_level": "theme"},
            "without_level: macro_level rests on the level theme",
        ),
    ],
)
def test_what_cannot_go_is_named_and_changes_nothing(
    words: Warehouse, changes: dict[str, str], message: str
) -> None:
    before = facts(words.path)
    with pytest.raises(UsageError, match=message):
        words.set_benchmark("SkyWords", changes)
    assert facts(words.path) == before


def test_a_level_that_another_divides_stays(house: Warehouse, tmp_path: Path) -> None:
    """Levels that no folder declares: they came with the questions."""
    path = tmp_path / "own.jsonl"
    path.write_text(
        "".join(
            f'{{"index": {n}, "question": "q{n}", "A": "x", "B": "y", "answer": "A", '
            f'"l2-category": "{above}", "category": "{below}"}}\n'
            for n, (above, below) in enumerate([("sky", "cloud"), ("sky", "sun"), ("sea", "fish")])
        ),
        encoding="utf-8",
    )
    house.ingest(path, benchmark="Own")
    with house.reading() as con:
        levels = [
            level
            for (level,) in con.execute(
                "SELECT level FROM main.ability GROUP BY 1 ORDER BY min(ordinal)"
            ).fetchall()
        ]
    coarse, fine = levels
    with pytest.raises(UsageError, match=f"the level {fine} divides {coarse}; take it away first"):
        house.set_benchmark("Own", {"without_level": coarse})
    house.set_benchmark("Own", {"without_level": fine})
    made = house.set_benchmark("Own", {"without_level": coarse})
    assert made.levels == ()


def test_the_page_names_the_keys() -> None:
    text = (ROOT / "docs" / "scoring-a-benchmark.md").read_text(encoding="utf-8")
    assert all(f"`{key}" in text for key in benchmark_changes.KEYS)


@pytest.mark.slow
def test_a_group_and_figures_are_added_by_a_command_and_read_as_those_of_a_folder(
    house: Warehouse, tmp_path: Path
) -> None:
    (tmp_path / "skywords").mkdir()
    (tmp_path / "skywords" / "benchmark.toml").write_text(_TOML, encoding="utf-8")
    house.add_benchmark(tmp_path / "skywords")
    house.ingest(_file(tmp_path, "vlm-7b"))
    pairs = benchmark_changes.read_pairs(
        [
            'group={ name = "image", key = [{ attribute = "image_path" }] }',
            'figure=[{ name = "Overall", aggregate = "micro" }, '
            '{ name = "image", aggregate = "micro", strategy = "group:image" }]',
        ]
    )
    house.set_benchmark("SkyWords", pairs)
    # Three of four answers are right, and of one of the two images both.
    assert _figures(house) == pytest.approx({"Overall": 0.75, "image": 0.5})
    house.set_benchmark("SkyWords", {"figure": '{ name = "Overall", aggregate = "sum" }'})
    assert _figures(house) == pytest.approx({"Overall": 3.0, "image": 0.5})
    with house.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"figure": "Overall"}, "figure: is not TOML"),
        ({"figure": "1"}, "figure: is a table, or a list of tables"),
        ({"group": "[]"}, "group: is a table, or a list of tables"),
        ({"group": "{ name = 2026-01-01 }"}, "group: is not TOML"),
        ({"group": "{ name = 3 }"}, "a name is a text"),
        ({"group": '{ name = "x" }\nname = "other"'}, "group: is a table, or a list of tables"),
        ({"figure": '{ name = "n", aggregate = "micro", strategy = "group:no" }'}, "is none of"),
        ({"group": '{ name = "x" }'}, "key: is missing"),
    ],
)
def test_what_is_added_has_to_be_as_in_the_file(change: dict[str, str], said: str) -> None:
    one = benchmark.parse(_TOML, "here")
    with pytest.raises(UsageError, match=said):
        benchmark_changes.changed(one, change)

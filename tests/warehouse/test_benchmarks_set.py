"""`benchmarks set` and `edit`: a benchmark's TOML is replaced, and no answer is read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, UsageError, Warehouse
from queries.install import LATEST
from queries.plan import internal_schema
from queries.release import default_name
from tests.commands import Done, run
from tests.tables import facts, set_benchmark, toml_with, with_column, without
from warehouse import benchmark_changes, connection
from warehouse.check import run_checks

_ROWS = [
    # index, theme, category, image_path, answer, prediction
    (1, "Sky", "easy", "a.png", "Yes", "Yes"),
    (2, "sky", "hard", "a.png", "No", "No"),
    (3, "Sea", "hard", "b.png", "Yes", "No"),
    (4, "Sea", "easy", "b.png", "No", "No"),
]
_WORDS = [
    # The last is the ANLS of the prediction.
    (1, "Sky", "easy", "a.png", "seven stars", "seven stars", 1.0),
    (2, "sky", "hard", "a.png", "kitten", "sitten", 5 / 6),
    (3, "Sea", "hard", "b.png", "blue whale", "nothing", 0.0),
]
_TOML = """
name = "SkyWords"
task = "open"
strategy = "vanilla"
average = "micro"
aliases = ["wordsky"]
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

[[group]]
name = "image"
key = [{ attribute = "image_path" }]

[[figure]]
name = "Overall"
aggregate = "micro"
metrics = ["acc|{theme}"]

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
_STALE = f"SELECT count(*) FROM {internal_schema(default_name())}.stale_run"


@pytest.fixture
def words(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A work dir of a dataset that nobody has heard of."""
    house.ingest(_file(tmp_path, "vlm-7b", _WORDS))
    return house


@pytest.fixture
def declared(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A benchmark of one's own, with levels, a group and figures."""
    (tmp_path / "skywords").mkdir()
    (tmp_path / "skywords" / "benchmark.toml").write_text(_TOML, encoding="utf-8")
    house.add_benchmark(tmp_path / "skywords")
    house.ingest(_file(tmp_path, "vlm-7b", _ROWS))
    return house


def _file(place: Path, model: str, given: list[Any], *, more: str = "") -> Path:
    path = place / "out" / model / f"{model}_SkyWords.tsv"
    path.parent.mkdir(parents=True)
    head = "index\ttheme\tcategory\timage_path\tquestion\tanswer\tprediction\n"
    rows = "".join(f"{i}\t{t}\t{c}\t{p}\tq{i}\t{a}\t{said}\n" for i, t, c, p, a, said, *_ in given)
    path.write_text(head + rows + more, encoding="utf-8")
    return path


def _evalhouse(house: Warehouse, *given: object, **env: str) -> Done:
    place = house.path.parent
    return run("evalhouse", "benchmarks", *given, "--db", house.path, cwd=place, env=env)


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
    rows = house.sql(
        f"SELECT figure, score FROM {LATEST}.benchmark_score "
        "WHERE level = 'overall' AND model = 'vlm-7b'"
    ).rows()
    return dict(rows)


def _scores(house: Warehouse) -> list[float]:
    with house.reading() as con:
        rows = con.execute(
            f"SELECT score FROM {LATEST}.question_result WHERE strategy = 'vanilla' "
            "ORDER BY question_key"
        ).fetchall()
    return [score for (score,) in rows]


def _require_sound(house: Warehouse) -> None:
    with house.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []


# A file in the place of the TOML.


def test_a_rule_scores_what_is_there(words: Warehouse) -> None:
    before = facts(words.path)
    text = _evalhouse(words, "show", "SkyWords", "--toml").out
    file = words.path.parent / "words.toml"
    file.write_text(text.replace('rule = "extracted"', 'rule = "anls"').replace(
        'normaliser = "bare"', "# from 0 to 1"
    ))  # fmt: skip
    assert "rule: anls" in _evalhouse(words, "set", "skywords", file).out
    assert _scores(words) == pytest.approx([row[-1] for row in _WORDS])
    # The answers and questions are the same rows; the toml is a source like one that was added.
    after = facts(words.path)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"benchmark_rule", "source"}
    assert _evalhouse(words, "show", "SkyWords", "--toml").out.strip() == file.read_text().strip()


def test_another_rule_supersedes_the_one_before(words: Warehouse) -> None:
    set_benchmark(words, "SkyWords", rule=[{"rule": "anls"}])
    set_benchmark(words, "SkyWords", rule=[{"rule": "exact", "normaliser": "lower"}])
    assert _scores(words) == [1.0, 0.0, 0.0]
    rules = words.sql(
        "SELECT rule, normaliser, superseded_by IS NULL FROM main.benchmark_rule ORDER BY source_id"
    ).rows()
    assert rules == [("extracted", "bare", False), ("anls", None, False), ("exact", "lower", True)]
    _require_sound(words)


@pytest.mark.as_users
def test_results_follow_a_rule(words: Warehouse) -> None:
    points = (
        f"SELECT sum(points_low) FROM {LATEST}.ability_sum JOIN main.ability USING (ability_id) "
        "WHERE strategy = 'vanilla' AND level = 'category'"
    )
    set_benchmark(words, "SkyWords", rule=[{"rule": "exact"}])
    words.refresh(release=LATEST)
    with words.reading() as con:
        assert con.execute(_STALE).fetchall() == [(0,)]
        assert con.execute(points).fetchall() == [(1.0,)]
    text = toml_with(words.benchmark("SkyWords").text, rule=[{"rule": "anls"}])
    with words.writing() as con, connection.transaction(con):
        benchmark_changes.store(con, "SkyWords", text, "t.toml")
    with words.reading() as con:
        assert con.execute(_STALE).fetchall() == [(1,)]
    words.refresh(release=LATEST)
    with words.reading() as con:
        assert con.execute(_STALE).fetchall() == [(0,)]
        assert con.execute(points).fetchall() == [(pytest.approx(1 + 5 / 6),)]


def test_the_average_and_strategy_of_a_board(words: Warehouse) -> None:
    set_benchmark(words, "SkyWords", strategy="graded", average="macro")
    (row,) = words.benchmarks().filter(benchmark="SkyWords").to_dicts()
    assert (row["strategy"], row["average"]) == ("graded", "macro")
    with words.reading() as con:
        stored = con.execute("SELECT strategy, average FROM main.benchmark").fetchall()
    assert stored == [("graded", "macro")]


def test_names_hold_at_once(declared: Warehouse) -> None:
    made = set_benchmark(declared, "SkyWords", aliases=["wordsky", "Himmelsworte"])
    assert "himmelsworte" in made.names
    assert declared.benchmark("himmelsworte").name == "SkyWords"


# Levels.


def test_a_level_files_the_questions_that_are_there(words: Warehouse) -> None:
    more = [{"name": "topic", "columns": ["Theme"], "apart": True, "abbreviations": {"sea": "S"}}]
    set_benchmark(words, "SkyWords", rule=[{"rule": "anls"}], level=lambda there: there + more)
    filed = words.sql(
        "SELECT q.question_key, a.name, a.abbreviation FROM main.question_ability "
        "JOIN main.ability AS a USING (ability_id) JOIN main.question AS q USING (question_id) "
        "WHERE a.level = 'topic' ORDER BY 1"
    ).rows()
    assert filed == [("1", "Sky", "Sky"), ("2", "Sky", "Sky"), ("3", "Sea", "S")]
    assert _levels(words)["topic"] == [("Sea", 0.0), ("Sky", pytest.approx((1 + 5 / 6) / 2))]
    _require_sound(words)


def test_a_level_goes_and_comes_back(declared: Warehouse) -> None:
    set_benchmark(declared, "SkyWords", figure=None)
    whole = _levels(declared)
    assert whole["theme"] == [("Sea", 0.5), ("Sky", 1.0)]
    before = facts(declared.path)
    made = set_benchmark(declared, "SkyWords", level=without("theme"))
    assert [level.name for level in made.levels] == ["category"]
    after = facts(declared.path)
    # What the questions are filed under stays; only a flag says that it does not count.
    assert {name for name in before if before[name] != after[name]} >= {"ability", "source"}
    assert before["question_ability"] == after["question_ability"]
    assert _levels(declared) == {level: rows for level, rows in whole.items() if level != "theme"}
    assert declared.benchmarks().filter(benchmark="SkyWords")["levels"].to_list() == ["category"]
    _require_sound(declared)
    set_benchmark(declared, "SkyWords", level=with_column("theme"))
    assert _levels(declared) == whole
    assert facts(declared.path)["question_ability"] == before["question_ability"]


def test_another_file_does_not_bring_it_back(declared: Warehouse, tmp_path: Path) -> None:
    set_benchmark(declared, "SkyWords", figure=None, level=without("theme"))
    more = "5\tSpace\thard\tc.png\tq5\tYes\tYes\n"
    declared.ingest(_file(tmp_path, "vlm-8b", _ROWS, more=more))
    assert "theme" not in _levels(declared)
    # Asked for again, it has what came in the meantime.
    set_benchmark(declared, "SkyWords", level=with_column("theme"))
    assert [name for name, _ in _levels(declared)["theme"]] == ["Sea", "Sky", "Space"]
    filed = declared.sql(
        "SELECT question_key, a.name FROM main.question_ability JOIN main.ability AS a "
        "USING (ability_id) JOIN main.question USING (question_id) WHERE level = 'theme' ORDER BY 1"
    ).rows()
    assert filed == [("1", "Sky"), ("2", "Sky"), ("3", "Sea"), ("4", "Sea"), ("5", "Space")]
    _require_sound(declared)


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
    coarse, fine = (level.name for level in house.benchmark("Own").levels)
    with pytest.raises(InputError, match=f"field level: {fine} divides {coarse}, which is missing"):
        set_benchmark(house, "Own", level=without(coarse))
    set_benchmark(house, "Own", level=without(fine))
    assert set_benchmark(house, "Own", level=None).levels == ()


# Groups and figures.


@pytest.mark.slow
@pytest.mark.as_users
def test_kept_results_follow(declared: Warehouse) -> None:
    declared.refresh(release=LATEST)
    with declared.reading() as con:
        assert con.execute(_STALE).fetchall() == [(0,)]
    for keys in ({"figure": without("by difficulty")}, {"figure": None, "level": without("theme")}):
        text = toml_with(declared.benchmark("SkyWords").text, **keys)
        with declared.writing() as con, connection.transaction(con):
            benchmark_changes.store(con, "SkyWords", text, "t.toml")
        with declared.reading() as con:
            assert con.execute(_STALE).fetchall() == [(1,)]
        declared.refresh(release=LATEST)
        with declared.reading() as con:
            assert con.execute(_STALE).fetchall() == [(0,)]
        assert "by difficulty" not in _figures(declared)
    assert "theme" not in _levels(declared)


@pytest.mark.slow
def test_a_group_goes_with_the_figures_that_rest_on_it(declared: Warehouse) -> None:
    assert _figures(declared) == pytest.approx(
        {"Overall": 0.75, "image": 0.5, "by difficulty": 0.75, "both, or so": 0.625}
    )
    set_benchmark(declared, "SkyWords", group=None, figure=without("both, or so", "image"))
    assert _figures(declared) == pytest.approx({"Overall": 0.75, "by difficulty": 0.75})
    with declared.reading() as con:
        strategies = con.execute(
            f"SELECT DISTINCT strategy FROM {LATEST}.question_result"
        ).fetchall()
        kept = con.execute(
            "SELECT name, superseded_by IS NULL FROM main.benchmark_figure ORDER BY ALL"
        ).fetchall()
    assert ("group:image",) not in strategies
    assert ("image", False) in kept
    assert ("image", True) not in kept
    # They come back, the figure of all as another one.
    group = [{"name": "image", "key": [{"attribute": "image_path"}]}]
    of_group = {"name": "image", "aggregate": "micro", "strategy": "group:image"}
    figures = [{"name": "Overall", "aggregate": "sum"}, of_group]
    set_benchmark(declared, "SkyWords", group=group, figure=figures)
    assert _figures(declared) == pytest.approx({"Overall": 3.0, "image": 0.5})
    _require_sound(declared)


# What cannot be.

_CANNOT_BE = [
    ('"yes_no"', '"anlz"', "row 1, field rule.rule: 'anlz' is none of choice, yes_no"),
    ('"yes_no"', '"number"\ntolerance = "much"', "field rule.tolerance: 'much' is no number"),
    ('y = "vanilla"', 'y = "circular"', "field strategy: 'circular' is none of graded, vanilla"),
    ("splits", "colour = 1\nsplits", "field colour: is not known here"),
    ("[]", "[", "is not TOML"),
    ("task", "# as it is\ntask", "SkyWords is so already"),
    ("SkyWords", "SeaWords", "field name: is 'SeaWords', and 'SkyWords' in the warehouse, where"),
    ('"open"', '"choice"', "field task: is 'choice', and 'open' in the warehouse, where it stays"),
    ('["wordsky"]', "[]", "field aliases: 'wordsky' is missing: names stay"),
    ('["wordsky"]', '["wordsky", "mmbench"]', "field aliases: 'mmbench' is MMBench already"),
    ('name = "category"', 'name = "l"', "field figure.level: 'category' is no level; there are l"),
    ('name = "image"\nkey', 'name = "i"\nkey', "row 2, field figure.strategy: 'group:image' is none"),
    ('"image"]', '"Images"]', "row 4, field figure.parts: 'Images' is no figure above"),
    ('name = "theme"', 'name = "topic"', "row 1, field figure.metrics: names {theme}, which is no"),
    ("apart = true", "", "row 2, field level.apart: stays as it is"),
    ("[[rule]]", '[[level]]\nname = "a"\n[[rule]]', "row 3, field level.apart: is missing: a new"),
    ("[[rule]]", '[[level]]\nname = "a"\napart = true\n[[rule]]', "no question has a column 'a'; there"),
    ("[[rule]]", '[[level]]\nname = "a"\napart = true\ncolumns = ["b", "c"]\n[[rule]]',
     "row 3, field level.columns: are several"),
    ("[[rule]]", '[[level]]\nname = "a"\napart = true\ncolumns = ["b"]\nseparator = ","\n[[rule]]',
     "row 3, field level.separator: cannot be"),
    ("[[level]]", '[[level]]\nname = "a"\n[[level]]', "field level: levels that stay come first"),
    ("[[rule]]", '[[ability]]\nlevel = "theme"\nname = "Sky"\n[[rule]]',
     "field ability: 'Sky' is not as in the warehouse, which has 0 abilities, and they stay"),
]  # fmt: skip


def test_what_cannot_be_is_named_and_changes_nothing(declared: Warehouse, tmp_path: Path) -> None:
    before = facts(declared.path)
    for old, new, message in _CANNOT_BE:
        with pytest.raises(UsageError) as caught:
            declared.set_benchmark("SkyWords", _TOML.replace(old, new, 1), path="words.toml")
        assert message in str(caught.value)
        assert str(caught.value).startswith(("words.toml", "SkyWords is so already"))
    (tmp_path / "words.toml").write_text(_TOML.replace(*_CANNOT_BE[0][:2]), encoding="utf-8")
    ended = _evalhouse(declared, "set", "SkyWords", tmp_path / "words.toml")
    assert ended.code == 2
    said = " ".join(ended.err.split())
    assert f"{tmp_path / 'words.toml'}, {_CANNOT_BE[0][2]}" in said
    assert facts(declared.path) == before


def test_abilities_stay(house: Warehouse, tmp_path: Path) -> None:
    more = [
        {"level": "theme", "name": "Sky", "spellings": ["air"]},
        {"level": "theme", "name": "Sea"},
        {"level": "category", "name": "easy"},
        {"level": "category", "name": "hard"},
    ]
    (tmp_path / "skywords").mkdir()
    text = toml_with(_TOML, ability=more)
    (tmp_path / "skywords" / "benchmark.toml").write_text(text, encoding="utf-8")
    house.add_benchmark(tmp_path / "skywords")
    house.ingest(_file(tmp_path, "vlm-7b", _ROWS))
    no_spelling = [{"level": "theme", "name": "Sky"}, *more[1:]]
    for keys, words in (
        ({"ability": more[:3]}, "field ability: 'hard' is not as in the warehouse, which has 4"),
        ({"ability": [more[0], *more[2:], more[1]]}, "field ability: 'easy' is not as in the"),
        ({"ability": no_spelling}, "field ability.spellings: 'air' of 'Sky' is missing: spell"),
        (
            {"level": with_column("image_path")},
            "row 3, field level.name: is new, and SkyWords names",
        ),
        (
            {"ability": more[2:], "level": without("theme"), "figure": None},
            "field level: 'theme' is missing: it names its abilities, and these stay",
        ),
    ):
        with pytest.raises(InputError, match=words):
            set_benchmark(house, "SkyWords", **keys)
    more[1] = more[1] | {"spellings": ["ocean"]}
    set_benchmark(house, "SkyWords", ability=more)
    assert "ocean" in house.sql("SELECT spelling FROM main.ability_spelling").to_series()
    _require_sound(house)


def test_no_name_of_another_benchmark(house: Warehouse, tmp_path: Path) -> None:
    """Also of one that is known by its questions alone."""
    (tmp_path / "skywords").mkdir()
    (tmp_path / "skywords" / "benchmark.toml").write_text(_TOML, encoding="utf-8")
    house.add_benchmark(tmp_path / "skywords")
    house.ingest(_file(tmp_path, "vlm-7b", _ROWS))
    asked = pl.DataFrame({"question_key": ["1"], "question": ["Blue?"], "reference": ["yes"]})
    house.ingest(asked, benchmark="Infer")
    with pytest.raises(InputError, match="field aliases: 'infer' is another benchmark"):
        set_benchmark(house, "SkyWords", aliases=["WordSky", "infer"])


def test_only_benchmarks_of_the_warehouse(words: Warehouse) -> None:
    with pytest.raises(UsageError, match="MMBench comes with evalhouse, and stays as it is"):
        set_benchmark(words, "mmbench", average="macro")
    with pytest.raises(UsageError, match="no benchmark 'Sea', only SkyWords"):
        words.set_benchmark("Sea", _TOML)


@pytest.mark.slow
@pytest.mark.parametrize("given", [["rule=anls"], ["rule=anls", "level=theme"]])
def test_the_way_of_before_names_the_new_one(words: Warehouse, given: list[str]) -> None:
    ended = _evalhouse(words, "set", "SkyWords", *given)
    assert ended.code == 2
    assert "evalhouse benchmarks edit NAME" in ended.err
    with pytest.raises(UsageError, match="benchmarks edit NAME"):
        words.set_benchmark("SkyWords", {"rule": "anls"})  # type: ignore[arg-type]


# The editor.


@pytest.mark.slow
def test_an_editor(declared: Warehouse, tmp_path: Path) -> None:
    def edited(command: str, **more: str) -> Done:
        env = {"VISUAL": "", "EDITOR": command, "TMPDIR": str(tmp_path / "tmp")}
        return _evalhouse(declared, "edit", "skywords", **(env | more))

    (tmp_path / "tmp").mkdir()
    before = facts(declared.path)
    none = edited("")
    assert none.code == 2
    assert "EDITOR names no editor" in none.err
    assert "benchmarks show NAME --toml" in none.err
    assert edited("true").code == 0
    for command in ("false", "no-such-editor"):
        failed = edited(command)
        assert (failed.code, "the editor: " in failed.err) == (2, True)
    assert "comes with evalhouse" in _evalhouse(declared, "edit", "MMBench", EDITOR="true").err
    assert list((tmp_path / "tmp").iterdir()) == []
    assert facts(declared.path) == before
    done = edited("sed -i s/yes_no/exact/")
    assert "rule: exact" in done.out, done.err
    assert list((tmp_path / "tmp").iterdir()) == []
    before = facts(declared.path)
    wrong = edited("sed -i s/exact/exactly/")
    (kept,) = (tmp_path / "tmp").glob("*/*.toml")
    assert wrong.code == 2
    assert "field rule.rule: 'exactly' is none of" in wrong.err
    assert f"evalhouse benchmarks set skywords {kept}" in " ".join(wrong.err.split())
    assert 'rule = "exactly"' in kept.read_text("utf-8")
    assert facts(declared.path) == before

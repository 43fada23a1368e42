"""`evalhouse merge`: what two warehouses declare of the same benchmark, and say of its runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from queries.install import LATEST
from tests.houses import QuickHouse
from tests.tables import facts, register_judge, set_benchmark, with_column, without, write_jsonl
from warehouse import known_benchmarks, labels, merge
from warehouse.check import run_checks
from warehouse.connection import transaction, with_logs
from warehouse.merge import Merged

_ROWS = [
    # index, theme, category, picture, answer, prediction
    (1, "Sky", "easy", "a", "cat", "cat"),
    (2, "Sky", "hard", "a", "dog", "cat"),
    (3, "Sea", "hard", "b", "owl", "owl"),
    (4, "Sea", "easy", "b", "hen", "hen"),
]
_GROUP = {"name": "picture", "key": [{"attribute": "picture"}]}
_FIGURES = [
    {"name": "Overall", "aggregate": "micro", "scale": 100},
    {"name": "pictures", "aggregate": "micro", "strategy": "group:picture", "scale": 100},
    {"name": "both", "aggregate": "mean", "parts": ["Overall", "pictures"]},
]
_ANLS = [{"rule": "anls"}]
_DECLARED = {"group": [_GROUP], "figure": _FIGURES}


@pytest.fixture
def pair(new_file: Path, tmp_path: Path) -> tuple[Warehouse, Warehouse]:
    """Two warehouses with a dataset that nobody has heard of, and a model each."""
    houses = []
    for name, model in (("here", "vlm-7b"), ("there", "vlm-8b")):
        house = QuickHouse(shutil.copy(new_file, tmp_path / f"{name}.duckdb"))
        _ingest(house, tmp_path / name, model)
        houses.append(house)
    return houses[0], houses[1]


def _ingest(house: Warehouse, place: Path, model: str, rows: Any = _ROWS, **flags: Any) -> None:
    folder = place / model
    folder.mkdir(parents=True)
    head = "index\ttheme\tcategory\tpicture\tquestion\tanswer\tprediction\n"
    lines = "".join(f"{i}\t{t}\t{c}\t{p}\tq{i}\t{a}\t{said}\n" for i, t, c, p, a, said in rows)
    (folder / f"{model}_SkyWords.tsv").write_text(head + lines, "utf-8")
    house.ingest(folder / f"{model}_SkyWords.tsv", **flags)


def _merge(house: Warehouse, other: Warehouse) -> Merged:
    with house.writing(files=with_logs(other.path)) as con:
        merged = merge.merge(con, other.path)
    house.refresh_kept()
    with house.reading() as con:
        assert {one.check: one.examples for one in run_checks(con) if one.n} == {}
    return merged


def _figures(house: Warehouse) -> set[tuple[Any, ...]]:
    with house.reading() as con:
        return set(
            con.execute(
                f"SELECT model, strategy, figure, figure_ordinal, score FROM {LATEST}.benchmark_score "
                "WHERE level = 'overall'"
            ).fetchall()
        )


def _toml(house: Warehouse) -> str:
    with house.reading() as con, known_benchmarks.of_warehouse(con):
        found = known_benchmarks.find("SkyWords")
    assert found is not None
    return found.text


@pytest.mark.slow
def test_what_was_set_there_alone_comes_along(pair: tuple[Warehouse, Warehouse]) -> None:
    here, there = pair
    set_benchmark(there, "SkyWords", **_DECLARED, level=with_column("theme"))
    merged = _merge(here, there)
    assert merged.notes == [
        "benchmark SkyWords: the group picture, the figures Overall, pictures, both and the level theme "
        "come from there"
    ]
    assert _figures(here) == {
        (model, strategy, figure, n, score)
        for model in ("vlm-7b", "vlm-8b")
        for n, (strategy, figure, score) in enumerate(
            [("vanilla", "Overall", 75.0), ("group:picture", "pictures", 50.0), ("vanilla", "both", 62.5)]
        )
    }  # fmt: skip
    filed = here.sql(
        "SELECT a.name, count(*) FROM main.question_ability JOIN main.ability AS a USING (ability_id) "
        "WHERE a.level IN ('theme', 'category') GROUP BY a.name ORDER BY 1"
    ).rows()
    assert filed == [("Sea", 2), ("Sky", 2), ("easy", 2), ("hard", 2)]
    # What is changed next begins with all of it, and the same merge again brings nothing.
    before = facts(here.path)
    assert _merge(here, there).notes == []
    assert facts(here.path) == before
    set_benchmark(here, "SkyWords", average="macro")
    assert len(_figures(here)) == 6
    assert 'name = "theme"' in _toml(here)


@pytest.mark.slow
def test_what_was_set_here_alone_stays(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    set_benchmark(here, "SkyWords", **_DECLARED, level=with_column("theme"), rule=_ANLS)
    more = (5, "Sun", "easy", "c", "fox", "fox")
    _ingest(there, tmp_path / "more", "vlm-9b", [*_ROWS, more])
    notes = _merge(here, there).notes
    assert notes == [
        "benchmark SkyWords: the rules are others there, anls here and extracted (normaliser bare) there; "
        "those here hold"
    ]
    assert {row[2] for row in _figures(here)} == {"Overall", "pictures", "both"}
    # The question that is new is filed under the level that the other has not.
    filed = here.sql(
        "SELECT q.question_key, a.name FROM main.question_ability JOIN main.ability AS a USING (ability_id) "
        "JOIN main.question AS q USING (question_id) WHERE a.level = 'theme' ORDER BY 1"
    ).rows()
    assert filed == [(str(row[0]), row[1]) for row in (*_ROWS, more)]
    assert 'rule = "anls"' in _toml(here)


@pytest.mark.slow
def test_what_both_declare_otherwise(pair: tuple[Warehouse, Warehouse]) -> None:
    here, there = pair
    overall = [{"name": "Overall", "aggregate": "micro"}]
    set_benchmark(here, "SkyWords", group=[_GROUP], figure=overall, strategy="graded")
    set_benchmark(
        there,
        "SkyWords",
        group=[_GROUP | {"counts": "mean"}],
        figure=_FIGURES,
        macro_level="category",
        average="macro",
        rule=_ANLS,
    )
    for one, other, notes in (
        (here, there, [
            "the figures pictures, both come from there",
            "the rules are others there, extracted (normaliser bare) here and anls there; those here hold",
            "the group picture is another there, counts all here and mean there; the one here holds",
            "the figure Overall is another there, scale 1 here and 100 there; the one here holds",
            "strategy is graded here and vanilla there; what is here holds",
            "average is micro here and macro there; what is here holds",
            "macro_level is nothing here and category there; what is here holds",
        ]),
        (there, here, [
            "the rules are others there, anls here and extracted (normaliser bare) there; those here hold",
            "the group picture is another there, counts mean here and all there; the one here holds",
            "the figure Overall is another there, scale 100 here and 1 there; the one here holds",
            "strategy is vanilla here and graded there; what is here holds",
            "average is macro here and micro there; what is here holds",
            "macro_level is category here and nothing there; what is here holds",
        ]),
    ):  # fmt: skip
        before = _toml(one)
        assert _merge(one, other).notes == [f"benchmark SkyWords: {note}" for note in notes]
        held = one.sql(
            "SELECT name, ordinal FROM main.benchmark_figure WHERE superseded_by IS NULL ORDER BY 2"
        )
        assert held.rows() == [("Overall", 0), ("pictures", 1), ("both", 2)]
        assert before.splitlines()[:5] == _toml(one).splitlines()[:5]


@pytest.mark.slow
def test_what_was_taken_away_on_one_side(pair: tuple[Warehouse, Warehouse]) -> None:
    here, there = pair
    for house in pair:
        set_benchmark(house, "SkyWords", **_DECLARED, level=with_column("theme"))
    set_benchmark(here, "SkyWords", figure=_FIGURES[:1], group=None, level=without("theme"))
    assert _merge(here, there).notes == [
        f"benchmark SkyWords: the {what} was taken away here, and stays so"
        for what in ("group picture", "figure pictures", "figure both", "level theme")
    ]
    assert {row[2] for row in _figures(here)} == {"Overall"}
    assert "theme" not in _toml(here)
    assert _merge(there, here).notes == [
        f"benchmark SkyWords: the {what} was taken away there, and holds here"
        for what in ("group picture", "figure pictures", "figure both", "level theme")
    ]
    assert {row[2] for row in _figures(there)} == {"Overall", "pictures", "both"}


@pytest.mark.slow
def test_inputs_and_columns_that_were_said_there(new_file: Path, tmp_path: Path) -> None:
    here, there = (
        QuickHouse(shutil.copy(new_file, tmp_path / f"{name}.duckdb")) for name in ("here", "there")
    )
    asks = [
        {"question_key": key, "question": f"q{key}", "A": "a", "B": "b", "answer": "A"}
        for key in "12"
    ]
    for house in (here, there):
        house.ingest(write_jsonl(tmp_path / "q.jsonl", asks), benchmark="Own")
    columns = {"qid": "question_key", "said": "prediction"}
    called_otherwise = write_jsonl(
        tmp_path / "theirs.jsonl", [{"qid": key, "said": "A"} for key in "12"]
    )
    ours = [{"question_key": key, "prediction": "A"} for key in "12"]
    for name, is_here, said_here, said_there in (
        ("one", True, None, "text"),
        ("two", False, None, "text"),
        ("both", True, "text", "image"),
    ):
        given: dict[str, Any] = {"benchmark": "Own", "model": name, "run": "r"}
        there.ingest(called_otherwise, **given, column=columns, input=said_there)
        if is_here:
            here.ingest(write_jsonl(tmp_path / f"{name}.jsonl", ours), **given, input=said_here)
    notes = _merge(here, there).notes
    assert notes == [
        "run r of both on Own: has the input text here and image there; that here holds"
    ]
    found = here.sql(
        "SELECT m.name, i.input FROM main.run_input AS i JOIN main.run AS r USING (run_id) "
        "JOIN main.model AS m USING (model_id) ORDER BY 1"
    ).rows()
    assert found == [("both", "text"), ("one", "text"), ("two", "text")]
    # What files of the benchmark call our columns is known here from now on.
    here.ingest(called_otherwise, benchmark="Own", model="three", run="r")
    assert here.sql("SELECT count(*) FROM current_run").item() == 4


@pytest.mark.slow
def test_label_plans_of_both(pair: tuple[Warehouse, Warehouse]) -> None:
    here, there = pair
    for house, n in ((here, 2), (there, 3)):
        judge_id = register_judge(house, "J")
        with house.writing() as con, transaction(con):
            plan = labels.Plan(judge_id, 1, n, ("model",), "proportional", 1)
            rows = "SELECT run_id, question_id, 'all' AS stratum, question_id AS place FROM main.prediction"
            assert labels.add(con, plan, {"all": n}, rows=rows) is not None
    note = "the label plan 2 of judge J on SkyWords comes from there: it is the latest, and holds"
    assert _merge(here, there).notes == [note]
    drawn = here.sql(
        "SELECT p.plan_id, m.name, u.chance, count(*) FROM main.label_plan AS p JOIN main.label_unit AS u "
        "USING (plan_id) JOIN main.run USING (run_id) JOIN main.model AS m USING (model_id) "
        "WHERE u.is_drawn GROUP BY ALL ORDER BY 1"
    ).rows()
    assert drawn == [(1, "vlm-7b", 0.5, 2), (2, "vlm-8b", 0.75, 3)]
    assert _merge(here, there).notes == []

"""On Spark too a user's release that changes a view of the trunk moves all that stands on it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet
from queries import release as releases
from queries.plan import internal_schema
from queries.results.tables import JUDGE_COLUMNS, SET
from queries.spark import ask
from queries.spark.translate import STEPS, Source
from queries.spark.views import SparkHouse
from tests.trunk import TRUNK, own_release, two_models
from warehouse.files import writing

pytestmark = pytest.mark.spark

_SCORES = (
    "SELECT model, score FROM {view} WHERE level = 'overall' AND average = 'micro' AND judge = 'none' "
    "AND strategy = 'circular' AND subset = 'all' ORDER BY model"
)


_COMPARED = (
    "SELECT score_a, score_b FROM paired_difference WHERE model_a = 'one' AND model_b = 'two' "
    "AND judge = 'none' AND strategy = 'circular' AND subset = 'all' AND level = 'overall'"
)


@pytest.fixture(scope="module")
def both(
    spark: Any, empty_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Warehouse, SparkHouse]]:
    """Two models, and the same on Spark: what rests on no changed view is computed once for all."""
    folder = tmp_path_factory.mktemp("trunk")
    house = two_models(Path(shutil.copy(empty_file, folder / "trunk.duckdb")))
    with house.reading(folders=[writing.place_of(folder / "export")]) as con:
        export_parquet(con, folder / "export")
    with ask.opened(folder / "export") as exported:
        yield house, exported


@pytest.mark.parametrize("view", TRUNK)
def test_all_moves_alike(both: tuple[Warehouse, SparkHouse], tmp_path: Path, view: str) -> None:
    """The board under each; what else stands on the trunk under a rule for questions, and above it."""
    house, exported = both
    own = own_release(house, tmp_path, view)
    of_own = {own.name: releases.load(str(own))}
    exported = replace(exported, releases={**exported.releases, **of_own})
    others = view in ("question_result", "ability_score")
    for each in ("subset_leaderboard", *(("score_interval", "rank_range") if others else ())):
        found = ask.run_user_sql(exported, _SCORES.format(view=each), release=str(own))
        assert found.rows() == [("one", 0.75), ("two", 1.0)], each
    if others:
        row = (0.75, 1.0 if view == "question_result" else 0.5)
        assert ask.run_user_sql(exported, _COMPARED, release=str(own)).rows() == [row]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM main.run JOIN main.model USING (model_id)",
        "SELECT d.dataset_id, r.model_id, count(*) AS n FROM current_run AS r JOIN main.dataset AS d "
        "USING (dataset_id) JOIN question_result AS q USING (run_id, dataset_id) GROUP BY ALL",
        "SELECT p.text, r.run_id FROM main.prediction AS p JOIN current_run AS r USING (run_id) "
        "JOIN (SELECT DISTINCT text FROM main.prediction JOIN current_run USING (run_id)) USING (text)",
        "SELECT * EXCLUDE (text) FROM main.prediction AS p LEFT JOIN main.run AS r USING (run_id) "
        "WHERE r.run_id = 1",
    ],
)
def test_joins_by_using_are_those_of_duckdb(both: tuple[Warehouse, SparkHouse], query: str) -> None:
    house, exported = both
    wanted = house.sql(query)
    found = ask.run_user_sql(exported, query, release="paper_v1")
    assert found.columns == wanted.columns
    assert sorted(map(repr, found.rows())) == sorted(map(repr, wanted.rows())) != []


def test_results_are_stored_once(both: tuple[Warehouse, SparkHouse], tmp_path: Path) -> None:
    """What a file stores of them, whatever view is asked for; and once for releases that agree on it."""
    house, exported = both
    own = own_release(house, tmp_path, "leaderboard")
    loaded = {**exported.releases, own.name: releases.load(str(own))}
    exported = replace(exported, releases=loaded, there={}, kept={})
    results = ("pass_result", "question_result", "ability_sum")
    for view in ("ability_score", *results):
        ask.run_user_sql(exported, f"SELECT * FROM {view}", release="paper_v1")
    kept = dict(exported.kept)
    for name in results:
        step, table = Source(f"paper_v1{STEPS}", name), Source(internal_schema("paper_v1"), name)
        assert exported.there[step] in kept
        with house.reading() as con:
            place = f'"{table.schema}"."{table.name}"'
            columns = {row[0] for row in con.execute(f"DESCRIBE {place}").fetchall()}
        # There each judge has rows of its own.
        there = set(exported.spark.table(f"`{table.spark_name}`").columns)
        assert there - set(JUDGE_COLUMNS) == columns - {SET}
    ask.run_user_sql(exported, "SELECT * FROM ability_score", release=str(own))
    assert exported.kept == kept
    ask.run_user_sql(exported, "SELECT * FROM leaderboard", release=str(own))
    assert exported.there[Source(own.name, "leaderboard")] != exported.there.get(
        Source("paper_v1", "leaderboard")
    )

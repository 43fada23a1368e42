"""On Spark too a user's release that changes a view of the trunk moves all that stands on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet
from queries.spark import ask
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
def exported(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Path]:
    folder = tmp_path_factory.mktemp("trunk")
    house = two_models(Path(shutil.copy(empty_file, folder / "trunk.duckdb")))
    with house.reading(folders=[writing.place_of(folder / "export")]) as con:
        export_parquet(con, folder / "export")
    return house, folder / "export"


@pytest.mark.parametrize("view", TRUNK)
def test_all_moves_alike(exported: tuple[Warehouse, Path], tmp_path: Path, view: str) -> None:
    """The board under each; what else stands on the trunk under a rule for questions, and above it."""
    house, folder = exported
    own = str(own_release(house, tmp_path, view))
    others = view in ("question_result", "ability_score")
    with ask.opened(folder, release=own) as spark:
        for each in ("subset_leaderboard", *(("score_interval", "rank_range") if others else ())):
            found = ask.run_user_sql(spark, _SCORES.format(view=each), release=own)
            assert found.rows() == [("one", 0.75), ("two", 1.0)], each
        if others:
            row = (0.75, 1.0 if view == "question_result" else 0.5)
            assert ask.run_user_sql(spark, _COMPARED, release=own).rows() == [row]

"""Where every run is fresh, queries and commands read kept rows alone; the figures are those of the views."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

from evalhouse import Warehouse
from queries import install, session
from queries import release as releases
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

_ASKS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "AB"[n % 2]}) for n in range(6)]
_BOARD = "SELECT model, judge, strategy, ability, average, score FROM {} ORDER BY ALL"
_VIEWS = ("leaderboard", "ability_score", "benchmark_score")


@pytest.fixture
def path(new_file: Path, tmp_path: Path) -> Path:
    """A warehouse with two runs, whose results are kept."""
    path = tmp_path / "lab.duckdb"
    path.write_bytes(new_file.read_bytes())
    house = Warehouse(path)
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(_ASKS)), benchmark="Own")
    for model in ("one", "two"):
        house.ingest(_answers(tmp_path, model), benchmark="Own")
    return path


def _answers(folder: Path, model: str) -> Path:
    return write_jsonl(
        folder / f"{model}.jsonl",
        [
            {"model": model, "question_key": ask.key, "prediction": "AB"[n // (2 + len(model)) % 2]}
            for n, ask in enumerate(_ASKS)
        ],
    )


def _reads_answers(house: Warehouse, query: str) -> bool:
    """Whether a query's plan looks at the answers themselves."""
    plan = "\n".join(map(str, house.sql(f"EXPLAIN {query}").rows()))
    return "prediction" in plan


@pytest.mark.slow
@pytest.mark.parametrize("view", _VIEWS)
def test_a_query_reads_kept_rows_alone(path: Path, view: str) -> None:
    house = Warehouse(path)
    query = f"SELECT * FROM {view} ORDER BY ALL"
    assert not _reads_answers(house, query)
    rows = house.sql(query)
    assert rows.height
    assert rows.equals(house.sql(f"SELECT * FROM latest.{view} ORDER BY ALL"))
    with duckdb.connect(str(path), read_only=True) as con:
        assert rows.rows() == con.execute(f"SELECT * FROM latest.{view} ORDER BY ALL").fetchall()


@pytest.mark.slow
def test_a_run_that_is_not_fresh_is_computed(path: Path, tmp_path: Path) -> None:
    house = Warehouse(path)
    house.ingest(_answers(tmp_path, "three"), benchmark="Own", refresh=False)
    query = _BOARD.format("leaderboard")
    assert _reads_answers(house, query)
    before = house.sql(query)
    assert set(before["model"]) == {"one", "two", "three"}
    house.refresh()
    assert not _reads_answers(house, query)
    assert house.sql(query).equals(before)


@pytest.mark.slow
def test_a_name_of_the_querys_own_comes_first(path: Path) -> None:
    house = Warehouse(path)
    assert house.sql("WITH leaderboard AS (SELECT 7 AS n) SELECT n FROM leaderboard").item() == 7
    both = house.sql(
        "SELECT a.model FROM leaderboard AS a JOIN latest.leaderboard AS b USING (model, score)"
    )
    assert set(both["model"]) == {"one", "two"}


@pytest.mark.slow
def test_a_kept_table_that_is_emptied_changes_no_figure(path: Path) -> None:
    before = Warehouse(path).sql(_BOARD.format("leaderboard"))
    with duckdb.connect(str(path)) as con:
        con.execute("DELETE FROM field_v1_internal.kept_run")
    assert Warehouse(path).sql(_BOARD.format("leaderboard")).equals(before)


@pytest.mark.slow
def test_another_release_on_the_same_connection_has_its_own_rows(path: Path) -> None:
    house = Warehouse(path)
    with house.writing() as con:
        install.install(con, releases.load("paper_v1"))
    house.refresh(release="paper_v1")
    query = _BOARD.format("leaderboard")
    with duckdb.connect(str(path)) as con:
        con.execute(
            "UPDATE paper_v1_internal.kept_ability_sum SET weighted_low = 0, weighted_high = 0"
        )
    with house.reading() as con:
        found: dict[str, list[pl.DataFrame]] = {"field_v1": [], "paper_v1": []}
        for name in (*found, *found):
            session.use_release(con, name)
            assert "leaderboard" in session.read_kept(con, query)
            found[name].append(session.frame_of(con, query))
    for once, again in found.values():
        assert once.equals(again)
    assert not found["field_v1"][0].equals(found["paper_v1"][0])


def test_a_connection_that_writes_reads_the_views(path: Path) -> None:
    with Warehouse(path).writing() as con:
        session.use_release(con)
        assert not session.read_kept(con, "SELECT * FROM leaderboard")


def test_only_what_a_query_reads_means_kept_rows(path: Path) -> None:
    several = {"benchmark_score", "leaderboard", "score"}
    for query, views in [
        ("SELECT score FROM leaderboard AS b ORDER BY run_id, ability_id", {"leaderboard"}),
        ("SELECT b.score FROM benchmark_score AS b, leaderboard AS l", several),
        ("SELECT run_id FROM question GROUP BY score, leaderboard", set()),
        ("FROM ability_sum", {"ability_sum"}),
    ]:
        with Warehouse(path).reading() as con:
            session.use_release(con)
            assert session.read_kept(con, query) == views

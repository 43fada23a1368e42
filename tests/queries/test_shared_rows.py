"""Rows that judges share: stored once, and shown under each judge as the SELECT of the result gives them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from queries import release
from queries.plan import internal_schema
from queries.results import refresh as keeping
from queries.results.tables import SET, shared
from tests.oracle import Ask
from tests.results import rows_of_results
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_CHOICES = {"A": "a cat", "B": "a dog", "C": "an emu"}
_ASKS = [Ask(str(n), {0: _CHOICES, 1: _CHOICES}, {0: "A", 1: "B"}) for n in range(40)]
_OPEN = 6
"""So many questions have answers that no rule reads."""


@pytest.fixture
def judged(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Three models, each with some answers that no rule reads."""
    rows = question_rows(_ASKS)
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own", refresh=False)
    said = [
        {
            "model": model,
            "question_key": ask.key,
            "pass": step,
            "prediction": f"hmm {ask.key}" if int(ask.key) < _OPEN else "A",
        }
        for model in ("one", "two", "three")
        for ask in _ASKS
        for step in ask.choices
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="Own")
    return house


def _add_verdicts(house: Warehouse, judge: str, seed: int) -> None:
    pick = random.Random(seed)
    add_replies(
        house,
        register_judge(house, judge, max_attempts=1 + seed % 2),
        [
            (ask, step, f"hmm {ask.key}", pick.choice(["A", "B", "X", "??", None]))
            for ask in _ASKS[:_OPEN]
            for step in ask.choices
            if pick.random() < 0.8
        ],
        judge_sample=seed % 2,
    )


def _n_stored(house: Warehouse, name: str = "field_v2") -> dict[str, int]:
    """How many rows each table of a release's results has."""
    with house.reading() as con:
        tables = con.execute(
            f'SELECT name FROM "{internal_schema(name)}".definition WHERE "table" IS NOT NULL'
        ).fetchall()
        return {
            table: con.execute(
                f'SELECT count(*) FROM "{internal_schema(name)}"."{table}"'
            ).fetchall()[0][0]
            for (table,) in tables
        }


def _n_shown(house: Warehouse, judge: str) -> dict[str, int]:
    """How many rows some views have under a judge."""
    with house.reading() as con:
        return {
            view: con.execute(
                f"SELECT count(*) FROM field_v2.{view} WHERE judge = ?", [judge]
            ).fetchall()[0][0]
            for view in ("pass_result", "question_result", "ability_sum", "judge_need", "score")
        }


@pytest.mark.as_users
@pytest.mark.parametrize("others", [1, 2])
def test_a_judge_without_a_verdict_adds_no_row(judged: Warehouse, others: int) -> None:
    for n in range(others):
        _add_verdicts(judged, f"judge {n}", n)
    judged.refresh()
    before = _n_stored(judged)
    assert before["pass_result"] > 3 * 2 * len(_ASKS)
    register_judge(judged, "new")
    assert judged.refresh().n_built == 3
    assert _n_stored(judged) == before
    shown = _n_shown(judged, "new")
    assert shown["pass_result"] == 3 * 2 * len(_ASKS)
    assert shown["judge_need"] == 3 * 2 * _OPEN


def test_a_judge_adds_rows_where_it_says_something(judged: Warehouse) -> None:
    judged.refresh()
    before = _n_stored(judged)
    for n in range(5):
        _add_verdicts(judged, f"judge {n}", n)
    judged.refresh()
    added = _n_stored(judged)["pass_result"] - before["pass_result"]
    assert 0 < added <= 5 * 3 * 2 * _OPEN
    with judged.reading() as con:
        assert con.execute(
            "SELECT count(DISTINCT (judge, judge_sample)), min(n), max(n) FROM (SELECT judge, judge_sample, "
            "count(*) AS n FROM field_v2.pass_result GROUP BY judge, judge_sample)"
        ).fetchall() == [(6, 3 * 2 * len(_ASKS), 3 * 2 * len(_ASKS))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_views_have_the_rows_of_the_selects(judged: Warehouse, seed: int) -> None:
    """Whatever judges said, also where runs are computed at different times and with sets that are there."""
    for n in range(4):
        _add_verdicts(judged, f"judge {n}", 10 * seed + n)
        if n % 2:
            judged.refresh()
    names = ("field_v2", "vlmevalkit_e8e78f0", "lmms_eval")
    for name in names:
        judged.refresh(release=name)
    with judged.writing() as con:
        con.execute("UPDATE main.run SET label = 'another' WHERE run_id = 2")
        for name in names:
            assert keeping.refresh(con, name).n_built == 1
            stored, anew = rows_of_results(con, name)
            assert stored == anew
            assert len(stored["pass_result"]) == 5 * 3 * 2 * len(_ASKS)
            internal = internal_schema(name)
            tables = con.execute(
                "SELECT table_name FROM duckdb_columns() "
                "WHERE schema_name = ? AND column_name = ? AND table_name <> ?",
                [internal, SET, SET],
            ).fetchall()
            used = " UNION ".join(f"SELECT {SET} FROM {internal}.{table}" for (table,) in tables)
            sets = f"SELECT {SET} FROM {internal}.{SET}"
            assert con.execute(f"{sets} EXCEPT ({used})").fetchall() == [], "no row has these sets"
            assert con.execute(f"({used}) EXCEPT {sets}").fetchall() == [], "these sets are lost"


@pytest.mark.parametrize("seed", range(20))
def test_no_row_is_lost_or_made(seed: int) -> None:
    """Also of rows that are there twice, without a judge, or of numbers that are none."""
    pick = random.Random(seed)
    rows = [
        (
            pick.randrange(3),
            pick.choice(["none", "one", "two", None]),
            pick.choice([0, 1, None]),
            pick.choice([0.5, 1.0, None, float("nan")]),
        )
        for _ in range(pick.randrange(60))
    ]
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE known AS SELECT 7 AS judge_set, NULL::INTEGER AS judge_id, 'one' AS judge, "
            "1::SMALLINT AS judge_sample"
        )
        con.execute(
            "CREATE TEMP TABLE plain (run_id INTEGER, judge VARCHAR, judge_sample SMALLINT, score DOUBLE)"
        )
        if rows:
            con.executemany("INSERT INTO plain VALUES (?, ?, ?, ?)", rows)
        con.execute("CREATE TEMP TABLE other AS SELECT run_id, score, judge FROM plain")
        expected = [
            sorted(map(repr, con.execute(f"FROM temp.{name}").fetchall()))
            for name in ("plain", "other")
        ]
        with shared(con, ["plain", "other"], "known") as sets:
            n = con.execute(f"SELECT count(DISTINCT {SET}) FROM plain").fetchall()[0][0]
            assert n <= len({row[1:3] for row in rows}) ** 2
            found = [
                sorted(
                    map(
                        repr,
                        con.execute(
                            f"SELECT {columns} FROM temp.{name} AS t INNER JOIN {sets} AS j USING ({SET})"
                        ).fetchall(),
                    )
                )
                for name, columns in (
                    ("plain", "t.run_id, j.judge, j.judge_sample, t.score"),
                    ("other", "t.run_id, t.score, j.judge"),
                )
            ]
        assert found == expected


def test_every_result_says_what_tells_its_rows_apart(empty_file: Path, tmp_path: Path) -> None:
    with duckdb.connect(shutil.copy(empty_file, tmp_path / "copy.duckdb"), read_only=True) as con:
        for name in release.shipped_names():
            found = con.execute(
                f'SELECT name, len(key) FROM {internal_schema(name)}.definition WHERE "table" IS NOT NULL'
            ).fetchall()
            assert min(n for _, n in found) > 0, found


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("pass_result", "question_id"),
        ("averaged_score", "ability_id"),
        ("choice_reading", "question_id"),
    ],
)
def test_check_finds_a_row_that_is_there_twice(judged: Warehouse, table: str, key: str) -> None:
    _add_verdicts(judged, "judge", 0)
    judged.refresh()
    assert judged.check().is_ok
    with judged.writing() as con:
        con.execute(
            f"INSERT INTO field_v2_internal.{table} FROM field_v2_internal.{table} WHERE run_id = 2 LIMIT 1"
        )
    (found,) = [one for one in judged.check().findings if one.n]
    assert found.check == "rows of field_v2"
    assert any(f"{table}: run_id 2" in one and key in one for one in found.examples)


def test_check_finds_a_judge_that_is_in_a_set_twice(judged: Warehouse) -> None:
    judged.refresh()
    with judged.writing() as con:
        con.execute("INSERT INTO field_v2_internal.judge_set FROM field_v2_internal.judge_set")
    (found,) = [one for one in judged.check().findings if one.n]
    assert any("pass_result: run_id 1" in one for one in found.examples)

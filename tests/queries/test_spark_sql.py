"""What goes to Spark, and what is refused before it: none of this needs Spark."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from sqlglot import parse_one

from evalhouse import UsageError, Warehouse
from evalhouse.transfer import export_parquet
from queries import release as releases
from queries.install import LATEST
from queries.plan import plan
from queries.spark import ask, session, translate
from queries.spark.translate import Translator, translator, write
from queries.spark.user_query import Known, user_query
from tests.commands import run
from warehouse import manifest as manifests
from warehouse.errors import InputError, SchemaVersionError


@pytest.fixture(scope="module")
def paper() -> Translator:
    return translator(releases.load("paper_v1"))


@pytest.fixture(scope="module")
def known(paper: Translator) -> Known:
    by_schema = {name: releases.load(name) for name in releases.shipped_names()}
    by_schema[LATEST] = by_schema[releases.PAPERS] = by_schema["paper_v1"]
    return Known(by_schema, by_schema["paper_v1"], paper.macros, frozenset(("run", "choice")))


@pytest.fixture
def folder(house: Warehouse, tmp_path: Path) -> Path:
    with house.reading(folders=[tmp_path]) as con:
        export_parquet(con, tmp_path / "export")
    return tmp_path / "export"


@pytest.fixture
def deep() -> Iterator[None]:
    """sqlglot's parser calls itself for each bracket, of which macros that are written out have many."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.slow
@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize("name", releases.shipped_names())
def test_every_view_of_every_release_can_be_said(name: str) -> None:
    made = translator(releases.load(name))
    for view in made.views:
        said = made.view(view)
        # Spark's own parser is not here; sqlglot's reads what it wrote, and no macro is left in it.
        assert parse_one(said.sql, read="spark") is not None
        assert f"`{name}`." not in said.sql
        # Numbers alone, or no rows.
        assert said.reads or view in ("half_line", "group_sum", "answer_match", "rule_need")


def test_macros_are_written_out_with_lambdas_of_their_own(paper: Translator) -> None:
    said = paper.view("exact_match").sql
    assert "plain_answer" not in said
    # exact_match transforms a list, and the macro in the lambda filters another.
    assert said.count("-> `x_` =") == 1
    assert "python_lower" not in said
    assert "LOWER(" in said.upper()
    assert "REGEXP_REPLACE" not in said.upper()


def test_decimals_are_doubles(paper: Translator) -> None:
    assert "CAST(1.0 AS DOUBLE)" in paper.view("judge_stability").sql


JOINED = {
    "SELECT * FROM a JOIN b USING (k)": (
        "SELECT * EXCEPT (`k:b`) FROM `a` "
        "JOIN (SELECT * EXCEPT (`k`), `k` AS `k:b` FROM `b`) AS `b` ON `k` = `b`.`k:b`"
    ),
    "SELECT k, B.K FROM a LEFT JOIN c AS b USING (k) WHERE EXISTS (SELECT 1 FROM d WHERE d.k = b.k)": (
        "SELECT `k`, `b`.`k:b` AS `k` FROM `a` "
        "LEFT JOIN (SELECT * EXCEPT (`k`), `k` AS `k:b` FROM `c` AS `b`) AS `b` ON `k` = `b`.`k:b` "
        "WHERE EXISTS(SELECT 1 FROM `d` WHERE `d`.`k` = `b`.`k:b`)"
    ),
    "SELECT b.* FROM a JOIN b USING (k, j)": (
        "SELECT `b`.`k:b` AS `k`, `b`.`j:b` AS `j`, `b`.* EXCEPT (`k:b`, `j:b`) FROM `a` "
        "JOIN (SELECT * EXCEPT (`k`, `j`), `k` AS `k:b`, `j` AS `j:b` FROM `b`) AS `b` "
        "ON `k` = `b`.`k:b` AND `j` = `b`.`j:b`"
    ),
    "SELECT b.* EXCLUDE (k), * EXCLUDE (j) FROM a JOIN b USING (k)": (
        "SELECT `b`.* EXCEPT (`k:b`), * EXCEPT (`j`, `k:b`) FROM `a` "
        "JOIN (SELECT * EXCEPT (`k`), `k` AS `k:b` FROM `b`) AS `b` ON `k` = `b`.`k:b`"
    ),
    "SELECT * FROM a SEMI JOIN b USING (k)": (
        "SELECT * FROM `a` "
        "SEMI JOIN (SELECT * EXCEPT (`k`), `k` AS `k:b` FROM `b`) AS `b` ON `k` = `b`.`k:b`"
    ),
    "SELECT * FROM a JOIN (SELECT 1 AS k) USING (k)": (
        "SELECT * EXCEPT (`k:side0`) FROM `a` JOIN (SELECT * EXCEPT (`k`), `k` AS `k:side0` "
        "FROM (SELECT 1 AS `k`)) AS `side0` ON `k` = `side0`.`k:side0`"
    ),
    "SELECT * FROM a FULL JOIN b USING (k)": "SELECT * FROM `a` FULL JOIN `b` USING (`k`)",
}


@pytest.mark.parametrize("query", JOINED)
def test_joins_by_using_are_joins_by_on(query: str) -> None:
    assert write(parse_one(query, read="duckdb")) == JOINED[query]


@pytest.mark.slow
@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize("name", ["field_v2", "paper_v1"])
def test_joins_by_on_give_the_same_columns(empty_file: Path, name: str) -> None:
    """DuckDB reads them too: a key that two sources before a join have is ambiguous to both engines."""
    with duckdb.connect(str(empty_file), read_only=True) as con:
        release = releases.load(name)
        for item in plan(release, files=release.lasting_files):
            if item.file.kind == "view":
                tree = parse_one(item.sql, read="duckdb")
                translate.by_on(tree)
                now = con.execute(f"DESCRIBE {tree.sql('duckdb')}").fetchall()
                assert now == con.execute(f"DESCRIBE {item.sql}").fetchall(), item.file.place


REFUSED = {
    "INSERT INTO main.run SELECT * FROM main.run": "a query is a SELECT",
    "DELETE FROM main.run": "a query is a SELECT",
    "DROP VIEW leaderboard": "a query is a SELECT",
    "CREATE TABLE x AS SELECT 1": "a query is a SELECT",
    "COPY main.run TO 'x'": "a query is a SELECT",
    "SELECT 1 AS a INTO t": "syntax error",
    "SET a = 1": "a query is a SELECT",
    "EXPLAIN SELECT 1": "a query is a SELECT",
    "PRAGMA database_list": "a query is a SELECT",
    "SELECT 1; SELECT 2": "one query at a time",
    "": "there is no query",
    "SELECT FROM WHERE": "syntax error",
    "SELECT * FROM 'x.parquet'": "there is no",
    "SELECT * FROM parquet.\"/etc\"": "there is no",
    "SELECT * FROM read_csv('x')": "nothing else",
    "SELECT * FROM read_parquet('x')": "nothing else",
    "SELECT * FROM range(10)": "nothing else",
    "SELECT * FROM duckdb_settings()": "nothing else",
    "SELECT * FROM other.main.run": "nothing else",
    "SELECT * FROM main.nothing": "there is no main.nothing",
    "SELECT * FROM main.leaderboard": "there is no main.leaderboard",
    "SELECT * FROM information_schema.tables": "there is no",
    "SELECT * FROM main.run WHERE run_id IN (SELECT a FROM secret)": "there is no secret",
    "WITH run AS (SELECT 1) SELECT * FROM (SELECT * FROM x.run) AS y": "there is no x.run",
    "SELECT reflect('java.lang.System', 'getenv')": "there is no function reflect",
    "SELECT java_method('java.lang.System', 'exit', 1)": "there is no function java_method",
    "SELECT paper_v1.reflect('a')": "there is no function reflect",
    "SELECT words('a', 'b')": "words takes answer, and not 2 values",
    "SELECT getenv('HOME')": "there is no function",
    "SELECT * FROM main.run AS r, other.words('x') AS t": "nothing else",
    "WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a": "recursive",
}  # fmt: skip


@pytest.mark.parametrize("query", REFUSED)
def test_what_is_no_query_of_the_warehouse_is_refused(known: Known, query: str) -> None:
    with pytest.raises(UsageError, match=REFUSED[query]):
        user_query(query, known)


def test_names_mean_what_they_mean_on_duckdb(known: Known) -> None:
    def reads(query: str) -> list[str]:
        return [source.spark_name for source in user_query(query, known).query.reads]

    assert reads("SELECT * FROM latest.leaderboard") == ["paper_v1:leaderboard"]
    assert reads("SELECT * FROM Leaderboard, MAIN.Run, run") == [
        "paper_v1:leaderboard",
        "main:run",
        "main:run",
    ]
    assert reads("SELECT * FROM vlmevalkit_0_0_20.verdict") == ["vlmevalkit_0_0_20:verdict"]
    assert reads("SELECT * FROM papers.mmbench_t2, mmbench_t5") == [
        "paper_v1:mmbench_t2",
        "paper_v1:mmbench_t5",
    ]
    assert reads("WITH verdict AS (SELECT 1 AS a) SELECT * FROM verdict") == []
    assert reads("WITH verdict AS (SELECT * FROM verdict) SELECT * FROM verdict") == ["paper_v1:verdict"]  # fmt: skip
    assert reads("WITH verdict AS (SELECT 1 AS a) SELECT * FROM latest.verdict") == ["paper_v1:verdict"]  # fmt: skip


def test_what_may_mean_something_else_is_told(known: Known) -> None:
    for query, doubts in {
        "SELECT median(run_id), round(1.5, 1) FROM main.run": ("the function median",),
        "SELECT lower(text) FROM main.choice": ("the function lower",),
        "SELECT count(*), words('a'), CASE WHEN 1 > 0 AND 2 > 1 THEN 1 END": (),
        "SELECT regexp_matches(text, '[a-z]+'), [1, 2] FROM main.choice": (),
        "SELECT substr(text, 0, 2) FROM main.choice": ("substr counts from 1",),
    }.items():
        assert user_query(query, known).doubts == doubts
    (doubt,) = user_query("SELECT regexp_matches(text, '\\s') FROM main.choice", known).doubts
    assert "which engines read differently" in doubt


def test_a_folder_that_is_no_export(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for other, words in (("empty", "no manifest"), ("nowhere", "it is not there")):
        with pytest.raises(InputError, match=words), ask.opened(tmp_path / other):
            pass
    path = folder / manifests.NAME
    text = path.read_text("utf-8")
    path.write_text(text.replace('"schema_version": ', '"schema_version": 1', 1), "utf-8")
    with pytest.raises(SchemaVersionError, match="holds schema version 1"), ask.opened(folder):
        pass
    path.write_text(text.replace('"INTEGER"', '"INTEGER) USING x; --"', 1), "utf-8")
    with pytest.raises(InputError, match="no column here is"), ask.opened(folder):
        pass
    path.write_text(text, "utf-8")
    shutil.copy(folder / "run/part-0.parquet", folder / "run/part-1.parquet")
    with pytest.raises(InputError, match="no file of this export"), ask.opened(folder):
        pass


def test_without_pyspark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(UsageError, match=r"pip install 'evalhouse\[spark\]'; it needs Java 17"):  # noqa: SIM117
        with ask.opened(folder):
            pass


@pytest.mark.slow
def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    for words, message in (
        (("--engine", "sparkle"), "--engine is duckdb or spark"),
        (("--parquet", "x"), "--parquet and --master go with --engine spark"),
        (("--engine", "spark", "--db", "x", "--parquet", "y"), "--db or --parquet, not both"),
        (("--engine", "spark", "--parquet", "y"), "y: no export"),
    ):
        for command in (("sql", "SELECT 1"), ("leaderboard", "MMBench")):
            done = run("evalhouse", *command, *words, cwd=tmp_path)
            assert (done.code, message in done.err) == (2, True), done.err
    assert list(tmp_path.iterdir()) == []


def test_the_memory_of_spark_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_DRIVER_MEMORY", raising=False)
    by_default = session.of_this_machine(None)["spark.driver.memory"]
    assert by_default.endswith("m")
    assert int(by_default.removesuffix("m")) >= 1024
    monkeypatch.setenv("SPARK_DRIVER_MEMORY", "3g")
    assert session.of_this_machine("local[2]")["spark.driver.memory"] == "3g"
    # A cluster's configuration says it.
    assert session.of_this_machine("spark://there:7077") == {}

"""DuckDB and Spark give the same rows: every view that boards rest on, in every release."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from evalhouse import UsageError, Warehouse
from evalhouse.demo.build import build as build_demo
from evalhouse.transfer import export_parquet
from ingest.settings import TaskMap
from queries import install
from queries import release as releases
from queries.heads import head
from queries.options import BoardOptions
from queries.plan import internal_schema, plan
from queries.results import refresh
from queries.results.tables import SET
from queries.spark import ask, translate
from queries.spark.translate import STEPS, Source, SparkQuery
from queries.spark.views import SparkHouse
from tests.commands import run
from tests.inspect_readings import load_readings, load_reduced_and_grouped
from tests.nasty import nasty_house
from warehouse.files import writing
from warehouse.judgment import choice_extraction_hash, open_answer_hash

pytestmark = [pytest.mark.spark, pytest.mark.all_releases, pytest.mark.usefixtures("spark")]

NAMED = (
    "choice_match", "pass_result", "question_result", "ability_score", "leaderboard", "verdict", "judge_todo",
    "sample_total", "exact_match", "refusal_rate", "subset_leaderboard", "subset_sample_total", "judge_agreement",
    "keyword_score", "mark_total", "choice_ranking", "published_difference", "dataset_summary", "dataset_diff",
    "score_interval", "rank_range",
)  # fmt: skip
"""The views that the two engines are to agree on; so are those that they rest on."""
OF = {
    "field_v2": (*NAMED, "harness_difference", "harness_sample_difference"),
    # What stands on these is the same SQL as in the release that it builds on.
    "lmms_eval": ("pass_result", "question_result"),
    "evalscope_1_14": ("pass_result", "question_result", "evalscope_figure"),
}
"""Those of single releases, where they are others."""
MOST = 1e-12
PAPERS = ("paper_v1", "vlmevalkit_0_0_20", "vlmevalkit_e8e78f0")
FIELD = ("field_v1", "field_v2", "lmms_eval", "evalscope_1_14", "vlmevalkit_field_e8e78f0")
IN_THE_FIELD = (
    "AMBER", "CCBench", "ChartQA_TEST", "DocVQA_VAL", "GQA_TestDev_Balanced", "HallusionBench", "LLaVABench",
    "MMBench-Video", "MME", "MMMU_DEV_VAL", "MVBench", "MathVerse_MINI", "MathVision_MINI", "MathVista_MINI",
    "NaturalBenchDataset", "OCRBench", "POPE", "TextVQA_VAL", "Video-MME", "VizWiz",
)  # fmt: skip
"""Data sets of a work dir with every rule, group and figure there is."""


def _exported(house: Warehouse, folder: Path, names: tuple[str, ...]) -> Path:
    with house.writing() as con:
        for name in names:
            # The papers' tables of each too, which are on Spark.
            release = releases.load(name)
            install.install(con, release, release.files)
            refresh.refresh(con, name)
    with house.reading(folders=[writing.place_of(folder)]) as con:
        export_parquet(con, folder)
    return folder


@pytest.fixture(scope="module")
def nasty(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Path]:
    """Nasty texts, and their export."""
    folder = tmp_path_factory.mktemp("nasty")
    house = nasty_house(empty_file, folder / "nasty.duckdb", seed=2)
    return house, _exported(house, folder / "it's {an} [export]*?", PAPERS)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> tuple[Warehouse, Path]:
    """The demo's answers to MMBench and the real files, and their export."""
    folder = tmp_path_factory.mktemp("real")
    house = build_demo(folder)
    house.ingest(shared / "real/mmbench/llava-v1.5-13b.xlsx", benchmark="MMBench")
    house.ingest(shared / "real/seedbench/SEED-Bench-2.GPT-4V.json", on_duplicate="first")
    names = ("mm-vet", "bard_set", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    files = [shared / f"real/mmvet/{name}.json" for name in names]
    house.ingest(*files, *sorted((shared / "real/mmvet").glob("*.csv")), benchmark="MM-Vet")
    return house, _exported(house, folder / "export", PAPERS)


@pytest.fixture(scope="module")
def work_dir(
    empty_file: Path, tmp_path_factory: pytest.TempPathFactory, shared: Path
) -> tuple[Warehouse, Path]:
    """A model's runs by VLMEvalKit, one of them with judges, some of lm-eval and Inspect, and their export."""
    folder = tmp_path_factory.mktemp("work_dir")
    house = Warehouse(shutil.copy(empty_file, folder / "field.duckdb"))
    model = "Lynx-VL-2B"
    for run_folder in sorted((shared / "formats/vlmevalkit_field/outputs" / model).glob("T*")):
        place = folder / "outputs" / model / run_folder.name
        place.mkdir(parents=True)
        for file in run_folder.iterdir():
            name = file.name.removeprefix(f"{model}_")
            if name == "status.json" or any(re.match(rf"{one}[_.]", name) for one in IN_THE_FIELD):
                shutil.copy(file, place)
    assert all(one.error is None for one in house.ingest_many(folder / "outputs"))
    tasks = TaskMap({"seedlike_gen": "Likewise", "seedlike_ppl": "Likewise"})
    outcomes = house.ingest_many(shared / "formats/lm_eval_out", map=tasks)
    assert all(one.error is None for one in outcomes)
    load_readings(house)
    load_reduced_and_grouped(house)
    return house, _exported(house, folder / "export", FIELD)


@pytest.fixture(scope="module")
def nasty_on_spark(spark: Any, nasty: tuple[Warehouse, Path]) -> Iterator[SparkHouse]:
    """Nasty texts on Spark, with all that one test or the other made of them there."""
    with ask.opened(nasty[1]) as exported:
        yield exported


@pytest.fixture(scope="module")
def real_on_spark(spark: Any, real: tuple[Warehouse, Path]) -> Iterator[SparkHouse]:
    """The same of the real files."""
    with ask.opened(real[1]) as exported:
        yield exported


@pytest.fixture(scope="module")
def work_dir_on_spark(spark: Any, work_dir: tuple[Warehouse, Path]) -> Iterator[SparkHouse]:
    """The same of the runs of a work dir."""
    with ask.opened(work_dir[1]) as exported:
        yield exported


@pytest.fixture(params=["nasty", "real"])
def both(request: pytest.FixtureRequest) -> Iterator[tuple[duckdb.DuckDBPyConnection, SparkHouse]]:
    """One of the two on either engine."""
    house, _ = request.getfixturevalue(request.param)
    with house.reading() as con:
        yield con, request.getfixturevalue(f"{request.param}_on_spark")


def test_all_releases_are_compared() -> None:
    assert {*PAPERS, *FIELD} == set(releases.shipped_names())


@pytest.mark.parametrize(
    ("data", "names"), [("nasty", PAPERS), ("real", PAPERS), ("work_dir", FIELD)]
)
def test_views_have_the_same_rows(
    data: str, names: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    warehouse, _ = request.getfixturevalue(data)
    with warehouse.reading() as con:
        _require_same_rows(con, request.getfixturevalue(f"{data}_on_spark"), names)


def _require_same_rows(
    con: duckdb.DuckDBPyConnection, house: SparkHouse, names: tuple[str, ...]
) -> None:
    seen: set[str] = set()
    tables: set[str] = set()
    for name in names:
        views = (*OF.get(name, NAMED), *house.translator(name).columns)
        queries = house._needed(Source(name, view) for view in views)
        for view, body in _bodies(name).items():
            if Source(name, view) in queries:
                con.execute(f"CREATE TEMP TABLE {_table(Source(name, view))} AS {body}")
        places = {name: "temp.{table}", internal_schema(name): '"{schema}"."{name}"'}
        for source in TopologicalSorter({s: q.reads for s, q in queries.items()}).static_order():
            if source in house.there:
                continue
            frame = house.put(
                source, queries.get(source), keep=source.schema in (name, f"{name}{STEPS}")
            )
            # The same view on the same ones as in a release before has the same rows.
            if source.schema not in places or house.there[source] in seen:
                continue
            seen.add(house.there[source])
            if source.schema != name:
                tables.add(source.name)
            place = places[source.schema].format(table=_table(source), **vars(source))
            found = pl.from_arrow(frame.toArrow())
            shown = _with_judges(con, place, source, frame.columns)
            wanted = pl.from_arrow(con.sql(shown).to_arrow_table())
            assert isinstance(found, pl.DataFrame)
            assert isinstance(wanted, pl.DataFrame)
            assert _difference(wanted, found) is None, source
    assert len(seen) > 100
    assert tables >= {"pass_result", "question_result", "ability_sum"}


def _with_judges(
    con: duckdb.DuckDBPyConnection, place: str, source: Source, columns: list[str]
) -> str:
    """The rows of a view or of a stored result as Spark has them: each judge has its own, and one that
    nobody asked has none."""
    there = {row[0] for row in con.execute(f"DESCRIBE {place}").fetchall()}
    shown = ", ".join(columns)
    if SET in there:
        sets = f'"{source.schema}".{SET}'
        rows = f"(FROM {place} AS t INNER JOIN {sets} AS j USING ({SET}) SELECT t.*, j.*)"
    else:
        rows = place
    asked = "" if "judge" not in columns else " WHERE coalesce(trim(judge) <> '', TRUE)"
    return f"SELECT {shown} FROM {rows}{asked}"


def _bodies(name: str) -> dict[str, str]:
    """The query of each view of a release, over tables in the place of those below it: either engine
    computes each once."""
    release = releases.load(name)
    views = {item.file.name: item.sql for item in plan(release) if item.file.kind == "view"}
    below = re.compile(rf'"{name}(?:_internal)?"\.({"|".join(sorted(views))})\b')
    return {
        view: below.sub(lambda found: f"temp.{_table(Source(name, found[1]))}", sql)
        for view, sql in views.items()
    }


def _table(source: Source) -> str:
    return f'"{source.schema}:{source.name}"'


def test_comparisons_of_two_runs_are_the_same(
    both: tuple[duckdb.DuckDBPyConnection, SparkHouse],
) -> None:
    """Every pair of runs would be too many for Spark, so those of four."""
    con, house = both
    runs = [
        run
        for (run,) in con.execute(
            "SELECT run_id FROM latest.current_run ORDER BY dataset_id, run_id"
        ).fetchall()
    ]
    some = ", ".join(map(str, runs[:4]))
    where = f"WHERE run_a IN ({some}) AND run_b IN ({some})"
    source = Source("paper_v1", "paired_difference")
    query = SparkQuery(f"SELECT * FROM `{source.spark_name}` {where}", (source,))
    found = pl.from_arrow(ask.collected(house, query))
    wanted = pl.from_arrow(con.sql(f"SELECT * FROM paper_v1.paired_difference {where}").to_arrow_table())  # fmt: skip
    assert isinstance(found, pl.DataFrame)
    assert isinstance(wanted, pl.DataFrame)
    assert wanted.filter(pl.col("p_value").is_not_null()).height > 20
    # t and chi-square are no fractions: their last digits are further up.
    large = ["t_statistic", "chi_square", "correlation"]
    assert _difference(wanted.drop(large), found.drop(large)) is None
    assert _difference(*(each.with_columns(pl.col(large) / 1000) for each in (wanted, found))) is None  # fmt: skip


def test_compiled_plans_have_the_same_rows(nasty: tuple[Warehouse, Path]) -> None:
    """As with millions of rows, where Spark compiles its plans."""
    house, folder = nasty
    with ask.opened(folder) as exported, house.reading() as con:
        exported.spark.conf.set("spark.sql.codegen.wholeStage", "true")
        exported.spark.conf.set("spark.sql.codegen.factoryMode", "CODEGEN_ONLY")
        for release, views in {
            "paper_v1": ("choice_match", "pass_result", "verdict", "question_result"),
            "vlmevalkit_e8e78f0": ("choice_match",),
        }.items():
            for view in views:
                source = Source(release, view)
                query = SparkQuery(f"SELECT * FROM `{source.spark_name}`", (source,))
                found = pl.from_arrow(ask.collected(exported, query))
                wanted = pl.from_arrow(con.sql(f"SELECT * FROM {release}.{view}").to_arrow_table())
                assert isinstance(found, pl.DataFrame)
                assert isinstance(wanted, pl.DataFrame)
                assert _difference(wanted, found) is None, source


def _difference(wanted: pl.DataFrame, found: pl.DataFrame) -> str | None:
    """What is not the same, in any order of rows; lists are sets, as no view has them in an order."""
    if wanted.columns != found.columns or wanted.height != found.height:
        return f"{wanted.shape} {wanted.columns}, {found.shape} {found.columns}"
    one, two = _sorted(wanted), _sorted(found)
    for name in one.columns:
        a, b = one[name], two[name]
        if a.null_count() == b.null_count() == one.height:
            continue
        if a.dtype != b.dtype:
            return f"{name} is {a.dtype}, and {b.dtype} on Spark"
        if a.dtype.is_float():
            differ = ((a - b).abs() > MOST).fill_null(False) | (a.is_null() != b.is_null())
        else:
            differ = a.ne_missing(b)
        if differ.any():
            row = differ.arg_true()[0]
            return f"{name}: {differ.sum()} of {one.height}, as in {one.row(row)}, and {two.row(row)} on Spark"
    return None


def _sorted(frame: pl.DataFrame) -> pl.DataFrame:
    columns, keys, floats = [], [], []
    for name, its_type in frame.schema.items():
        column = pl.col(name)
        if its_type.is_integer() or (isinstance(its_type, pl.Decimal) and its_type.scale == 0):
            column = column.cast(pl.Int64)
        elif its_type.is_float() or its_type.is_decimal():
            column = column.cast(pl.Float64)
            floats.append(pl.col(name).round(9))
        elif isinstance(its_type, pl.List):
            column = column.list.sort()
        columns.append(column)
        if isinstance(its_type, pl.List):
            keys.append(pl.col(name).list.join("\x00"))
        elif not (its_type.is_float() or (its_type.is_decimal() and its_type.scale)):
            keys.append(pl.col(name))
    return frame.select(columns).sort([*keys, *floats], nulls_last=True)


def test_a_difference_is_found() -> None:
    frame = pl.DataFrame({"a": [1, 2, None], "b": ["x", "y", None], "c": [0.5, None, 1.0]})
    assert _difference(frame, frame.reverse()) is None
    assert _difference(frame, frame.with_columns(pl.col("c") + 1e-14)) is None
    for other in (
        frame.head(2),
        frame.rename({"a": "d"}),
        frame.with_columns(pl.col("c") + 2e-12),
        frame.with_columns(pl.col("c").fill_null(0.0)),
        frame.with_columns(pl.col("b").fill_null("")),
        frame.with_columns(pl.col("b").replace("y", "z")),
        frame.with_columns(pl.col("a").cast(pl.String)),
    ):
        assert _difference(frame, other) is not None


def test_hashes_of_subjects_and_draws_are_those_of_python(
    nasty: tuple[Warehouse, Path], nasty_on_spark: SparkHouse
) -> None:
    house, exported = nasty[0], nasty_on_spark
    with house.reading() as con:
        texts = dict(con.execute("SELECT question_id, text FROM main.question").fetchall())
        choices: dict[tuple[int, int], dict[str, str]] = {}
        for question, step, label, text in con.execute(
            "SELECT question_id, pass, label, text FROM main.choice ORDER BY ordinal"
        ).fetchall():
            choices.setdefault((question, step), {})[label] = text
        references: dict[int, list[str]] = {}
        for question, text in con.execute(
            "SELECT question_id, text FROM main.reference_answer"
        ).fetchall():
            references.setdefault(question, []).append(text)
        ((n,),) = con.execute("SELECT count(*) FROM latest.subject").fetchall()
    subjects = ask.run_user_sql(exported, "SELECT question_id, pass, text, subject_hash FROM subject")  # fmt: skip
    assert subjects.height == n > 190
    for question, step, text, found in subjects.iter_rows():
        assert found == choice_extraction_hash(texts[question], choices[question, step], text)
    subjects = ask.run_user_sql(exported, "SELECT question_id, text, subject_hash FROM open_subject")  # fmt: skip
    assert subjects.height > 10
    for question, text, found in subjects.iter_rows():
        assert found == open_answer_hash(texts[question], references.get(question, ()), text)
    drawn = ask.run_user_sql(
        exported,
        "SELECT dataset, question_key, pass, sample, model, run, question_id, predicted "
        "FROM latest.pass_result WHERE resolved_by = 'random'",
    )
    assert drawn.height > 20
    for dataset, key, step, sample, model, run_label, question, predicted in drawn.iter_rows():
        parts = (
            "draw/1",
            _hex(dataset),
            _hex(key),
            str(step),
            str(sample),
            _hex(model),
            _hex(run_label),
            "0",
        )
        places = [*choices[question, step], "X"]
        number = int(hashlib.md5(",".join(parts).encode()).hexdigest()[:7], 16)
        assert predicted == places[number % len(places)]


def test_bodies_of_a_macro_agree(nasty_on_spark: SparkHouse) -> None:
    """The one that Spark has a body of its own for gives on each what Python does."""
    macros = [file for name in PAPERS for file in releases.load(name).macros.values()]
    assert {one.name for one in macros if head(one).engines == "both"} == {"python_lower"}
    assert [one.name for one in macros if translate._spark_body(one)] == ["python_lower"] * len(
        PAPERS
    )
    texts = ["", "A", "ÄÖẞ", "İI", "ΑΣ", "ΑΣ.", "ΣΑΣ ΟΔΟΣ", "Σ", "A'Σ", "Ⓐ Σ", "ǅ", "1Σ"]
    for text in texts:
        query = f"SELECT python_lower('{text.replace(chr(39), 2 * chr(39))}') AS said"
        assert ask.run_user_sql(nasty_on_spark, query)["said"].to_list() == [text.lower()]


def _hex(text: str) -> str:
    return text.encode().hex().upper()


def test_boards_are_the_same(real: tuple[Warehouse, Path], real_on_spark: SparkHouse) -> None:
    house, exported = real[0], real_on_spark
    for benchmark, choices in (
        ("mmbench", {}),
        ("MMBench", {"level": "l3", "strategy": "vanilla", "judge": "none", "runs": "all"}),
        ("MM-Vet", {"subset": "bard_set"}),
        ("SEED-Bench-2", {"of": "answered"}),
        ("MM-Vet", {"level": "integration"}),
    ):
        wanted = house.leaderboard(benchmark, **choices)
        found = ask.boards(exported, BoardOptions(benchmark, **choices))
        assert wanted
        for one, two in zip(wanted, found, strict=True):
            assert replace(one, lines=()) == replace(two, lines=())
            for here, there in zip(one.lines, two.lines, strict=True):
                assert replace(here, cells=(), totals=()) == replace(there, cells=(), totals=())  # fmt: skip
                assert here.totals == pytest.approx(there.totals, abs=MOST)
                for cell, other in zip(here.cells, there.cells, strict=True):
                    assert (cell is None) == (other is None)
                    if cell is not None and other is not None:
                        assert vars(cell) == pytest.approx(vars(other), abs=MOST)
    with pytest.raises(UsageError, match="no benchmark \"it''s\" here"):
        ask.boards(exported, BoardOptions("it''s"))


def test_a_users_query(nasty: tuple[Warehouse, Path], nasty_on_spark: SparkHouse) -> None:
    house, exported = nasty[0], nasty_on_spark
    notes: list[str] = []
    for query in (
        "SELECT model, score, rank FROM latest.leaderboard WHERE average = 'micro' ORDER BY ALL",
        "WITH leaderboard AS (SELECT judge, n FROM leaderboard) SELECT judge, sum(n) AS n FROM "
        "leaderboard GROUP BY ALL ORDER BY ALL",
        "FROM main.choice SELECT label, count(*) FILTER (text = '') AS n GROUP BY label ORDER "
        "BY n DESC, label LIMIT 3",
        "SELECT paper_v1.words('(A) \\ ''x''') AS w, 7 // 2 AS a, 7 / 2 AS b, 'a' || 1 AS c, 1.5 AS d",
        "SELECT 1 AS x, 2 AS x, NULL AS y",
        "SELECT p.text FROM main.prediction AS p WHERE EXISTS (SELECT 1 FROM main.run AS r "
        "WHERE r.run_id = p.run_id AND r.retracted_at IS NOT NULL) ORDER BY p.text",
        "SELECT m.matched FROM vlmevalkit_e8e78f0.choice_match AS m WHERE m.rule = 'text' ORDER BY 1",
    ):  # fmt: skip
        wanted = house.sql(query)
        found = ask.run_user_sql(exported, query, warn=notes.append)
        assert found.columns == wanted.columns
        assert [[str(v) for v in row] for row in found.rows()] == [
            [str(v) for v in row] for row in wanted.rows()
        ], query
    assert notes == []
    ask.run_user_sql(exported, "SELECT median(n) FROM leaderboard", warn=notes.append)
    assert "median" in notes[0]
    for wrong in (
        "SELECT nothing FROM leaderboard",
        "SELECT CAST('x' AS INTEGER)",
        "SELECT * FROM leaderboard AS a WHERE b.x = 1",
    ):
        with pytest.raises(UsageError):
            ask.run_user_sql(exported, wrong)


def test_the_commands(nasty: tuple[Warehouse, Path], tmp_path: Path) -> None:
    house, folder = nasty
    words = ("leaderboard", "Nas'ty", "--judge", "one", "--release", "vlmevalkit_0_0_20")
    wanted = run("evalhouse", *words, "--db", house.path, cwd=tmp_path)
    found = run("evalhouse", *words, "--engine", "spark", "--parquet", folder, cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert found.out == wanted.out
    query = "SELECT judge, task FROM latest.judge_scope ORDER BY ALL"
    wanted = run("evalhouse", "sql", query, "--db", house.path, cwd=tmp_path)
    found = run("evalhouse", "sql", query, "--engine", "spark", "--db", house.path, cwd=tmp_path)
    assert (found.code, found.err, found.out) == (0, "", wanted.out)


def test_without_java(nasty: tuple[Warehouse, Path], tmp_path: Path) -> None:
    done = run(
        "evalhouse", "sql", "SELECT 1", "--engine", "spark", "--parquet", nasty[1],
        cwd=tmp_path, env={"JAVA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == "error: Spark needs Java 17 or newer (JAVA_HOME says where it is), and there is none\n"
    )

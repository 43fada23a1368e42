"""Error bars and paired comparisons against scipy and statsmodels, by a reading of their own of the scores."""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from evalhouse import Warehouse
from queries import release as releases
from queries.plan import plan
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import question_rows, register_judge, write_jsonl
from warehouse import connection

_LETTERS = "ABCD"
_N = 90


def close(found: float | None, wanted: float, relative: float = 1e-9) -> bool:
    return found is not None and math.isclose(found, wanted, rel_tol=relative, abs_tol=1e-13)


# The distributions.


@pytest.fixture(scope="module")
def macros(empty_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(empty_file), read_only=True) as con:
        con.execute("SET search_path = 'field_v2,field_v2_internal,main'")
        yield con


def test_students_t(macros: duckdb.DuckDBPyConnection) -> None:
    rows = macros.execute(
        "SELECT t, df, t_p_value(t, df, sum(t_integrand(t, df, place) * weight), "
        "sum(t_integrand(0.0, df, place) * weight)) FROM half_line, "
        "unnest([0.0, 1e-6, 0.1, 1.0, 1.96, 3.3, 7.0, 20.0]) AS a (t), "
        "unnest([1, 2, 3, 5, 10, 30, 200, 1175, 23183, 100000]) AS b (df) GROUP BY t, df"
    ).fetchall()
    assert len(rows) == 80
    for t, df, found in rows:
        assert close(found, 2 * stats.t.sf(t, df)), (t, df)
    quantiles = macros.execute("SELECT df, t_975(df) FROM range(200_000) AS r (df)").fetchall()
    found = [value for _, value in quantiles[1:]]
    assert quantiles[0] == (0, None)
    assert np.allclose(found, stats.t.ppf(0.975, np.arange(1, 200_000)), rtol=1e-11, atol=0)


def test_the_binomial_distribution_at_even_odds(macros: duckdb.DuckDBPyConnection) -> None:
    rows = macros.execute(
        "SELECT k, n, binomial_p_value(k, n, sum(binomial_integrand(k, n, place) * weight)) FROM "
        "half_line, (SELECT DISTINCT n, CAST(floor(n * share) AS BIGINT) AS k FROM unnest([1, 2, 3, 9, 10, "
        "11, 64, 257, 1000, 20000]) AS a (n), unnest([0.0, 0.1, 0.4, 0.45, 0.49, 0.5]) AS b (share)) "
        "GROUP BY k, n"
    ).fetchall()
    assert len(rows) == 40
    for k, n, found in rows:
        wanted = stats.binomtest(k, n).pvalue
        assert wanted < 1e-290 or close(found, wanted), (k, n)


@settings(deadline=None, max_examples=60)
@given(k=st.integers(0, 5000), more=st.integers(0, 5000))
def test_any_binomial(macros: duckdb.DuckDBPyConnection, k: int, more: int) -> None:
    ((found,),) = macros.execute(
        "SELECT binomial_p_value($k, $n, sum(binomial_integrand($k, $n, place) * weight)) FROM half_line",
        {"k": k, "n": 2 * k + more},
    ).fetchall()
    wanted = min(1.0, 2 * stats.binom.cdf(k, 2 * k + more, 0.5))
    assert wanted < 1e-290 or close(found, wanted)


# A lab: three runs of right and wrong answers, two of them on both languages, images shared by some.


def ability(key: str) -> str:
    # One question of its own, one pair on one image, and two large ones.
    n = int(key)
    return "lone" if n == 0 else "pair" if n in (1, 2) else ("odd", "even")[n % 2 == 0]


def image(key: str) -> str | None:
    n = int(key)
    return "pair" if n in (1, 2) else None if n % 5 == 0 else f"i{n // 4}"


@pytest.fixture(scope="module")
def lab(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("lab")
    path = folder / "lab.duckdb"
    path.write_bytes(empty_file.read_bytes())
    house, pick = QuickHouse(path), random.Random(7)
    luck = {key: pick.gauss(0, 1) for key in map(str, range(_N))}
    for language in ("en", "cn"):
        # Two to four passes, so that vanilla_all weighs questions differently.
        asks = [
            Ask(
                str(n),
                {p: {x: f"{x} {n} {p}" for x in _LETTERS} for p in range(2 + n % 3)},
                {p: _LETTERS[(n + p) % 4] for p in range(2 + n % 3)},
            )
            for n in range(_N)
        ]
        rows = [r | {"ability_topic": ability(r["question_key"])} for r in question_rows(asks)]
        house.ingest(write_jsonl(folder / f"{language}.jsonl", rows), benchmark="Own", language=language)  # fmt: skip
        said = [
            {
                "model": model,
                "question_key": ask.key,
                "pass": p,
                "prediction": ask.answers[p]
                if luck[ask.key] + pick.gauss(0, 1.5) < skill
                else "none of it",
            }
            for model, skill in (("good", 1.5), ("fair", 0.8), ("poor", -0.5))
            if language == "en" or model != "poor"
            for ask in asks
            for p in ask.choices
            if pick.random() < 0.98
        ]
        house.ingest(
            write_jsonl(folder / f"said-{language}.jsonl", said), benchmark="Own", language=language
        )
    with house.writing() as con:
        for question_id, key in con.execute(
            "SELECT question_id, question_key FROM main.question"
        ).fetchall():
            if image(key) is not None:
                con.execute(
                    "INSERT INTO main.question_image VALUES (?, 0, sha256(?), 1)",
                    [question_id, image(key)],
                )
    return house


def scores(house: Warehouse, strategy: str) -> dict[int, dict[str, dict[str, Any]]]:
    """question_result by run and key."""
    found: dict[int, dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in house.sql(
        f"SELECT run_id, question_key, score, n_missing, n_expected FROM question_result WHERE strategy = '{strategy}'"
    ).to_dicts():
        found[row["run_id"]][row["question_key"]] = row
    return found


def clusters_of(keys: Sequence[str]) -> list[str]:
    return [image(key) or f"own {key}" for key in keys]


def clustered_error(values: Sequence[float], clusters: Sequence[str]) -> float:
    """Miller's equation 4, through statsmodels' sandwich without its own correction."""
    x, codes = np.asarray(values, float), np.unique(np.asarray(clusters), return_inverse=True)[1]
    fit = sm.OLS(x, np.ones(len(x))).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    # The sandwich has 1/n where Miller has 1/(n - 1) of the questions' own variance.
    return math.sqrt(fit.bse[0] ** 2 + ((x - x.mean()) ** 2).sum() / (len(x) - 1) / len(x) ** 2)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["circular", "vanilla", "vanilla_all"])
def test_paired_differences(lab: Warehouse, strategy: str) -> None:
    its_scores = scores(lab, strategy)
    found = lab.sql(f"SELECT * FROM paired_difference WHERE strategy = '{strategy}'").to_dicts()
    assert len(found) == 5 * 4 * 5
    n_clustered = 0
    for row in found:
        a, b = its_scores[row["run_a"]], its_scores[row["run_b"]]
        keys = [k for k in a if row["ability"] in ("Overall", ability(k))]
        left = [k for k in keys if a[k]["n_missing"] == 0 == b[k]["n_missing"]]
        assert (row["n_common"], row["n"]) == (len(keys), len(left))
        assert row["n_missing_a"] == sum(a[k]["n_missing"] > 0 for k in keys)
        assert row["n_missing_b"] == sum(b[k]["n_missing"] > 0 for k in keys)
        x, y = np.array([a[k]["score"] for k in left]), np.array([b[k]["score"] for k in left])
        clusters = clusters_of(left)
        assert row["n_clusters"] == len(set(clusters))
        # Scores are those of the boards: under vanilla_all over passes. The errors are over questions.
        weights = [a[k]["n_expected"] if strategy == "vanilla_all" else 1 for k in left]
        assert row["weight_a"] == row["weight_b"] == sum(weights)
        apart = np.average(x - y, weights=weights)
        assert close(row["difference"], apart)
        assert close(row["score_a"], np.average(x, weights=weights))
        assert close(row["score_b"], np.average(y, weights=weights))
        if len(left) > 1:
            assert close(row["stderr_questions"], stats.sem(x - y))
        if x.std() > 0 < y.std():
            assert close(row["correlation"], stats.pearsonr(x, y)[0], 1e-8)
        else:
            assert row["correlation"] is None
        if len(set(clusters)) < 2:
            assert row["stderr"] is row["low"] is row["t_p_value"] is None
        elif (x - y).std() > 0:
            error, df = clustered_error(x - y, clusters), len(set(clusters)) - 1
            n_clustered += error > row["stderr_questions"] * 1.001
            assert close(row["stderr"], error)
            assert close(row["t_statistic"], apart / error)
            assert close(row["t_p_value"], 2 * stats.t.sf(abs(apart / error), df))
            low, high = stats.t.interval(0.95, df, apart, error)
            assert close(row["low"], low)
            assert close(row["high"], high)
        if strategy == "vanilla_all":
            assert row["test"] == "t"
            assert row["mcnemar_p_value"] is row["chi_square"] is row["n_a_alone"] is None
            continue
        table = [[((x == i) & (y == j)).sum() for j in (1, 0)] for i in (1, 0)]
        assert (row["n_a_alone"], row["n_b_alone"]) == (table[0][1], table[1][0])
        # McNemar's test takes questions on one image for independent.
        # Of five or fewer that are apart no t can tell.
        is_independent = len(set(clusters)) == len(left) or table[0][1] + table[1][0] <= 5
        assert row["test"] == ("mcnemar" if is_independent else "t")
        assert row["p_value"] == row["mcnemar_p_value" if is_independent else "t_p_value"]
        assert close(row["mcnemar_p_value"], mcnemar(table, exact=True).pvalue)
        n_apart = table[0][1] + table[1][0]
        if n_apart and table[0][1] != table[1][0]:
            corrected = mcnemar(table, exact=False, correction=True)
            assert close(row["chi_square"], corrected.statistic)
            assert close(row["chi_square_p_value"], corrected.pvalue)
        else:
            # Without a difference there is nothing to correct; statsmodels overshoots 0.
            assert row["chi_square"] == (0 if n_apart else None)
    assert n_clustered > 10


@pytest.mark.slow
def test_holms_correction(lab: Warehouse) -> None:
    families = defaultdict(list)
    for row in lab.sql("SELECT * FROM paired_difference").iter_rows(named=True):
        families[row["run_a"], row["run_b"], row["strategy"], row["level"]].append(row)
    for (run, *_, level), rows in families.items():
        known = [row for row in rows if row["p_value"] is not None]
        if level == "overall":
            assert known[0]["p_holm"] == known[0]["p_value"]
        elif run == 1:  # statsmodels is slow
            wanted = multipletests([row["p_value"] for row in known], method="holm")[1]
            assert np.allclose([row["p_holm"] for row in known], wanted, rtol=1e-12)
        assert {row["p_holm"] for row in rows if row["p_value"] is None} <= {None}
    # The abilities of one image each have no t test.
    assert {len(rows) for rows in families.values()} == {1, 4}
    assert len({sum(row["p_value"] is None for row in rows) for rows in families.values()}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["circular", "vanilla", "vanilla_all"])
def test_intervals_of_scores(lab: Warehouse, strategy: str) -> None:
    its_scores = scores(lab, strategy)
    found = lab.sql(
        f"SELECT * FROM score_interval WHERE strategy = '{strategy}' AND average = 'micro'"
    ).to_dicts()
    assert len(found) == 5 * 5
    boards = lab.sql(
        "SELECT run_id, ability_id, strategy, stderr FROM subset_score WHERE average = 'micro'"
    )
    shown = {row[:3]: row[3] for row in boards.iter_rows()}
    for row in found:
        run = its_scores[row["run_id"]]
        keys = [k for k in run if row["ability"] in ("Overall", ability(k))]
        x = np.array([run[k]["score"] for k in keys])
        w = np.array([run[k]["n_expected"] if strategy == "vanilla_all" else 1 for k in keys])
        mean, clusters = np.average(x, weights=w), clusters_of(keys)
        df = len(set(clusters)) - 1
        assert close(row["score"], mean)
        assert row["n_clusters"] == df + 1
        if df == 0:
            assert row["stderr"] is row["low"] is row["wilson_low"] is None
            continue
        # Also under vanilla_all the errors are over questions, each alike.
        assert close(row["stderr"], clustered_error(x, clusters), 1e-8)
        assert close(row["stderr_questions"], stats.sem(x), 1e-8)
        assert close(
            row["stderr_questions"], shown[row["run_id"], row["ability_id"], strategy], 1e-8
        )
        if row["stderr"] > 0:
            low, high = stats.t.interval(0.95, df, mean, row["stderr"])
            assert close(row["low"], low)
            assert close(row["high"], high)
        if strategy == "vanilla_all":
            assert row["wilson_low"] is None
        else:
            assert row["n_effective"] <= len(keys) + 1e-9
            low, high = proportion_confint(mean * row["n_effective"], row["n_effective"], method="wilson")  # fmt: skip
            assert close(row["wilson_low"], low)
            assert close(row["wilson_high"], high)
    macro = lab.sql(
        "SELECT run_id, stderr, n_clusters, degrees FROM score_interval WHERE strategy = "
        f"'{strategy}' AND average = 'macro'"
    )
    # Two of the four abilities are one cluster each, so their average has no error that is known.
    assert macro["stderr"].to_list() == [None] * 5


@pytest.mark.slow
def test_one_image_a_question_is_no_image(lab: Warehouse, tmp_path: Path) -> None:
    other = QuickHouse(tmp_path / "other.duckdb")
    other.path.write_bytes(lab.path.read_bytes())
    views = ("score_interval", "paired_difference")
    with other.writing() as con:
        con.execute("UPDATE main.question_image SET sha256 = sha256(CAST(question_id AS VARCHAR))")
    alone = [other.sql(f"SELECT * FROM {view} ORDER BY ALL") for view in views]
    with other.writing() as con:
        con.execute("DELETE FROM main.question_image")
    none = [other.sql(f"SELECT * FROM {view} ORDER BY ALL") for view in views]
    for one, two in zip(alone, none, strict=True):
        assert one.equals(two)
        assert one.filter(pl.col("stderr").is_not_null()).height > 50
        assert one["n_clusters"].to_list() == one["n"].to_list()
        assert np.allclose(
            *(one[c].drop_nulls().to_numpy() for c in ("stderr", "stderr_questions")), rtol=1e-12
        )
    # The lone ability has no error, and so none has an average that it is part of.
    assert (
        alone[0].filter(average="macro")["stderr"].null_count()
        == alone[0].filter(average="macro").height
    )


def _own(house: Warehouse, folder: Path, n: int, said: Callable[[str, int], str]) -> Warehouse:
    """Questions 0 to n - 1 of two abilities, every four on one image, and what two models said."""
    asks = [Ask(str(k), {0: {x: f"{x} {k}" for x in "AB"}}, {0: "A"}) for k in range(n)]
    rows = [
        r | {"ability_topic": ("even", "odd")[int(r["question_key"]) % 2]}
        for r in question_rows(asks)
    ]
    house.ingest(write_jsonl(folder / "own.jsonl", rows), benchmark="Own")
    answers = [
        {"model": model, "question_key": str(k), "prediction": said(model, k)}
        for model in ("one", "two")
        for k in range(n)
    ]
    house.ingest(write_jsonl(folder / "said.jsonl", answers), benchmark="Own")
    return house


@pytest.mark.slow
def test_an_average_of_abilities_that_share_images(house: Warehouse, tmp_path: Path) -> None:
    """The sandwich of a regression on the abilities, taken at their average."""
    pick = random.Random(3)
    luck = [pick.random() for _ in range(15)]
    _own(house, tmp_path, 58, lambda _, k: "A" if luck[k // 4] + pick.gauss(0, 0.2) > 0.5 else "B")
    with house.writing() as con:
        con.execute(
            "INSERT INTO main.question_image SELECT question_id, 0, sha256(CAST(CAST(question_key AS INTEGER) // 4 "
            "AS VARCHAR)), 1 FROM main.question"
        )
    its_scores = scores(house, "vanilla")
    found = house.sql(
        "SELECT * FROM score_interval WHERE strategy = 'vanilla' AND average = 'macro' AND judge = 'none'"
    ).to_dicts()
    assert len(found) == 2
    for row in found:
        x = np.array([its_scores[row["run_id"]][str(k)]["score"] for k in range(58)])
        of = np.array([[k % 2 == 0, k % 2 == 1] for k in range(58)], float)
        images = np.arange(58) // 4
        fit = sm.OLS(x, of).fit(
            cov_type="cluster", cov_kwds={"groups": images, "use_correction": False}
        )
        half, sizes = np.array([0.5, 0.5]), of.sum(axis=0)
        means = of.T @ x / sizes
        # As for one ability: each question's own variance is over n - 1.
        own = [
            ((x - m) ** 2 * w).sum() / (n - 1) / n**2
            for m, w, n in zip(means, of.T, sizes, strict=True)
        ]
        variance = half @ fit.cov_params() @ half + sum(own) / 4
        apart = [clustered_error(x[w > 0], [str(i) for i in images[w > 0]]) ** 2 for w in of.T]
        clusters = [len(set(images[w > 0])) for w in of.T]
        degrees = sum(apart) ** 2 / sum(
            v**2 / (n - 1) for v, n in zip(apart, clusters, strict=True)
        )
        assert close(row["score"], means.mean())
        assert close(row["stderr"], math.sqrt(variance), 1e-8)
        # Abilities that share images go up and down together.
        assert row["stderr"] > math.sqrt(sum(apart)) / 2 * 1.1
        assert row["n_clusters"] == 15
        assert row["degrees"] == math.floor(degrees + 1e-9)
        assert row["low"] < row["score"] < row["high"]


def test_a_test_that_waits_is_one_of_the_family(house: Warehouse, tmp_path: Path) -> None:
    def said(model: str, k: int) -> str:
        return "hm" if k == 0 and model == "one" else "A" if model == "one" or k % 3 else "B"

    _own(house, tmp_path, 60, said)
    register_judge(house, "J")
    rows = house.sql(
        "SELECT * FROM paired_difference WHERE judge = 'J' AND strategy = 'vanilla' AND model_a = 'one' "
        "ORDER BY ability"
    ).to_dicts()
    overall, even, odd = rows
    for row in (overall, even):
        assert row["n_pending"] == 1
        assert row["difference"] is row["p_value"] is row["p_holm"] is row["correlation"] is None
        assert row["n_a_alone"] is row["n_b_alone"] is None
    assert odd["p_holm"] == 2 * odd["p_value"]


def test_images_that_only_one_of_two_datasets_tells(house: Warehouse, tmp_path: Path) -> None:
    """Which of the two came first makes no difference."""
    for number, language in enumerate(("en", "cn")):
        asks = [Ask(str(k), {0: {"A": "a", "B": "b"}}, {0: "A"}) for k in range(20)]
        folder = tmp_path / language
        folder.mkdir()
        house.ingest(
            write_jsonl(folder / "own.jsonl", question_rows(asks)),
            benchmark="Own",
            language=language,
        )
        answers = [
            {"model": "m", "question_key": str(k), "prediction": "AB"[(k // 4 + number * (k % 3)) % 2]}
            for k in range(20)
        ]  # fmt: skip
        house.ingest(write_jsonl(folder / "said.jsonl", answers), benchmark="Own", language=language)  # fmt: skip
    by_language = {}
    for language in ("en", "cn"):
        with house.writing() as con:
            con.execute("DELETE FROM main.question_image")
            con.execute(
                "INSERT INTO main.question_image SELECT question_id, 0, sha256(CAST(CAST(question_key AS INTEGER) "
                "// 4 AS VARCHAR)), 1 FROM main.question JOIN main.dataset USING (dataset_id) WHERE language = ?",
                [language],
            )
        by_language[language] = house.sql(
            "SELECT n, n_clusters, difference, stderr FROM paired_difference WHERE level = 'overall' "
            "AND judge = 'none' AND strategy = 'vanilla' AND dataset_a = 'Own/en'"
        ).row(0)
        assert by_language[language][1] == 5
    assert by_language["en"] == by_language["cn"]


# Any scores at all: the views' own SQL over a table in place of the view below.


@pytest.fixture(scope="module")
def bare() -> Iterator[duckdb.DuckDBPyConnection]:
    """The release's macros, and no view but what the tests of two runs need."""
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA paper_v1; SET search_path = 'paper_v1'")
        for item in plan(releases.load("paper_v1"), "paper_v1"):
            if item.file.kind == "macro":
                con.execute(item.sql)
            elif item.file.name == "half_line":
                con.execute(f"CREATE TABLE half_line AS {item.sql}")
        con.execute(
            "CREATE TABLE subset_level AS SELECT CAST(range AS INTEGER) AS question_id, 'all' AS "
            "subset, 0 AS ability_id FROM range(100)"
        )
        yield con


_PAIRED = {
    "run_a": pl.Int32, "run_b": pl.Int32, "model_a": pl.String, "model_b": pl.String,
    "question_a": pl.Int32, "question_b": pl.Int32, "question_key": pl.String,
    "cluster_id": pl.Int32, "strategy": pl.String, "judge": pl.String, "state": pl.String, "score_a": pl.Float64,
    "score_b": pl.Float64, "difference": pl.Float64, "weight_a": pl.Int64, "weight_b": pl.Int64,
}  # fmt: skip


def compared(
    con: duckdb.DuckDBPyConnection,
    pairs: Sequence[tuple[float, float]],
    clusters: Sequence[int],
    strategy: str,
    order: Sequence[int] | None = None,
    release: str = "paper_v1",
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A against B, and B against A, by the release's tests."""
    rows = [
        (
            *runs,
            *("AB"[run - 1] for run in runs),
            n,
            n,
            str(n),
            clusters[n],
            strategy,
            "none",
            "both",
            *scores,
            scores[0] - scores[1],
            1,
            1,
        )
        for n in order or range(len(pairs))
        for runs, scores in (((1, 2), pairs[n]), ((2, 1), pairs[n][::-1]))
    ]
    frame = pl.DataFrame(rows, _PAIRED, orient="row").to_arrow()
    con.register("rows", frame)
    con.execute("CREATE OR REPLACE TABLE paired_question AS FROM rows")
    con.execute(
        "CREATE OR REPLACE TABLE paired_group AS SELECT *, 'all' AS subset, 0 AS ability_id FROM rows WHERE false"
    )
    rule = releases.load(release).macros["is_mcnemar"].text
    con.execute(rule.replace("CREATE MACRO", "CREATE OR REPLACE MACRO"))
    for view in ("paired_sum", "paired_test"):
        sql = releases.load("paper_v1").views[view].text
        con.execute(f"CREATE OR REPLACE TABLE {view} AS {sql}")
    found = con.sql("FROM paired_test ORDER BY run_a").to_arrow_table()
    one, two = pl.from_arrow(found).to_dicts()  # type: ignore[union-attr]
    return one, two


_SOFT = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 2 / 3, 0.9, 1.0])
_RIGHT = st.sampled_from([0.0, 1.0])
_MIRRORED = {
    "model_a": "model_b",
    "model_b": "model_a",
    "score_a": "score_b",
    "score_b": "score_a",
    "n_a_alone": "n_b_alone",
    "n_b_alone": "n_a_alone",
    "weight_a": "weight_b",
    "weight_b": "weight_a",
}


@pytest.mark.long
@settings(deadline=None, max_examples=40)
@given(data=st.data(), soft=st.booleans(), release=st.sampled_from(["paper_v1", "field_v2"]))
def test_what_holds_of_any_comparison(
    bare: duckdb.DuckDBPyConnection, data: st.DataObject, soft: bool, release: str
) -> None:
    score = _SOFT if soft else _RIGHT
    pairs = data.draw(st.lists(st.tuples(score, score), min_size=1, max_size=40))
    clusters = data.draw(st.lists(st.integers(0, 12), min_size=len(pairs), max_size=len(pairs)))
    strategy = "graded" if soft else "circular"
    one, two = compared(bare, pairs, clusters, strategy, release=release)
    order = data.draw(st.permutations(range(len(pairs))))
    assert compared(bare, pairs, clusters, strategy, order, release) == (one, two)
    for name, value in one.items():
        mirrored = two[_MIRRORED.get(name, name)]
        if name in ("difference", "t_statistic"):
            assert value == (None if mirrored is None else -mirrored)
        elif name in ("low", "high"):
            ends = two["high" if name == "low" else "low"]
            assert value == (None if ends is None else -ends)
        elif not name.startswith("run_"):
            assert value == mirrored, name
    differences = [round(x - y, 12) for x, y in pairs]
    assert close(one["difference"], float(np.mean([x - y for x, y in pairs])))
    assert one["n_clusters"] == len(set(clusters))
    if one["n_clusters"] < 2:
        assert one["stderr"] is one["low"] is one["t_statistic"] is None
    elif len(set(differences)) == 1:
        assert one["stderr"] == one["stderr_questions"] == 0
        # The width of an interval is unknown.
        assert one["low"] is one["high"] is one["t_statistic"] is None
        assert one["t_p_value"] == (1 if one["difference"] == 0 else None)
    else:
        assert one["low"] < one["difference"] < one["high"]
        assert close(
            one["stderr"],
            clustered_error([x - y for x, y in pairs], [str(c) for c in clusters]),
            1e-8,
        )
        assert 0 < one["t_p_value"] <= 1
        if abs(one["t_p_value"] - 0.05) > 1e-9:
            assert (one["t_p_value"] < 0.05) == (not one["low"] <= 0 <= one["high"])
    is_exact = one["n_clusters"] == one["n"] or (
        release == "field_v2" and sum(x != y for x, y in pairs) <= 5
    )
    assert one["test"] == ("mcnemar" if not soft and is_exact else "t")
    assert one["p_value"] == one[f"{one['test']}_p_value"]
    if not soft:
        assert 0 < one["mcnemar_p_value"] <= 1
        apart = one["n_a_alone"] + one["n_b_alone"]
        assert one["n_a_alone"] != one["n_b_alone"] or one["mcnemar_p_value"] == 1
        assert (one["chi_square"] is None) == (apart == 0)
    alone, _ = compared(bare, pairs, range(len(pairs)), strategy)
    assert alone["n_clusters"] == alone["n"]
    if len(pairs) > 1:
        assert close(alone["stderr"], alone["stderr_questions"], 1e-11)
        wanted = stats.ttest_rel([x for x, _ in pairs], [y for _, y in pairs])
        if alone["t_statistic"] is not None:
            assert close(alone["t_statistic"], wanted.statistic, 1e-8)
            assert close(alone["t_p_value"], wanted.pvalue, 1e-7)


@pytest.mark.slow
def test_two_models_by_name_reach_the_tables(house: Warehouse) -> None:
    """No other run is read: the names are looked for below every grouping and window."""
    with connection.open_for_reading(house.path) as con:
        ((_, plan),) = con.execute(
            "EXPLAIN (FORMAT json) FROM field_v2.paired_difference WHERE model_a = 'one' AND model_b = 'two'"
        ).fetchall()
    filters: list[str] = []

    def walk(node: dict[str, Any]) -> None:
        if "'one'" in json.dumps(node.get("extra_info")):
            filters.append(node["name"])
        for child in node["children"] if node["name"] != "WINDOW" else []:
            walk(child)

    for node in json.loads(plan):
        walk(node)
    assert filters == []

"""`compare` under group:NAME: two runs over groups of questions, with the scores of the board."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import polars as pl
import pytest
from scipy import stats

from evalhouse import UsageError, Warehouse
from queries import render
from queries.install import LATEST
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse

_KINDS = [("HallusionBench", "figure"), ("HallusionBench", "question"), ("MME", "image")]
_JUDGE = "none"


@pytest.fixture(scope="module")
def field(shared: Path, empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """HallusionBench and MME as three models answered them."""
    outputs = shared / "formats" / "vlmevalkit_field" / "outputs"
    path = tmp_path_factory.mktemp("groups") / "warehouse.duckdb"
    path.write_bytes(empty_file.read_bytes())
    house = QuickHouse(path)
    for model, dataset in product(sorted(outputs.iterdir()), ("HallusionBench", "MME")):
        for file in sorted(model.rglob(f"{model.name}_{dataset}.*")):
            house.ingest(file)
    return house


def _models(house: Warehouse, dataset: str) -> list[str]:
    return sorted(set(house.runs().filter(pl.col("dataset") == dataset)["model"].to_list()))


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "group"), _KINDS)
def test_the_totals_are_the_boards_figures(field: Warehouse, dataset: str, group: str) -> None:
    one, two, *_ = _models(field, dataset)
    found = field.compare(one, two, dataset=dataset, strategy=f"group:{group}", judge=_JUDGE)
    with field.reading() as con:
        boards = {
            (model, level, ability): (score, n)
            for model, level, ability, score, n in con.execute(
                f"SELECT model, level, ability, score, n FROM {LATEST}.ability_score WHERE dataset = $1 "
                "AND strategy = $2 AND judge = $3 AND average = 'micro'",
                [dataset, f"group:{group}", _JUDGE],
            ).fetchall()
        }
        figures = dict(
            con.execute(
                f"SELECT model, b.score / f.scale FROM {LATEST}.benchmark_score AS b "
                f"JOIN {LATEST}.declared_figure AS f ON b.benchmark = f.benchmark "
                "AND b.figure_ordinal = f.ordinal WHERE b.dataset = $1 AND f.strategy = $2 "
                "AND b.judge = $3 AND b.level = 'overall' AND f.aggregate = 'micro'",
                [dataset, f"group:{group}", _JUDGE],
            ).fetchall()
        )
    rows = found.frame.to_dicts()
    assert len(rows) > 1
    for row in rows:
        for side, model in (("a", one), ("b", two)):
            score, n = boards[model, row["level"], row["ability"]]
            assert row[f"score_{side}"] == pytest.approx(score, abs=1e-12)
            assert row["n"] == row["n_common"] == n
    assert rows[0]["score_a"] == pytest.approx(figures[one], abs=1e-12)
    assert rows[0]["score_b"] == pytest.approx(figures[two], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "group"), _KINDS)
def test_the_test_and_interval_are_over_groups(field: Warehouse, dataset: str, group: str) -> None:
    """By scipy, from questions that are grouped here by the key's definition in the papers."""
    one, two, *_ = _models(field, dataset)
    with field.reading() as con:
        scores = con.execute(
            "SELECT c.model, r.question_key, a.value, r.score FROM "
            f"{LATEST}.question_result AS r JOIN {LATEST}.current_run AS c USING (run_id) LEFT "
            "JOIN main.question_attribute AS a "
            "ON r.question_id = a.question_id AND a.name = 'image_path' "
            "WHERE c.dataset = $1 AND r.strategy = 'vanilla' AND r.judge = $2 AND c.is_latest",
            [dataset, _JUDGE],
        ).fetchall()
    right: dict[str, dict[tuple[str, ...], float]] = {}
    for model, key, image, score in scores:
        its = right.setdefault(model, {})
        group_key = _group_of(group, key, image)
        its[group_key] = min(its.get(group_key, 1.0), float(score == 1.0))
    found = field.compare(one, two, dataset=dataset, strategy=f"group:{group}", judge=_JUDGE)
    overall = found.frame.row(0, named=True)
    differences = [right[one][key] - right[two][key] for key in right[one]]
    assert right[one].keys() == right[two].keys()
    assert overall["n"] == overall["n_clusters"] == len(differences)
    assert overall["difference"] == pytest.approx(sum(differences) / len(differences))
    only_one, only_two = differences.count(1.0), differences.count(-1.0)
    assert (overall["n_a_alone"], overall["n_b_alone"]) == (only_one, only_two)
    assert overall["test"] == "mcnemar"
    exact = stats.binomtest(only_one, only_one + only_two).pvalue
    assert overall["p_value"] == pytest.approx(exact, rel=1e-6)
    low, high = stats.t.interval(
        0.95, len(differences) - 1, loc=overall["difference"], scale=stats.sem(differences)
    )
    assert (overall["low"], overall["high"]) == (pytest.approx(low), pytest.approx(high))


def _group_of(group: str, key: str, image: str | None) -> tuple[str, ...]:
    if group == "image":
        assert image is not None
        return (image,)
    # VD_video_0_1_2_0: category, subcategory, visual, set, figure and question.
    subcategory, _, set_id, figure, question = key.split("_", 1)[1].rsplit("_", 4)
    return subcategory, set_id, figure if group == "figure" else question


def test_the_command_says_groups(field: Warehouse) -> None:
    one, two, *_ = _models(field, "MME")
    ended = run(
        "evalhouse", "compare", one, two, "--dataset", "MME", "--strategy", "group:image",
        "--db", field.path, cwd=ROOT,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert "Groups" in ended.out
    assert "Over groups (image), in which a missing answer is wrong." in ended.out
    assert "paired by group" in " ".join(ended.out.split())


@pytest.mark.slow
def test_a_missing_answer_is_wrong(house: Warehouse, tmp_path: Path) -> None:
    """The second model left one question of a pair out, and so has the pair wrong."""
    (tmp_path / "pairs").mkdir()
    (tmp_path / "pairs" / "benchmark.toml").write_text(
        'name = "Pairs"\ntask = "open"\nstrategy = "vanilla"\nsplits = []\n\n[[rule]]\nrule = "yes_no"\n\n'
        '[[group]]\nname = "image"\nkey = [{ attribute = "image_path" }]\n\n'
        '[[group]]\nname = "share"\ncounts = "mean"\nkey = [{ attribute = "image_path" }]\n',
        encoding="utf-8",
    )
    house.add_benchmark(tmp_path / "pairs")
    head = "index\timage_path\tquestion\tanswer\tprediction\n"
    rows = [f"{n}\t{n // 2}.png\tq{n}\tYes\tYes\n" for n in range(8)]
    for model, said in (("one", rows), ("two", [*rows[:3], *rows[4:]])):
        path = tmp_path / f"{model}_Pairs.tsv"
        path.write_text(head + "".join(said), encoding="utf-8")
        house.ingest(path, model=model)
    found = house.compare("one", "two", strategy="group:image")
    overall = found.frame.row(0, named=True)
    assert (overall["n_common"], overall["n"]) == (4, 4)
    assert (overall["score_a"], overall["score_b"]) == (1.0, 0.75)
    assert (overall["n_a_alone"], overall["n_b_alone"]) == (1, 0)
    assert overall["p_value"] == 1.0
    # Groups that count by their mean have fractions, for which there is t.
    shares = house.compare("one", "two", strategy="group:share")
    share = shares.frame.row(0, named=True)
    assert (share["score_a"], share["score_b"], share["test"]) == (1.0, 0.875, "t")
    assert share["p_value"] == pytest.approx(stats.ttest_1samp([0, 0.5, 0, 0], 0).pvalue)
    assert "Over groups (image)" in render.render_comparison(found, "markdown")
    with pytest.raises(
        UsageError, match="no strategy 'group:pair' for Pairs; there are graded, vanilla, g"
    ):
        house.compare("one", "two", strategy="group:pair")
    with pytest.raises(UsageError, match="paper_v1 counts no groups image of Pairs"):
        house.compare("one", "two", strategy="group:image", release="paper_v1")

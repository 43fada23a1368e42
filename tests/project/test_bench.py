"""The benchmarks' data are what the figures say they are about, and the measuring measures.

What is slow is left to `make bench`: these are the parts that could be wrong without being noticed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from bench import data, measure, speed
from bench.data import Shape
from bench.report import PASS, SHORT, Report
from evalhouse import Warehouse
from warehouse.check import run_checks

pytestmark = pytest.mark.all_releases


RUNS = 2
_ROWS = """
    SELECT m.name, q.question_key, p.pass, p.text
    FROM main.prediction AS p JOIN main.run AS r USING (run_id) JOIN main.model AS m USING (model_id)
    JOIN main.question AS q USING (question_id) ORDER BY ALL
"""


@pytest.mark.slow
def test_rows_are_the_same_by_file_and_by_sql(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    by_file, by_sql = make_house("file"), make_house("sql")
    data.fill(by_file, tmp_path, RUNS)
    data.fill(by_sql, tmp_path, RUNS, direct=True)
    rows = by_file.sql(_ROWS)
    assert rows.height == RUNS * data.PASSES == 22_000
    assert rows.equals(by_sql.sql(_ROWS))
    with by_sql.reading() as con:
        assert [found.check for found in run_checks(con) if found.n] == []
    by_file.install_release("vlmevalkit_0_0_20")
    for release in ("latest", "vlmevalkit_0_0_20"):
        counts = by_file.sql(
            f"SELECT count(*) FILTER (WHERE matched IS NULL), count(*) FROM {release}.choice_match"
        )
        n_open, n = counts.row(0)
        # 5 %, within four standard deviations.
        assert abs(n_open - 0.05 * n) < 4 * (n * 0.05 * 0.95) ** 0.5


def test_a_part_of_the_runs_is_the_same_in_any_file(tmp_path: Path) -> None:
    both = pl.read_parquet(data.write_predictions(tmp_path / "both.parquet", 1, 2))
    second = pl.read_parquet(data.write_predictions(tmp_path / "second.parquet", 2, 1))
    keys = ["model", "question_key", "pass"]
    assert both.filter(pl.col("model") == "model-00002").sort(keys).equals(second.sort(keys))
    # In no order: the first rows are of no one question or pass.
    assert both.head(100)["question_key"].n_unique() > 50


def test_peak_of_memory_is_the_process_own() -> None:
    # Resident, as a process that made data is; what it starts must not seem to need as much.
    ballast = b"x" * 400_000_000
    small = measure.process(["true"])
    large = measure.process([sys.executable, "-c", "x = bytearray(200_000_000); print(len(x))"])
    assert small.peak < 100_000_000
    assert 200_000_000 < large.peak < 300_000_000 < len(ballast)
    assert large.output == "200000000\n"


def test_no_setting_of_the_caller_changes_what_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LD_PRELOAD", "PYTHONDONTWRITEBYTECODE", "EVALHOUSE_HERE"):
        monkeypatch.setenv(name, "")
    seen = measure.process(["env"], env={"MORE": "1"}).output.splitlines()
    kept = {"EVALHOUSE_HERE=", "MORE=1"}
    assert {line for line in seen if line.startswith(("LD_", "PYTHOND", *kept))} == kept


def test_a_command_that_fails_is_no_figure() -> None:
    with pytest.raises(measure.Failed, match="it broke"):
        measure.process(["sh", "-c", "echo it broke; exit 3"])


def test_every_round_has_every_work_and_the_first_changes() -> None:
    order: list[str] = []

    def work(name: str) -> Callable[[], float]:
        def run() -> float:
            order.append(name)
            return float(len(order))

        return run

    found = measure.in_turn(2, work("a"), work("b"), work("c"))
    assert order == ["a", "b", "c", "b", "c", "a"]
    assert found == [[1, 6], [2, 4], [3, 5]]


def test_a_figure_on_its_target_passes() -> None:
    report = Report("")
    report.figure("", 2.0, most=2.0)
    report.figure("", [2.0, 2.01, 2.02], most=2.0)
    report.figure("", [100.0, 0.0, 300.0], least=100.0)
    report.figure("", 99.9, least=100.0)
    assert [row[-1] for row in report.rows] == [PASS, SHORT, PASS, SHORT]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["xlsx", "tsv"])
def test_accuracies_that_differ_are_an_error(house: Warehouse, tmp_path: Path, kind: str) -> None:
    made = data.peer_set(tmp_path, kind, 40, "circular")
    house.ingest(made.questions, *made.files, benchmark=made.benchmark)
    asked = pl.read_csv(made.questions, separator="\t").filter(pl.col("index") < 1_000_000)
    truth = _accuracies(made, asked)
    assert speed.check(house, made, truth) == sum(len(found) for found in truth.values())
    truth["model-00002"]["CP"] += 1 / 40
    with pytest.raises(speed.Differ, match="CP"):
        speed.check(house, made, truth)
    del truth["model-00002"]["CP"]
    with pytest.raises(speed.Differ, match="only on one side"):
        speed.check(house, made, truth)


def _accuracies(made: data.PeerSet, asked: pl.DataFrame) -> dict[str, dict[str, float]]:
    """CircularEval of these texts in plain polars: the label is the last word, or the first."""
    said = data.write_predictions(
        made.questions.with_name("again.parquet"), 1, 4, Shape(n_questions=40, mixed=False)
    )
    answers = pl.read_csv(made.questions, separator="\t").select("index", "answer")
    rows = (
        pl.read_parquet(said)
        .with_columns(
            index=pl.col("question_key").cast(pl.Int64) + 1_000_000 * pl.col("pass"),
            label=pl.col("prediction")
            .str.extract(r"^([A-D])(?:\.|$)|is ([A-D])\.$")
            .fill_null(pl.col("prediction").str.extract(r"is ([A-D])\.$")),
        )
        .join(answers, on="index")
        .group_by("model", index=pl.col("index") % 1_000_000)
        .agg(hit=(pl.col("label") == pl.col("answer")).fill_null(False).all().cast(pl.Float64))
        .join(asked, on="index")
    )
    found: dict[str, dict[str, float]] = {}
    for group in (None, "l2-category", "category"):
        by = ["model"] if group is None else ["model", group]
        for model, *name, score in rows.group_by(by).agg(pl.col("hit").mean()).iter_rows():
            named = data.peer_names().get(name[0], name[0]) if name else "Overall"
            found.setdefault(model, {})[named] = score
    return found

"""What Inspect's scorers read is a judgment here, and its figures are compared under that judge."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from evalhouse import Warehouse
from tests.commands import run
from tests.houses import QuickHouse
from tests.inspect_logs import SAID, figures, head, load, picked, read, scored, write

_WILD = "wild/eee/tests/data/inspect"
_ARC = f"{_WILD}/data_arc_sonnet.json"


@pytest.fixture(scope="module")
def logs(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse with Inspect's real logs, and one whose scorer reads what rules do not."""
    path = tmp_path_factory.mktemp("logs") / "warehouse.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    assert [one.error for one in house.ingest_many(shared / _WILD) if one.error] == []
    results = figures(("choice", "mean", {"accuracy": 0.5}))
    load(house, "mc.eval", [picked(key) for key in SAID], head("mc", log_results=results))
    return house


@pytest.mark.slow
def test_a_real_log_is_compared_under_its_scorer(logs: Warehouse, shared: Path) -> None:
    header, samples = read(shared / _ARC)
    (row,) = logs.differences().filter(dataset="arc_easy").to_dicts()
    stated = header["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    assert (row["published"], row["ours"], row["is_same"], row["reason"]) == (stated, stated, True, None)  # fmt: skip
    # What rules alone make of it stays in sight.
    assert (row["by_rules"], row["note"]) == (1.0, None)
    assert (row["n_scored"], row["n_differ"], row["n_unread"]) == (len(samples), 0, 0)
    found = logs.sample_differences(row["run_id"], every=True)
    letters = {str(one["id"]): one["scores"]["choice"]["answer"] for one in samples}
    assert dict(found.select("question", "read_here").rows()) == letters


def test_rules_alone_are_those_of_the_board(logs: Warehouse) -> None:
    boards = dict(
        logs.sql(
            "SELECT dataset, score FROM ability_score WHERE judge = 'none' AND level = 'overall' "
            "AND strategy = 'vanilla' AND average = 'micro'"
        ).rows()
    )
    rows = logs.sql(
        "SELECT our_dataset, by_rules, judge FROM harness_difference WHERE filter = 'choice'"
    ).rows()
    assert len(rows) == 3
    for dataset, by_rules, judge in rows:
        assert judge == "inspect:choice"
        assert by_rules == pytest.approx(boards[dataset])


def test_samples_say_what_rules_alone_score(logs: Warehouse) -> None:
    found = logs.sql(
        "SELECT question, published, ours, by_rules, is_unread, judge FROM harness_sample_difference "
        "WHERE dataset = 'ai2_arc' ORDER BY question"
    ).rows()
    assert [row[1:3] for row in found] == [(1.0, 1.0)] * 5
    assert {row[3:5] for row in found} == {(1.0, False)}
    assert {row[5] for row in found} == {"inspect:choice"}


@pytest.mark.slow
def test_where_the_scorer_reads_another_label_than_rules(logs: Warehouse) -> None:
    """The judge is for what rules do not read; where rules read something else, that is said."""
    samples = [picked(key, scores={"choice": scored("C", "A")}) for key in SAID][:1]
    samples[0]["output"]["completion"] = "B"
    results = figures(("choice", "mean", {"accuracy": 1.0}))
    load(logs, "other.eval", samples, head("other", log_results=results))
    (row,) = logs.differences().filter(pl.col("run").str.contains("other")).to_dicts()
    assert (row["ours"], row["reason_kind"], row["note"]) == (0.0, "samples_differ", None)
    (answer,) = logs.sample_differences(row["run_id"]).to_dicts()
    assert (answer["reason_kind"], answer["reason"]) == ("read_otherwise", "the harness read A, ours is B")  # fmt: skip


@pytest.mark.slow
def test_kinds_of_reasons_are_those_of_the_texts(logs: Warehouse) -> None:
    for frame in (logs.differences(), logs.sample_differences(every=True)):
        assert frame.filter(
            pl.col("reason").is_null() != pl.col("reason_kind").is_null()
        ).is_empty()
        kinds = frame["reason_kind"].drop_nulls()
        assert kinds.str.contains("^[a-z_]+$").all()
    assert logs.differences().equals(logs.differences(release="field_v2"))


@pytest.mark.slow
def test_what_ingest_and_the_command_say(house: Warehouse, tmp_path: Path) -> None:
    results = figures(("choice", "mean", {"accuracy": 1.0}))
    samples = [picked(key) for key in ("a", "b")]
    log = write(tmp_path / "mc.eval", samples, head("mc", log_results=results))
    done = run("evalhouse", "ingest", log, "--db", house.path, cwd=tmp_path)
    assert (
        "agrees with the harness in 1 of 1 figure; rules alone read 0 of 2 samples, and score 2 "
        "otherwise (`evalhouse differences" in done.out
    )
    shown = run("evalhouse", "differences", "--db", house.path, cwd=tmp_path)
    assert "rules alone read 0 of 2 samples" in shown.out

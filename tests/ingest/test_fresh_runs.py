"""Runs that the installed harnesses make for these tests: each figure is the same here, or in a list.

`make test-harnesses` installs inspect-ai and lm-eval in an environment of their own.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from evalhouse import Warehouse
from tests.conftest import ROOT

pytestmark = pytest.mark.harnesses

_WORKERS = ROOT / "tests/harness_runs"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "INSPECT_DISPLAY": "none"}
_OTHER = {
    ("choices_many", "accuracy", "choice"): "no_reference",
    ("no_target", "accuracy", "includes"): "no_reference",
    ("multi", "accuracy", "multi_scorer"): "no_rule",
    ("pattern_all", "accuracy", "pattern"): "scorer_settings",
    # at_least's threshold is in no log.
    ("reduced_words", "mean", "f1"): "another_mean",
    ("spread", "std", "includes"): "nothing_of_ours",
    ("spread", "var", "includes"): "nothing_of_ours",
    ("fresh_rolling", "word_perplexity", None): "no_run",
    ("fresh_rolling", "byte_perplexity", None): "no_run",
    ("fresh_rolling", "bits_per_byte", None): "no_run",
    ("fresh_words", "bleu", None): "nothing_of_ours",
    ("fresh_words", "chrf", None): "nothing_of_ours",
    ("fresh_yes", "f1", None): "nothing_of_ours",
    ("fresh_yes", "mcc", None): "nothing_of_ours",
}
"""By dataset, metric and filter: why ours is another, or why there is none."""


@pytest.fixture(scope="module")
def python() -> str:
    found = os.environ.get("EVALHOUSE_HARNESSES_PYTHON")
    if found is None:
        pytest.skip("EVALHOUSE_HARNESSES_PYTHON names no Python with inspect-ai and lm-eval")
    return found


@pytest.fixture(scope="module", params=["inspect", "lm_eval"])
def fresh(
    request: pytest.FixtureRequest, python: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Warehouse, list[str]]:
    """A warehouse with every run of a harness, and what `ingest` printed."""
    folder = tmp_path_factory.mktemp(request.param)
    worker = _WORKERS / f"{request.param}_runs.py"
    made = folder / "made"
    subprocess.run(
        [python, str(worker), str(made)],
        check=True,
        env=os.environ | _OFFLINE | {"HF_HOME": str(folder / "cache")},
        cwd=folder,
    )
    runs = made / "out" if request.param == "lm_eval" else made
    house = Warehouse(folder / "warehouse.duckdb")
    outcomes = list(house.ingest_many(runs))
    return request.param, house, [str(one.error) for one in outcomes if one.error is not None]


def test_every_file_is_read(fresh: tuple[str, Warehouse, list[str]]) -> None:
    harness, house, errors = fresh
    assert errors == []
    n_runs = {"inspect": 36, "lm_eval": 15}[harness]
    assert house.sql("SELECT count(*) FROM current_run").item() == n_runs


def test_every_figure_is_the_same_or_in_the_list(
    fresh: tuple[str, Warehouse, list[str]],
) -> None:
    harness, house, _ = fresh
    rows = house.sql(
        "SELECT dataset, metric, filter, is_same, reason_kind, reason FROM harness_difference"
    ).rows()
    assert len(rows) > {"inspect": 60, "lm_eval": 25}[harness]
    seen = {}
    for dataset, metric, filter_, is_same, kind, reason in rows:
        assert is_same is (reason is None)
        # The test below looks at samples.
        if not is_same and kind != "samples_differ":
            seen[dataset, metric, filter_] = kind
    is_inspect = {key: key[0].startswith("fresh_") != (harness == "inspect") for key in _OTHER}
    assert seen == {key: kind for key, kind in _OTHER.items() if is_inspect[key]}


def test_samples_differ_where_rules_read_more_and_where_a_blank_answer_was_graded(
    fresh: tuple[str, Warehouse, list[str]],
) -> None:
    harness, house, _ = fresh
    differ = house.sql(
        "SELECT DISTINCT dataset, filter FROM harness_difference WHERE reason_kind = 'samples_differ'"
    ).rows()
    kinds = set()
    for dataset, metric in differ:
        samples = house.sql(
            "SELECT DISTINCT reason_kind, coalesce(read_there, '') FROM harness_sample_difference "
            f"WHERE dataset = '{dataset}' AND metric = '{metric}' AND NOT is_same"
        ).rows()
        assert samples
        kinds |= set(samples)
    assert kinds == ({("blank", ""), ("read_otherwise", "")} if harness == "inspect" else set())


def test_the_same_runs_again_are_nothing_new(
    fresh: tuple[str, Warehouse, list[str]],
) -> None:
    _, house, _ = fresh
    folder = house.path.parent / "made"
    outcomes = [one for one in house.ingest_many(folder) if one.report is not None]
    assert outcomes
    assert all(one.report.already for one in outcomes if one.report)

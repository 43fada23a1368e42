"""Every figure that a harness wrote next to its samples: a row of our views, the same there, or in a list.

The figures of shared/formats/vlmevalkit_field are compared in test_field_figures, with a list of its own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from ingest.readers.helm import is_metric
from queries import install
from queries import release as releases
from tests.houses import QuickHouse
from tests.inspect_logs import read

pytestmark = pytest.mark.long

Figure = tuple[str, str]
"""A task, and a metric with its filter: `exact_match,strict-match`."""
_MAP = {
    "gsm8k": "GSM8K",
    "mmlu_pro_plus_*": "MMLU-Pro+",
    "seedlike_gen": "Likewise",
    "seedlike_ppl": "Likewise",
}
_FOLDERS = {
    "lm-eval": ("wild/pyfade", "formats/lm_eval_out"),
    "lmms-eval": ("wild/shruum", "formats/lmms_out"),
    "lmms_field": ("formats/lmms_field/docs", "formats/lmms_field/lmms_out"),
    "inspect": (
        "wild/eee/tests/data/inspect",
        "formats/inspect_eval",
        "formats/inspect_json",
        "formats/inspect_error",
        "formats/inspect_big",
    ),
    "helm": ("wild/eee/tests/data/helm",),
}
_PEERS = {"lmms_field": "lmms_eval"}
"""The releases that have the harness's own rules; a figure that is the same there is the same."""
_OTHER = {
    "lm-eval": {
        ("gsm8k", "exact_match,*"): "the samples file has 3 of 100 documents, and one of two filters",
    },
    "lmms-eval": {
        ("pope", "*"): "the results file is of a run whose samples are not in the repository",
        ("mmbench_en_dev", "gpt_eval_score"): "it counts letters that it drew, and passes that are missing",
        ("seedbench", "*"): "it takes the first character of an answer for the letter",
        ("seedbench_2", "*"): "it takes the first character of an answer for the letter",
    },
    "inspect": {
        ("mmbench_like_circular", "grouped|*"): "a mean over the samples of an ability",
    },
    "helm": {
        ("mmlu:subject=philosophy", "split=*|perturbation=*"): "of questions that HELM changed on purpose",
        ("mmlu:subject=philosophy", "split=*_per_byte"): "of texts' likelihoods, which are not there",
        ("mmlu:subject=philosophy", "split=*|perplexity"): "of texts' likelihoods, which are not there",
    },
}  # fmt: skip
"""Task and metric, with * for any, and why ours is another one. A line that no figure needs is to go."""


@dataclass(frozen=True)
class Lab:
    """A warehouse of a folder, and its figures: whether each is the same, and the reason if it is not."""

    name: str
    paths: tuple[Path, ...]
    errors: list[str]
    figures: dict[Figure, list[tuple[bool, str | None]]]


@pytest.fixture(scope="module", params=list(_FOLDERS))
def lab(
    request: pytest.FixtureRequest,
    new_file: Path,
    shared: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Lab:
    name = request.param
    path = tmp_path_factory.mktemp("figures") / "lab.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    paths = tuple(shared / one for one in _FOLDERS[name])
    errors = [str(one.error) for one in house.ingest_many(*paths, map=_MAP) if one.error]
    return Lab(name, paths, errors, _compared(house, _PEERS.get(name)))


def _compared(house: Warehouse, peer: str | None) -> dict[Figure, list[tuple[bool, str | None]]]:
    found: dict[Figure, list[tuple[bool, str | None]]] = {}
    if peer is None:
        for row in house.differences().filter(is_stated=True).iter_rows(named=True):
            metric = ",".join(filter(None, (row["metric"], row["filter"])))
            found.setdefault((row["dataset"], metric), []).append((row["is_same"], row["reason"]))
        return found
    with house.writing() as con:
        install.install(con, releases.load(peer))
    rows = house.sql(f"SELECT dataset, metric, is_same FROM {peer}.published_difference").rows()
    for task, metric, is_same in rows:
        found.setdefault((task, metric.removesuffix(",none")), []).append((is_same, None))
    return found


def _stated(paths: tuple[Path, ...]) -> Iterator[Figure]:
    """The figures in the files themselves."""
    for path in (one for folder in paths for one in folder.rglob("*") if one.is_file()):
        if path.name.endswith("_results.json") or path.name.startswith("results_"):
            # A submission of lmms-eval's has such a name, and no figures of tasks.
            for task, of_task in json.loads(path.read_text("utf-8")).get("results", {}).items():
                for metric, value in of_task.items():
                    if isinstance(value, float) and "_stderr" not in metric:
                        yield task, metric.removesuffix(",none")
        elif path.name == "stats.json":
            run = json.loads(path.with_name("run_spec.json").read_text("utf-8"))["name"]
            for one in json.loads(path.read_text("utf-8")):
                name = one["name"]
                if is_metric(name["name"]) and "perturbation" not in name and "mean" in one:
                    yield run.split(",method=")[0], f"split={name['split']}|{name['name']}"
        elif path.suffix == ".eval" or "inspect" in path.parent.name:
            yield from _of_log(read(path)[0])


def _of_log(log: dict[str, Any]) -> Iterator[Figure]:
    results = log.get("results") or {}
    for score in results.get("scores", ()):
        for metric, found in score["metrics"].items():
            if metric != "stderr":
                group = f"{found['group']}|" if found.get("group") else ""
                yield log["eval"]["task"].rpartition("/")[2], f"{group}{metric},{score['name']}"


def test_every_file_is_read(lab: Lab) -> None:
    assert lab.errors == []


def test_every_figure_has_a_row(lab: Lab) -> None:
    stated = set(_stated(lab.paths))
    assert stated
    assert stated - lab.figures.keys() == set()


def test_every_figure_is_the_same_or_listed(lab: Lab) -> None:
    listed = _OTHER.get(lab.name, {})
    used = set()
    for (task, metric), of_figure in sorted(lab.figures.items()):
        if all(is_same for is_same, _ in of_figure):
            continue
        found = [one for one in listed if one[0] == task and fnmatchcase(metric, one[1])]
        assert found, (task, metric, of_figure)
        used.update(found)
    assert used == listed.keys()

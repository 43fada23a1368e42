"""lmms-eval's results files as facts: each task's figures, of the run that its samples are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from ingest import recognition
from ingest.readers import lmms_eval
from ingest.reading.head import Head
from tests.tables import facts

_NAME = "20261121_211019_results.json"


def _write(folder: Path, results: dict[str, Any], **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    content = {"results": results, "configs": {}, "model_name": "acme/vlm"} | more
    path = folder / _NAME
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_every_figure_of_eleven_tasks(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    folder = shared / "formats/lmms_field"
    for path in folder.glob("lmms_out/*/*_results.json"):
        target = tmp_path / "out" / path.parent.name
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    outcomes = list(house.ingest_many(tmp_path / "out"))
    assert [one.left or one.error for one in outcomes] == [None] * 4
    found: dict[str, dict[str, dict[str, float]]] = {}
    rows = house.sql(
        "SELECT f.task, replace(m.name, '/', '__'), f.metric, CAST(f.value AS DOUBLE) "
        "FROM main.harness_figure AS f JOIN main.model AS m USING (model_id)"
    ).rows()
    for task, model, metric, value in rows:
        found.setdefault(task, {}).setdefault(model, {})[metric] = value
    assert found == json.loads((folder / "EXPECTED.json").read_text("utf-8"))
    before = facts(house.path)
    assert all(one.report and one.report.already for one in house.ingest_many(tmp_path / "out"))
    assert facts(house.path) == before


def test_figures_are_of_the_runs_of_the_samples(house: Warehouse, shared: Path) -> None:
    """Also of tasks that put the questions in another way, whose labels say so."""
    outcomes = list(house.ingest_many(shared / "formats/lmms_out/acme__vlm-A"))
    assert [str(one.error) for one in outcomes if one.error] == []
    rows = house.sql(
        "SELECT DISTINCT f.task, f.label, count(r.run_id) FROM main.harness_figure AS f "
        "LEFT JOIN (main.run AS r JOIN main.dataset AS d USING (dataset_id)) ON r.model_id = f.model_id "
        "AND r.label = f.label AND d.benchmark_id = f.benchmark_id GROUP BY ALL ORDER BY 1"
    ).rows()
    labels = {task: label for task, label, _ in rows}
    assert labels["seedbench_ppl"] == "20261121_211019_ppl"
    assert labels["seedbench"] == labels["mmvet"] == "20261121_211019"
    assert all(n for _, _, n in rows)


def test_what_is_a_figure(house: Warehouse, tmp_path: Path) -> None:
    path = _write(
        tmp_path / "acme__vlm",
        {
            "pope": {
                "alias": "pope", "pope_accuracy,none": 0.5, "pope_accuracy_stderr,none": 0.1,
                "pope_accuracy_stderr_clt,none": 0.1, "n,strict": 3, "is,none": True,
                "not,none": float("nan"), "submission,none": [],
            },
            "empty": {"alias": "empty"},
        },
    )  # fmt: skip
    (report,) = house.ingest(path)
    assert report.loaded == ["2 figures of the harness: pope of acme/vlm, run 20261121_211019"]
    found = house.sql("SELECT metric, value FROM main.harness_figure ORDER BY 1").rows()
    assert found == [("n,strict", "3"), ("pope_accuracy,none", "0.5")]


def test_files_without_figures(house: Warehouse, tmp_path: Path) -> None:
    """They are left as they were; a broken one is an error of its own."""
    empty = _write(tmp_path / "a", {"pope": {"alias": "pope", "submission,none": []}})
    assert lmms_eval.recognise(Head(empty)) is None
    assert "it is a results file of lmms-eval" in str(recognition.describe_byproduct(empty))
    before = facts(house.path)
    cut = tmp_path / "b" / _NAME
    cut.parent.mkdir()
    cut.write_bytes(_write(tmp_path / "c", {"pope": {"pope_accuracy,none": 1}}).read_bytes()[:-1])
    with pytest.raises(InputError, match="not valid JSON, or cut off"):
        house.ingest(cut)
    other = tmp_path / "other.csv"
    other.write_text("metric,value\na,1\n")
    for name, words in (
        ("lmms_figures", "is no file of the format lmms_figures: lmms-eval's own figures"),
        ("vlmevalkit_figures", "is not named as one of VLMEvalKit's score files"),
    ):
        with pytest.raises(InputError, match=words):
            house.ingest(other, format=name)
    surrogate = _write(tmp_path / "d", {"pope": {"\ud800,none": 1}})
    with pytest.raises(InputError, match="field results: cannot be read"):
        house.ingest(surrogate)
    assert facts(house.path) == before

"""What harnesses say of single answers, and their figures, as facts next to ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from ingest import harness_metrics
from ingest.harness_metrics import Metric
from ingest.readers import lm_eval
from ingest.sample import About, Sample
from ingest.settings import TaskMap
from tests.tables import facts
from warehouse import merge
from warehouse.connection import with_logs

_TIME = "2026-11-21T21-02-06.164606"
_TASKS = TaskMap({"seedlike_gen": "Likewise", "seedlike_ppl": "Likewise"})
_SCORES = """
    SELECT r.label, h.metric, h.filter, count(*), sum(h.score), list(DISTINCT h.answer)
    FROM main.harness_score AS h
    JOIN main.run AS r USING (run_id) WHERE r.superseded_by IS NULL
    GROUP BY ALL ORDER BY ALL
"""


def _lm_eval(shared: Path) -> Path:
    return shared / "formats/lm_eval_out/acme__model-A"


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("value", "said", "found"),
    [
        (1.0, None, Metric("1.0", 1.0)),
        (True, None, Metric("true", 1.0)),
        (float("nan"), None, Metric("NaN", None)),
        ([-3.5, 4], None, Metric("[-3.5, 4]", None)),
        (None, None, None),
        ({"score": 0.4, "pred_answer": "It is."}, "It is.", Metric("0.4", 0.4)),
        ({"score": 1, "prediction": "yes"}, "Yes, there is.", Metric("1", 1.0, "yes")),
        ({"pred": "B", "answer": "B"}, "B", Metric("B", 1.0, "B")),
        (
            {"parsed_pred": ["A"], "answer": "C", "question_type": "multiple-choice"},
            "A",
            Metric("A", 0.0, "A"),
        ),
        (
            {"parsed_pred": ["1", 2], "answer": "1", "question_type": "open"},
            "x",
            Metric('["1", 2]', None, '["1", 2]'),
        ),
        ({"index": 0, "answer": "A", "prediction": "A."}, "A.", None),
    ],
)
def test_what_an_entry_says(value: object, said: str | None, found: Metric | None) -> None:
    assert harness_metrics.read(value, said=said) == found


def test_every_metric_of_every_line_of_lm_eval(house: Warehouse, shared: Path) -> None:
    """Each under the run of its filter, with what the filter left of the answer."""
    outcomes = list(house.ingest_many(_lm_eval(shared), map=_TASKS))
    assert [str(one.error or one.left) for one in outcomes if one.report is None] == []
    rows = house.sql(_SCORES).rows()
    gen, ppl = (
        _lines(_lm_eval(shared) / f"samples_seedlike_{name}_{_TIME}.jsonl")
        for name in ("gen", "ppl")
    )
    assert len(gen) == 24
    assert rows == [
        (f"{_TIME}_seedlike_gen_raw", "exact_match", "raw", 12, 0.0, ["lol"]),
        (f"{_TIME}_seedlike_gen_strict", "exact_match", "strict", 12, 0.0, ["[invalid]"]),
        (f"{_TIME}_seedlike_ppl", "acc", None, 12, sum(row["acc"] for row in ppl), [None]),
        (
            f"{_TIME}_seedlike_ppl",
            "acc_norm",
            None,
            12,
            sum(row["acc_norm"] for row in ppl),
            [None],
        ),
    ]
    figures = house.sql(
        "SELECT task, label, metric, filter, CAST(value AS DOUBLE) FROM main.harness_figure ORDER BY ALL"
    ).rows()
    said = json.loads((_lm_eval(shared) / f"results_{_TIME}.json").read_text("utf-8"))["results"]
    assert figures == [
        ("seedlike_gen", f"{_TIME}_seedlike_gen_raw", "exact_match", "raw", 0.0),
        ("seedlike_gen", f"{_TIME}_seedlike_gen_strict", "exact_match", "strict", 0.0),
        ("seedlike_ppl", f"{_TIME}_seedlike_ppl", "acc", None, said["seedlike_ppl"]["acc,none"]),
        (
            "seedlike_ppl", f"{_TIME}_seedlike_ppl", "acc_norm", None,
            said["seedlike_ppl"]["acc_norm,none"],
        ),
    ]  # fmt: skip
    before = facts(house.path)
    assert all(
        one.report and one.report.already for one in house.ingest_many(_lm_eval(shared), map=_TASKS)
    )
    assert facts(house.path) == before


def test_figures_without_answers_are_of_no_benchmark(house: Warehouse, shared: Path) -> None:
    """Else the same samples would find one of the task's name, which nobody declared."""
    (report,) = house.ingest(
        shared / "wild/pyfade/tests/data/results_2025-09-09T13-31-53.431753.json"
    )
    assert report.loaded == [
        "2 figures of the harness: gsm8k of gemma3:12b-u1, without answers here"
    ]
    assert house.sql("SELECT DISTINCT benchmark_id FROM main.harness_figure").rows() == [(None,)]
    assert house.sql("FROM main.benchmark").is_empty()


def test_every_metric_of_lmms_eval(house: Warehouse, shared: Path) -> None:
    outcomes = list(house.ingest_many(shared / "formats/lmms_out/acme__vlm-A"))
    assert [str(one.error) for one in outcomes if one.error] == []
    rows = house.sql(_SCORES).rows()
    found = {(label, metric): (n, total) for label, metric, _, n, total, _ in rows}
    folder = shared / "formats/lmms_out/acme__vlm-A"
    seed = [row["seed_all"] for row in _lines(folder / "20261121_211019_samples_seedbench.jsonl")]
    second = [
        row["seed_all"] for row in _lines(folder / "20261121_211019_samples_seedbench_2.jsonl")
    ]
    right = sum(row["pred"] == row["answer"] for row in seed + second)
    # The sample of a text and an image has no answer here, and no score.
    assert found["20261121_211019", "seed_all"] == (len(seed + second), right)
    vet = _lines(folder / "20261121_211019_samples_mmvet.jsonl")
    assert found["20261121_211019", "gpt_eval_score"] == (
        len(vet), sum(row["gpt_eval_score"]["score"] for row in vet),
    )  # fmt: skip
    # MMBench's has the answer as it was given, and no score.
    assert {label for label, metric in found if metric == "acc"} == {"20261121_211019_ppl"}


def test_a_metric_twice(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    rows = _lines(_lm_eval(shared) / f"samples_seedlike_ppl_{_TIME}.jsonl")
    rows[3]["metrics"] = ["acc", "acc_norm", "acc"]
    path = _write(tmp_path / f"a__b/samples_seedlike_ppl_{_TIME}.jsonl", rows)
    house.ingest(path, map=_TASKS)
    assert house.sql("SELECT count(*) FROM main.harness_score").item() == 24


@pytest.mark.slow
def test_scores_come_to_a_run_that_is_there(
    house: Warehouse, make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    """From a file with the same answers, and from a warehouse that has them."""
    whole = _lines(_lm_eval(shared) / f"samples_seedlike_ppl_{_TIME}.jsonl")
    bare = [{name: row[name] for name in row if name != "metrics"} for row in whole]
    name = f"a__b/samples_seedlike_ppl_{_TIME}.jsonl"
    house.ingest(_write(tmp_path / "bare" / name, bare), map=_TASKS)
    shutil.copy(house.path, tmp_path / "bare.duckdb")
    assert house.sql("SELECT count(*) FROM main.harness_score").item() == 0
    (report,) = house.ingest(_write(tmp_path / "whole" / name, whole), map=_TASKS)
    assert report.loaded == ["24 scores of the harness for run 1"]
    assert house.sql("SELECT count(*), max(run_id) FROM main.harness_score").rows() == [(24, 1)]
    (again,) = house.ingest(tmp_path / "whole" / name, map=_TASKS)
    assert again.already
    other = Warehouse(tmp_path / "bare.duckdb")
    for _ in range(2):
        with other.writing(files=with_logs(house.path)) as con:
            assert merge.merge(con, house.path).counts["same_runs"] == 1
        assert other.sql(_SCORES).equals(house.sql(_SCORES))


def test_parts_and_replacing(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    rows = _lines(_lm_eval(shared) / f"samples_seedlike_ppl_{_TIME}.jsonl")
    first = _write(tmp_path / f"one/a__b/samples_seedlike_ppl_{_TIME}.jsonl", rows[:11])
    rest = _write(tmp_path / f"two/a__b/samples_seedlike_ppl_{_TIME}.jsonl", rows[8:])
    house.ingest(first, map=_TASKS)
    house.ingest(rest, map=_TASKS, part=True)
    (acc, norm) = house.sql(_SCORES).rows()
    assert (acc[3], norm[3]) == (12, 12)
    assert acc[4] == sum(row["acc"] for row in rows)
    house.ingest(first, map=_TASKS, replace=True, on_duplicate="first")
    assert [row[3] for row in house.sql(_SCORES).rows()] == [11, 11]


def test_a_score_of_no_answer_is_refused(
    house: Warehouse, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = lm_eval.read

    def read(path: Path) -> tuple[About, Iterator[Sample]]:
        about, samples = real(path)
        *others, last = samples
        return about, iter([*others, replace(last, key="none such", answers=(), scores={})])

    monkeypatch.setattr(lm_eval, "read", read)
    with pytest.raises(
        InputError, match="acc scores an answer to question none such that the run does not have"
    ):
        house.ingest(_lm_eval(shared) / f"samples_seedlike_ppl_{_TIME}.jsonl", map=_TASKS)
    assert house.sql("FROM main.run").is_empty()

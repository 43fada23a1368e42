"""Small variants of real files, as other versions of the harnesses write them: none is read otherwise silently."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from ingest import harness_metrics
from ingest.harness_metrics import Metric
from tests.tables import write_jsonl

Record = dict[str, Any]
_TIME = "2026-11-24T10-00-00"
_COLOURS = ["red", "green", "blue"]
_HELM = "wild/eee/tests/data/helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2"
_ARC = "wild/eee/tests/data/inspect/data_arc_sonnet.json"


def _scores(house: Warehouse, judge: str = "none") -> dict[str, float | None]:
    rows = house.sql(f"SELECT question_key, score FROM pass_result WHERE judge = '{judge}'").rows()
    return dict(rows)


# lm-evaluation-harness.


def _ranked(number: int, right: int, best: int, order: list[str]) -> Record:
    """Likelihoods of the colours; the record has the choices in an order of its own."""
    pairs = [[str(-1.0 if place == best else -5.0 - place), "False"] for place in range(3)]
    return {
        "doc_id": number,
        "doc": {"question": f"Number {number}?", "choices": order},
        "target": str(right),
        "arguments": {
            f"gen_args_{place}": {"arg_0": f"Number {number}?", "arg_1": f" {colour}"}
            for place, colour in enumerate(_COLOURS)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc"],
        "acc": float(best == right),
    }


@pytest.mark.parametrize("order", [_COLOURS, _COLOURS[::-1], ["green", "blue", "red"]])
def test_places_are_those_of_the_requests(
    house: Warehouse, tmp_path: Path, order: list[str]
) -> None:
    """The record's choices stand in an order of their own, and the target counts the requests."""
    said = [(0, 0), (1, 0), (2, 2), (1, 1), (0, 2)]
    lines = [_ranked(n, right, best, order) for n, (right, best) in enumerate(said)]
    path = write_jsonl(tmp_path / f"samples_colours_{_TIME}.jsonl", lines)
    house.ingest(path, map={"colours": "Colours"})
    assert _scores(house) == {str(n): float(right == best) for n, (right, best) in enumerate(said)}
    rows = house.sql(
        "SELECT q.question_key, c.text FROM main.answer AS a JOIN main.choice AS c "
        "USING (question_id, pass, label) JOIN main.question AS q USING (question_id) ORDER BY 1"
    ).rows()
    assert rows == [(str(n), _COLOURS[right]) for n, (right, _) in enumerate(said)]


def test_several_right_places_are_those_of_the_requests(house: Warehouse, tmp_path: Path) -> None:
    line = _ranked(0, 0, 0, _COLOURS[::-1]) | {"target": "[0, 1]"}
    path = write_jsonl(tmp_path / f"samples_colours_{_TIME}.jsonl", [line])
    house.ingest(path, map={"colours": "Colours"})
    # Of blue, green, red.
    assert house.sql("SELECT right_choices FROM right_mass").item() == "BC"
    assert house.sql("SELECT score FROM right_mass").item() == 1.0


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("True", Metric("True", 1.0)),
        ("0.25", Metric("0.25", 0.25)),
        ("A", Metric("A", None)),
        ("nan", Metric("nan", None)),
        ({"score": "1.0"}, Metric("1.0", 1.0)),
    ],
)
def test_numbers_as_texts(value: object, found: Metric) -> None:
    """As harnesses write what JSON has no word for."""
    assert harness_metrics.read(value) == found


# Inspect.


def _one_score(log: Record) -> None:
    for sample in log["samples"]:
        sample["score"] = sample.pop("scores")["choice"]


def _first_version(log: Record) -> None:
    _one_score(log)
    metrics = {"accuracy": {"name": "accuracy", "value": 1.0, "options": {}}}
    log["results"] = {"scorer": {"name": "choice", "params": {}}, "metrics": metrics}
    log["version"] = 1


@pytest.mark.parametrize("change", [_one_score, _first_version])
def test_a_score_without_its_scorers_name(
    house: Warehouse, shared: Path, tmp_path: Path, change: Callable[[Record], None]
) -> None:
    log = json.loads((shared / _ARC).read_text("utf-8"))
    change(log)
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    house.ingest(path)
    assert set(_scores(house, "inspect:choice").values()) == {1.0}
    kept = house.sql("SELECT metric, filter, judge, value FROM main.harness_figure").rows()
    assert kept == [("accuracy", "choice", "inspect:choice", "1.0")]
    assert house.sql(
        "SELECT DISTINCT metric FROM main.harness_score WHERE metric <> 'sample'"
    ).rows() == [("choice",)]


# lmms-eval.


def _lmms(shared: Path, folder: Path, change: Callable[[Record], None]) -> Path:
    real = shared / "formats/lmms_field/lmms_out/acme__Lynx-VL-2B"
    (samples,) = real.glob("*_samples_realworldqa.jsonl")
    folder = folder / real.name
    folder.mkdir()
    shutil.copy(real / samples.name.replace("samples_realworldqa.jsonl", "results.json"), folder)
    records = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    for one in records:
        change(one)
    return write_jsonl(folder / samples.name, records)


def _as_text(record: Record) -> None:
    record["exact_match"] = str(bool(record["exact_match"]))


def _as_list(record: Record) -> None:
    record["target"] = [record["target"]]


@pytest.mark.slow
@pytest.mark.parametrize("change", [_as_text, _as_list])
def test_texts_and_lists_in_place_of_numbers_and_texts(
    make_house: Callable[[str], Warehouse],
    shared: Path,
    tmp_path: Path,
    change: Callable[[Record], None],
) -> None:
    found = {}
    for name, changed in (("real", lambda record: None), ("variant", change)):
        folder = tmp_path / name
        folder.mkdir()
        house = make_house(name)
        house.ingest(_lmms(shared, folder, changed))
        query = (
            "SELECT question_key, metric, score FROM main.harness_score JOIN main.question "
            "USING (question_id) ORDER BY ALL"
        )
        found[name] = _scores(house), house.sql(query).rows()
    assert found["real"] == found["variant"]
    assert len(found["real"][1]) == 100


# HELM.


def test_texts_of_the_first_versions_of_helm(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    """Inputs and outputs are texts, not objects with one."""
    folder = tmp_path / Path(_HELM).name
    shutil.copytree(shared / _HELM, folder)
    path = folder / "scenario_state.json"
    path.chmod(0o644)
    found = json.loads(path.read_text("utf-8"))
    for state in found["request_states"]:
        instance = state["instance"]
        instance["input"] = instance["input"]["text"]
        for one in instance["references"]:
            one["output"] = one["output"]["text"]
    path.write_text(json.dumps(found), encoding="utf-8")
    house.ingest(path)
    differing = house.sql(
        "SELECT is_same, count(*) FROM harness_sample_difference WHERE metric = 'exact_match' GROUP BY 1"
    )
    assert differing.rows() == [(True, 10)]
    assert house.sql("SELECT count(*) FROM main.answer").item() == 10


# VLMEvalKit.


def test_answers_in_a_column_of_nearly_that_name_are_told(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "vlm/T20260110-093000/vlm_MMStar.tsv"
    path.parent.mkdir(parents=True)
    path.write_text(
        "index\tquestion\tA\tB\tAnswer\tcategory\tprediction\n1\tWhich?\tx\ty\tA\tmath\tA\n"
    )
    (report,) = house.ingest(path)
    assert any("the column 'Answer' is not read" in text for text in report.alerts)
    assert _scores(house) == {"1": None}
    path.write_text(path.read_text().replace("Answer", "answer"))
    (report,) = house.ingest(path, run="again")
    assert not any("is not read" in text for text in report.alerts)


# Of any harness.


def test_a_packed_file_says_how_to_unpack_it(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / f"samples_colours_{_TIME}.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(_ranked(0, 0, 0, _COLOURS)).encode()))
    with pytest.raises(InputError, match=r"is packed by gzip; unpack it first \(gunzip\)"):
        house.ingest(path)

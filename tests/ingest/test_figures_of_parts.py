"""A harness's figure of a part is compared with ours of that part, or with none; never with our main one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.tables import set_benchmark, with_column, write_jsonl

PART = "no level or figure of ours has this name, and our main figure is of the whole"


def _work_dir(
    folder: Path, dataset: str, rows: Sequence[Mapping[str, object]], figures: str
) -> Path:
    """A model's answers as VLMEvalKit leaves them, and a score file next to them."""
    out = folder / "m"
    out.mkdir()
    names = list(rows[0])
    lines = ["\t".join(names), *("\t".join(str(row[name]) for name in names) for row in rows)]
    (out / f"m_{dataset}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (out / f"m_{dataset}_acc.csv").write_text(figures, "utf-8")
    return folder


def _choices(said: Mapping[str, str], *, column: str, whole: int = 0) -> list[dict[str, object]]:
    """Questions of whose choices A is right, by what they are a part of."""
    return [
        {"index": n, "question": f"{part} {n}?", "A": f"a{n}", "B": f"b{n}", "answer": "A",
         column: part, "prediction": letter}
        for n, (part, letter) in enumerate(
            ((part, letter) for part, letters in said.items() for letter in letters), start=1
        )
    ]  # fmt: skip


def _read(house: Warehouse, folder: Path) -> None:
    assert [one.error for one in house.ingest_many(folder)] == [None, None]


def _compared(house: Warehouse) -> dict[str, tuple[float | None, bool, str | None]]:
    rows = house.sql("SELECT metric, ours, is_same, reason FROM harness_difference").rows()
    return {metric: (ours, is_same, reason) for metric, ours, is_same, reason in rows}


def test_sources_of_a_benchmark_without_that_level(house: Warehouse, tmp_path: Path) -> None:
    """Where the whole is by accident the same number, it is no figure of the part."""
    rows = _choices({"park": "AB", "zoo": "AB"}, column="place")
    folder = _work_dir(tmp_path, "Places", rows, "split,Overall,park,zoo\nnone,0.5,0.5,0.5\n")
    _read(house, folder)
    assert _compared(house) == {
        "split=none|Overall": (0.5, True, None),
        "split=none|park": (None, False, PART),
        "split=none|zoo": (None, False, PART),
    }


def test_a_level_that_the_benchmark_has(house: Warehouse, tmp_path: Path) -> None:
    rows = _choices({"park": "AA", "zoo": "ABBB"}, column="category")
    folder = _work_dir(tmp_path, "Places", rows, "split,Overall,park,zoo\nnone,0.5,1.0,0.5\n")
    _read(house, folder)
    assert _compared(house) == {
        "split=none|Overall": (0.5, True, None),
        "split=none|park": (1.0, True, None),
        "split=none|zoo": (0.25, False, "the harness kept no scores of samples"),
    }


def test_the_worst_case_and_subjects(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"index": n, "question": f"{n}?", "answer": str(n), "prediction": str(n if n % 2 else 0)}
        for n in range(1, 5)
    ]
    figures = "Setting,Overall,Subject-sums\nAverage,0.5,0.5\nWorst Case,0.5,0.5\n"
    _read(house, _work_dir(tmp_path, "Sums", rows, figures))
    found = _compared(house)
    assert found.pop("Setting=Average|Overall") == (0.5, True, None)
    assert set(found) == {
        "Setting=Average|Subject-sums",
        "Setting=Worst Case|Overall",
        "Setting=Worst Case|Subject-sums",
    }
    assert set(found.values()) == {(None, False, PART)}


def test_a_figure_of_another_split(house: Warehouse, tmp_path: Path) -> None:
    rows = [{**row, "split": "dev"} for row in _choices({"park": "AB"}, column="place")]
    folder = _work_dir(tmp_path, "Places", rows, "split,Overall\ndev,0.5\ntest,0.5\n")
    _read(house, folder)
    assert _compared(house) == {
        "split=dev|Overall": (0.5, True, None),
        "split=test|Overall": (None, False, PART),
    }


def test_the_worst_case_of_another_harness(house: Warehouse, tmp_path: Path) -> None:
    """It has no scores of samples, as it is of several variants at once."""
    choices = {"question": "Which?", "choices": ["red", "blue"], "answer": 0}
    rows = [
        {"doc_id": n, "doc": choices, "target": "A", "arguments": {"gen_args_0": {"arg_0": f"{n}?", "arg_1": {}}},
         "resps": [[said]], "filtered_resps": [said], "filter": "none", "metrics": ["exact_match"],
         "exact_match": float(said == "A")}
        for n, said in enumerate("AB")
    ]  # fmt: skip
    out = tmp_path / "acme__vlm"
    out.mkdir()
    write_jsonl(out / "samples_tints_2026-11-24T10-00-00.jsonl", rows)
    figures = {"alias": "tints", "exact_match,none": 0.5, "worst_case_acc,none": 0.5}
    results = {
        "results": {"tints": figures},
        "configs": {"tints": {"task": "tints"}},
        "model_name": "acme/vlm",
    }
    (out / "results_2026-11-24T10-00-00.json").write_text(json.dumps(results), "utf-8")
    _read(house, tmp_path)
    assert _compared(house) == {
        "exact_match": (0.5, True, None),
        "worst_case_acc": (None, False, PART),
    }


@pytest.mark.slow
def test_two_sources_of_unequal_size(house: Warehouse, shared: Path) -> None:
    """The report's command makes ours the mean of the two, and each comparable."""
    folder = shared / "field/12-cvbench/m"
    _read(house, folder)
    assert _compared(house)["split=none|ADE20K"] == (None, False, PART)
    changes = {"level": with_column("source"), "macro_level": "source", "average": "macro"}
    set_benchmark(house, "CV-Bench-2D", **changes)
    assert _compared(house) == {
        "split=none|Overall": (0.625, True, None),
        "split=none|ADE20K": (1.0, True, None),
        "split=none|COCO": (0.25, True, None),
    }
    ((score,),) = house.sql(
        "SELECT score FROM score WHERE dataset = 'CV-Bench-2D' AND ability = 'Overall'"
    ).rows()
    assert score == 0.625


@pytest.mark.slow
def test_parts_of_variants(house: Warehouse, shared: Path) -> None:
    _read(house, shared / "field/09-dynamath/m")
    found = _compared(house)
    whole = found.pop("Setting=Average|Overall")
    assert whole[0] is not None
    assert set(found.values()) == {(None, False, PART)}


# Every Eval Ever of Inspect's epochs.


def _records(
    folder: Path,
    said: Mapping[str, Sequence[str | None]],
    *,
    library: str = "inspect",
    per_epoch: bool = False,
) -> Path:
    """Records of questions whose right choice is A: each epoch has the question's mean, as the converter
    writes it, or its own score. What is not said ended in an error."""
    rows = []
    for key, texts in said.items():
        right = [text == "A" for text in texts]
        for epoch, text in enumerate(texts, start=1):
            score = float(right[epoch - 1]) if per_epoch else sum(right) / len(right)
            rows.append(
                {
                    "schema_version": "0.3.0",
                    "evaluation_id": "tints/vlm/1",
                    "model_id": "vlm",
                    "evaluation_name": "tints",
                    "evaluation_result_id": "choice:accuracy",
                    "sample_id": key,
                    "interaction_type": "single_turn",
                    "input": {"raw": f"{key}?", "reference": ["red"], "choices": ["red", "blue"]},
                    "output": {"raw": [] if text is None else [text]},
                    "evaluation": {"score": 0.0 if text is None else score},
                    "error": "RuntimeError" if text is None else None,
                    "metadata": {"epoch": str(epoch)},
                }
            )
    path = write_jsonl(folder / "u_samples.jsonl", rows)
    aggregate = {
        "schema_version": "0.3.0",
        "evaluation_id": "tints/vlm/1",
        "eval_library": {"name": library, "version": "1"},
        "model_info": {"id": "vlm"},
        "evaluation_results": [
            {"evaluation_name": "tints", "source_data": {"dataset_name": "tints"}, "score_details": {"score": 0.5}}
        ],
        "detailed_evaluation_results": {
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(path.read_bytes()).hexdigest(),
        },
    }  # fmt: skip
    (folder / "u.json").write_text(json.dumps(aggregate), "utf-8")
    return path


def _samples(house: Warehouse) -> list[tuple[object, ...]]:
    return house.sql(
        "SELECT question, sample, filter, published, ours, is_same, reason_kind "
        "FROM harness_sample_difference ORDER BY question, sample"
    ).rows()


def test_epochs_have_their_question_s_mean(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_records(tmp_path, {"1": ["A", "A"], "2": ["A", "B"], "3": ["B", "B"]}))
    mean = "mean of 2 epochs"
    assert _samples(house) == [
        ("1", 0, mean, 1.0, 1.0, True, None),
        ("1", 1, mean, 1.0, 1.0, True, None),
        ("2", 0, mean, 0.5, 0.5, True, None),
        ("2", 1, mean, 0.5, 0.5, True, None),
        ("3", 0, mean, 0.0, 0.0, True, None),
        ("3", 1, mean, 0.0, 0.0, True, None),
    ]
    figures = house.differences()
    assert figures.select("filter", "published", "ours", "is_same").rows() == [
        (mean, pytest.approx(0.5), pytest.approx(0.5), True)
    ]


def test_another_mean_of_the_epochs_says_so(house: Warehouse, tmp_path: Path) -> None:
    """The harness read an answer otherwise: not the rules of this sample differ, but the mean."""
    path = _records(tmp_path, {"1": ["A", "B", "A"]})
    text = path.read_text("utf-8").replace(str(2 / 3), "1.0")
    path.write_text(text, "utf-8")
    aggregate = tmp_path / "u.json"
    written = json.loads(aggregate.read_text("utf-8"))
    written["detailed_evaluation_results"]["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    aggregate.write_text(json.dumps(written), "utf-8")
    house.ingest(path)
    assert {row[-1] for row in _samples(house)} == {"mean_of_epochs"}
    (reason,) = set(house.sql("SELECT reason FROM harness_sample_difference")["reason"])
    assert "each epoch the mean of 3 epochs of the question" in reason


def test_an_answer_that_ended_in_an_error_makes_no_figure(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_records(tmp_path, {"1": ["A", "A"], "2": [None, None], "3": ["B", None]}))
    assert [(row[0], row[1]) for row in _samples(house)] == [("1", 0), ("1", 1), ("3", 0)]


@pytest.mark.parametrize("library", ["inspect", "other"])
def test_epochs_with_scores_of_their_own(house: Warehouse, tmp_path: Path, library: str) -> None:
    said = {"1": ["A", "B"], "2": ["B", "B"]}
    house.ingest(_records(tmp_path, said, library=library, per_epoch=True))
    assert [row[2:6] for row in _samples(house)] == [
        (None, 1.0, 1.0, True),
        (None, 0.0, 0.0, True),
        (None, 0.0, 0.0, True),
        (None, 0.0, 0.0, True),
    ]

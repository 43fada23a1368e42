"""lmms-eval's samples: the harness's own figures from our views, in any order."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from ingest import recognition
from tests.houses import QuickHouse
from tests.tables import facts, register_judge, write_jsonl

_TIMES = {"A": "20261121_211019", "B": "20261121_211023"}
_TASKS = ("mmbench_en_dev", "mmvet", "seedbench", "seedbench_2", "seedbench_ppl")

# What the harness states that no view of ours has to: of A's question 2 pass 1 no rule reads a letter, and
# which one its judge gave or it drew is in no file. (Grades of failed calls, stored as 0.0, are left out;
# here there are none.)
_NOT_IN_THE_SAMPLES = {("A", "mmbench_en_dev", "gpt_eval_score")}


def _folder(shared: Path, name: str) -> Path:
    return shared / f"formats/lmms_out/acme__vlm-{name}"


def _samples(shared: Path, name: str, task: str) -> Path:
    return _folder(shared, name) / f"{_TIMES[name]}_samples_{task}.jsonl"


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def loaded(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """All samples of both models."""
    path = tmp_path_factory.mktemp("lmms") / "lmms.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    for name in _TIMES:
        house.ingest(*(_samples(shared, name, task) for task in _TASKS))
    return house


def _stated(shared: Path) -> dict[tuple[str, str, str], float]:
    """Every figure of the results files, by model, task and metric."""
    return {
        (name, task, metric.removesuffix(",none")): value
        for name in _TIMES
        for task, figures in json.loads(
            (_folder(shared, name) / f"{_TIMES[name]}_results.json").read_text("utf-8")
        )["results"].items()
        for metric, value in figures.items()
        if isinstance(value, float)
    }


def _ours(house: Warehouse) -> dict[tuple[str, str, str], float]:
    """The same figures from our views."""
    found: dict[tuple[str, str, str], float] = {}
    names = {"MMBench": "mmbench_en_dev", "MM-Vet": "mmvet", "SEED-Bench": "seedbench_ppl"}
    rows = house.sql(
        "SELECT model, benchmark, score, stderr FROM ability_score WHERE level = 'overall' "
        "AND average = 'micro' AND (benchmark = 'MMBench' AND strategy = 'circular' "
        "OR benchmark = 'MM-Vet' OR method = 'perplexity' AND strategy = 'vanilla')"
    ).rows()
    for model, benchmark, score, stderr in rows:
        name, task = model[-1], names[benchmark]
        if task == "seedbench_ppl":
            found[name, task, "acc"] = score
            found[name, task, "acc_stderr_clt"] = stderr
            continue
        found[name, task, "gpt_eval_score"] = 100 * score
        if task == "mmvet":
            found[name, task, "gpt_eval_score_stderr_clt"] = stderr
    rows = house.sql(
        "SELECT model, dataset, coalesce(data_type, 'all'), avg(score) FROM first_character "
        "WHERE dataset LIKE 'SEED%' GROUP BY GROUPING SETS ((1, 2, data_type), (1, 2))"
    ).rows()
    for model, dataset, data_type, score in rows:
        task = {"SEED-Bench": "seedbench", "SEED-Bench-2": "seedbench_2"}[dataset]
        found[model[-1], task, f"seed_{data_type.replace(' ', '_')}"] = score
    return found


@pytest.mark.slow
def test_every_figure_of_the_results_files(loaded: Warehouse, shared: Path) -> None:
    stated, ours = _stated(shared), _ours(loaded)
    assert len(stated) == 30
    assert set(ours) == set(stated)
    differing = {key for key in stated if ours[key] != pytest.approx(stated[key], abs=1e-9)}
    assert differing == _NOT_IN_THE_SAMPLES
    assert (
        stated["A", "mmbench_en_dev", "gpt_eval_score"],
        ours["A", "mmbench_en_dev", "gpt_eval_score"],
    ) == (75, 50)


def test_a_letter_that_the_harness_drew_is_told_apart(loaded: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "judged.duckdb"
    shutil.copy(loaded.path, path)
    house = QuickHouse(path)
    open_passes = house.sql(
        "SELECT question_key, pass, predicted, resolved_by FROM pass_result "
        "WHERE model = 'acme/vlm-A' AND dataset = 'MMBench/dev/en' AND resolved_by <> 'rule'"
    ).rows()
    assert open_passes == [("2", 1, None, "unresolved")]
    # With a judge to come, what the harness says is within the bounds.
    register_judge(house, "J")
    bounds = house.sql(
        "SELECT score_low, score, score_high FROM ability_score WHERE model = 'acme/vlm-A' "
        "AND benchmark = 'MMBench' AND strategy = 'circular' AND judge = 'J' AND level = 'overall' "
        "AND average = 'micro'"
    ).rows()
    assert bounds == [(0.5, None, 0.75)]


def test_the_figures_of_the_submissions_folder(loaded: Warehouse, shared: Path) -> None:
    """They are of the model that ran last."""
    results = json.loads(
        (shared / "formats/lmms_out/submissions/mmbench_en_dev_results.json").read_text("utf-8")
    )
    ours = dict(
        loaded.sql(
            "SELECT s.spelling, a.score FROM ability_score AS a "
            "JOIN main.ability_spelling AS s ON a.ability_id = s.ability_id "
            "WHERE a.model = 'acme/vlm-B' AND a.benchmark = 'MMBench' AND a.strategy = 'circular' "
            "AND a.average = 'micro' AND a.judge = 'none'"
        ).rows()
    )
    figures = results["category_acc"] | results["l2_category_acc"]
    assert {name: ours[name] for name in figures} == figures
    assert results["overall_acc"] == 0.25


def test_runs_and_what_they_are(loaded: Warehouse) -> None:
    rows = loaded.sql(
        "SELECT r.dataset, r.run, r.method, r.reduction, CAST(r.produced_at AS VARCHAR) AS at "
        "FROM current_run AS r WHERE r.model = 'acme/vlm-A' ORDER BY ALL"
    ).rows()
    at = "2026-11-21 21:10:19"
    assert rows == [
        ("MM-Vet", "20261121_211019", "generation", None, at),
        ("MMBench/dev/en", "20261121_211019", "generation", None, at),
        ("SEED-Bench", "20261121_211019", "generation", None, at),
        ("SEED-Bench", "20261121_211019_ppl", "perplexity", None, at),
        ("SEED-Bench-2", "20261121_211019", "generation", None, at),
    ]
    # nan stands for what is not there, and is no fifth choice and no hint.
    assert loaded.sql(
        "SELECT DISTINCT label FROM main.choice ORDER BY 1"
    ).to_series().to_list() == list("ABCD")
    assert loaded.sql("SELECT count(*) FROM main.question_attribute WHERE value = 'nan'").item() == 0  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("order", [_TASKS, _TASKS[::-1]])
def test_any_order_gives_the_same(
    house: Warehouse, loaded: Warehouse, shared: Path, order: tuple[str, ...]
) -> None:
    house.ingest(*(_samples(shared, name, task) for name in "BA" for task in order))
    assert _ours(house) == _ours(loaded)
    before = facts(house.path)
    again = house.ingest(*(_samples(shared, "A", task) for task in _TASKS))
    assert all(report.already for report in again)
    assert facts(house.path) == before


def _questions(shared: Path, folder: Path) -> Path:
    """A question file of SEED-Bench's, with the texts that the prompts have."""
    rows = []
    for record in _records(_samples(shared, "A", "seedbench")):
        text, *options = record["input"].split("\n")[:5]
        choices = {f"choice_{name}": one[3:] for name, one in zip("abcd", options, strict=True)}
        seed = record["seed_all"]
        rows.append(
            {
                "question_id": seed["question_id"],
                "question": text,
                **choices,
                "answer": seed["answer"],
                "question_type_id": 3,
                "data_type": "image",
            }
        )
    return write_jsonl(folder / "SEED-Bench.jsonl", rows)


@pytest.mark.slow
def test_questions_that_are_known_or_come_later(
    house: Warehouse, make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    files = [_samples(shared, "A", task) for task in ("seedbench", "seedbench_ppl")]
    questions = _questions(shared, tmp_path)
    first, *_ = house.ingest(*files, questions)
    assert (
        "8 questions are known by their ids alone, with the choices A to D; a question file adds their texts"
        in first.notes
    )
    other = make_house("other")
    other.ingest(questions, *files)
    for one in (house, other):
        assert one.sql(
            "SELECT DISTINCT text FROM main.choice ORDER BY 1"
        ).to_series().to_list() == ["cat", "dog", "rabbit", "teddy bear"]
        scores = one.sql(
            "SELECT run, score FROM ability_score WHERE ability = 'Instance Attributes' AND "
            "strategy = 'vanilla' AND average = 'micro' ORDER BY 1"
        ).rows()
        assert scores == [("20261121_211019", 0.875), ("20261121_211019_ppl", 0.25)]


def test_likelihoods_alone_are_joined_by_text(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "acme__vlm-A" / "20261121_211019_samples_seedbench_ppl.jsonl"
    alone.parent.mkdir()
    shutil.copy(_samples(shared, "A", "seedbench_ppl"), alone)
    with pytest.raises(InputError) as caught:
        house.ingest(alone)
    assert (
        "row 1, field input: does not hold the question's id: there are no samples of seedbench "
        "next to it, and no questions in the warehouse have its text and right choice"
        in str(caught.value)
    )
    house.ingest(_questions(shared, tmp_path), alone)
    rows = house.sql(
        "SELECT model, score FROM ability_score WHERE level = 'overall' AND strategy = 'vanilla' AND average = 'micro'"
    ).rows()
    assert rows == [("acme/vlm-A", 0.25)]


def test_the_submission(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = shared / "formats/lmms_out/submissions/mmbench_en_dev_results.xlsx"
    with pytest.raises(InputError, match="does not name the model; give it with --model"):
        house.ingest(path, format="lmms_submission")
    house.ingest(path, format="lmms_submission", model="acme/vlm-B")
    (report,) = house.ingest(_samples(shared, "B", "mmbench_en_dev"))
    # The same questions and choices, without a difference.
    assert report.notes == []
    scores = house.sql(
        "SELECT run, score FROM ability_score WHERE level = 'overall' AND strategy = 'circular' "
        "AND average = 'micro' AND judge = 'none' ORDER BY 1"
    ).rows()
    assert scores == [("20261121_211023", 0.25), ("mmbench_en_dev_results", 0.25)]
    assert house.sql("SELECT count(*) FROM main.dataset").item() == 1
    # In the harness's folder it holds nothing new; elsewhere it may be all that there is.
    assert "does not name the model" in str(recognition.describe_byproduct(path))
    assert recognition.describe_byproduct(Path(shutil.copy(path, tmp_path))) is None

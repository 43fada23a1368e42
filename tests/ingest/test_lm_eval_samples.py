"""lm-evaluation-harness's samples: its figures from our views, its questions, and numbers as choices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from ingest import record_choices
from tests.houses import QuickHouse

_TIME = "2026-11-21T21-02-06.164606"


def _folder(shared: Path) -> Path:
    return shared / "formats/lm_eval_out/acme__model-A"


def _samples(shared: Path, task: str) -> Path:
    return _folder(shared) / f"samples_{task}_{_TIME}.jsonl"


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def loaded(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Both tasks, of a benchmark that their names do not contain."""
    path = tmp_path_factory.mktemp("lm_eval") / "lm_eval.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    tasks = ("seedlike_gen", "seedlike_ppl")
    house.ingest(*(_samples(shared, task) for task in tasks), benchmark="SEED-Bench")
    return house


def test_every_figure_of_the_results_file(loaded: Warehouse, shared: Path) -> None:
    """No exception: every figure is equal."""
    results = json.loads((_folder(shared) / f"results_{_TIME}.json").read_text("utf-8"))["results"]
    stated = {
        (task, metric): value
        for task, figures in results.items()
        for metric, value in figures.items()
        if isinstance(value, float)
    }
    ours: dict[tuple[str, str], float] = {}
    rows = loaded.sql(
        "SELECT run, score, stderr FROM ability_score WHERE level = 'overall' AND average = 'micro' "
        "AND strategy = 'vanilla' AND judge = 'none'"
    ).rows()
    for run, score, stderr in rows:
        way = run.removeprefix(f"{_TIME}_seedlike_")
        if way == "ppl":
            ours["seedlike_ppl", "acc,none"] = score
            ours["seedlike_ppl", "acc_stderr,none"] = stderr
        elif way != "gen_unfiltered":
            name = way.removeprefix("gen_")
            ours["seedlike_gen", f"exact_match,{name}"] = score
            ours["seedlike_gen", f"exact_match_stderr,{name}"] = stderr
    mean, error = loaded.sql(
        "SELECT avg(score_per_character), stddev_samp(score_per_character) / sqrt(count(*)) "
        "FROM length_ranking"
    ).row(0)
    ours["seedlike_ppl", "acc_norm,none"] = mean
    ours["seedlike_ppl", "acc_norm_stderr,none"] = error
    assert len(stated) == 8
    assert ours == pytest.approx(stated, abs=1e-12)


def test_likelihoods_and_questions_are_the_files(loaded: Warehouse, shared: Path) -> None:
    for record in _records(_samples(shared, "seedlike_ppl")):
        doc = record["doc"]
        rows = loaded.sql(
            "SELECT q.text, c.label, c.text, s.score, a.label FROM main.question AS q "
            "JOIN main.choice AS c USING (question_id) "
            "JOIN main.choice_score AS s ON s.question_id = q.question_id AND s.label = c.label "
            "JOIN main.answer AS a ON a.question_id = q.question_id "
            f"WHERE q.question_key = '{doc['question_id']}' ORDER BY c.label"
        ).rows()
        assert rows == [
            (doc["question"], label, doc[f"choice_{label.lower()}"], float(one[0]), doc["answer"])
            for label, one in zip("ABCD", record["filtered_resps"], strict=True)
        ]
    kinds = loaded.sql("SELECT name, value, count(*) FROM main.question_attribute GROUP BY ALL")
    assert kinds.rows() == [("data_type", "image", 12)]
    dimensions = loaded.sql("SELECT count(DISTINCT ability_id) FROM main.question_ability").item()
    assert dimensions == len(
        {one["doc"]["question_type_id"] for one in _records(_samples(shared, "seedlike_ppl"))}
    )


_NUMBERS = ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("doc", "target", "answer"),
    [
        # The text of A and the place of B; the record's letter, or its text by another name, decides.
        ({"choices": _NUMBERS, "answer": "A"}, "1", "A"),
        ({"choices": _NUMBERS, "answer": "B"}, "1", "B"),
        ({"choices": _NUMBERS, "answerKey": "A"}, "1", "A"),
        ({"choices": {"text": _NUMBERS, "label": ["A", "B", "C", "D"]}, "answerKey": "B"}, "1", "B"),
        # Labels of the record's own.
        ({"choices": {"text": ["9", "8", "1", "0"], "label": ["1", "2", "3", "4"]}, "answerKey": "3"}, "2", "C"),
        ({"choices": {"text": ["2", "8", "1", "0"], "label": ["1", "2", "3", "4"]}, "answerKey": "3"}, "2", "C"),
        # Where choices are texts, a number is a place (MMLU).
        ({"choices": _NUMBERS, "answer": 1}, "1", "B"),
        # No doubt: nothing is called so, or place and text are one.
        ({"choices": _NUMBERS}, "0", "A"),
        ({"choices": _NUMBERS}, "4", "D"),
        ({"choices": ["0", "1", "2"]}, "1", "B"),
        ({"choices": ["3", "1", "1"]}, "1", "B"),
        ({"choices": _NUMBERS}, "C", "C"),
        ({"choices": _NUMBERS, "answer": "4"}, "", "D"),
    ],
)  # fmt: skip
def test_numbers_as_choices(doc: dict[str, Any], target: str, answer: str) -> None:
    choices = record_choices.choices_of(doc)
    assert record_choices.answer_of(doc, target, choices) == answer


@pytest.mark.parametrize(
    ("doc", "target"),
    [
        ({"choices": _NUMBERS}, "1"),
        ({"choices": _NUMBERS, "answer": "1"}, "1"),
        # It says neither of both, or is a number among numbers.
        ({"choices": _NUMBERS, "answer": "D"}, "1"),
        ({"choices": [1, 2, 3, 4], "answer": 1}, "1"),
        ({"choices": _NUMBERS, "answer": "2"}, ""),
        ({"choices": ["5", "0", "6", "0"]}, "0"),
    ],
)
def test_a_number_that_could_be_two_choices(doc: dict[str, Any], target: str) -> None:
    with pytest.raises(record_choices.NotRead, match="may be the place of choice") as caught:
        record_choices.answer_of(doc, target, record_choices.choices_of(doc))
    assert caught.value.field == "target"

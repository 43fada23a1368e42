"""lmms-eval's samples: the harness's own figures from our views, and files that are not what they should be."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, UsageError, Warehouse
from ingest import byproducts
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


def test_likelihoods_of_which_the_highest_is_the_best(house: Warehouse, shared: Path) -> None:
    path = _samples(shared, "A", "seedbench_ppl")
    with pytest.raises(InputError, match="log-likelihoods need --reduction"):
        house.ingest(path, method="loglik")
    house.ingest(path, method="loglik", reduction="mean")
    rows = house.sql("SELECT method, reduction, scored FROM current_run").rows()
    assert rows == [("loglik", "mean", "content")]
    records = _records(path)
    letters = ("teddy bear", "rabbit", "cat", "dog")
    wanted = []
    for record in records:
        values = [float(one[0]) for one in record["filtered_resps"]]
        wanted.append(letters[values.index(max(values))] == record["target"])
    ours = house.sql("SELECT score FROM pass_result WHERE judge = 'none' ORDER BY question_key")
    assert ours.to_series().to_list() == wanted


def _copy(shared: Path, folder: Path, task: str, name: str = "A") -> Path:
    """A samples file and its results file in a folder of their own."""
    target = folder / f"acme__vlm-{name}"
    target.mkdir(exist_ok=True)
    shutil.copy(_folder(shared, name) / f"{_TIMES[name]}_results.json", target)
    return Path(shutil.copy(_samples(shared, name, task), target))


def test_repeats_are_samples_and_filters_make_another_run(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, "seedbench")
    records = _records(path)
    for record in records:
        # As the harness writes it: the first of several is what is scored.
        record["resps"] = [record["filtered_resps"], "B"]
    write_jsonl(path, records)
    (report,) = house.ingest(path)
    assert (
        "each question has up to 2 answers, which are samples; the harness scored the first"
        in report.notes
    )
    rows = house.sql(
        "SELECT sample, count(*), count(DISTINCT text) FROM main.prediction GROUP BY 1 ORDER BY 1"
    ).rows()
    assert rows == [(0, 8, 5), (1, 8, 1)]
    # Reasoning that was taken out before scoring is another matter.
    for record in records:
        record["resps"] = [f"<think>A or B</think>{record['filtered_resps']}"]
    write_jsonl(path, records)
    (report,) = house.ingest(path, run="thinking")
    assert "what the model said is the run thinking_unfiltered" in " ".join(report.notes)
    latest = house.sql("SELECT run FROM current_run WHERE is_latest").to_series().to_list()
    assert latest == ["thinking"]
    stated = json.loads((_folder(shared, "A") / f"{_TIMES['A']}_results.json").read_text("utf-8"))
    ours = house.sql("SELECT avg(score) FROM first_character WHERE run = 'thinking'")
    assert ours.item() == stated["results"]["seedbench"]["seed_all,none"]


def test_a_grade_is_of_what_was_scored(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    """MM-Vet's, where reasoning was taken out; a call that failed is no grade of 0.0."""
    path = _copy(shared, tmp_path, "mmvet")
    records = _records(path)
    for record in records:
        record["resps"] = [f"<think>hm</think>{record['filtered_resps']}"]
    records[3]["gpt_eval_score"] |= {"score": 0.0, "eval_model": ""}
    (report,) = house.ingest(write_jsonl(path, records))
    assert "1 grades left out: they name no judge model" in report.notes
    rows = house.sql(
        "SELECT run, n_pending, score, round(score_low, 6), round(score_high, 6) FROM ability_score "
        "WHERE level = 'overall' AND judge <> 'none' AND average = 'micro' ORDER BY run"
    ).rows()
    assert rows == [
        ("20261121_211019", 1, None, 0.483333, 0.65),
        ("20261121_211019_unfiltered", 6, None, 0.0, 1.0),
    ]


def test_what_a_model_says_is_kept_to_the_letter(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, "mmbench_en_dev")
    records = _records(path)
    said = ['["B"]', "nan", "", " null ", "NaN", "B\u2028é", "['x']", '{"a": 1}']
    for record, text in zip(records, said, strict=False):
        record["filtered_resps"] = text
    write_jsonl(path, records)
    house.ingest(path)
    kept = house.sql(
        "SELECT p.text FROM main.prediction AS p JOIN main.question AS q USING (question_id) ORDER "
        "BY q.question_key, p.pass"
    )
    assert kept.to_series().to_list()[: len(said)] == said


def test_hidden_answers_and_another_language(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    records = _records(_samples(shared, "A", "mmbench_en_dev"))
    for record in records:
        del record["gpt_eval_score"]
        record["submission"] |= {"answer": "nan", "split": "test"}
    path = tmp_path / "acme__vlm-A" / "20261121_211019_samples_mmbench_cn_test.jsonl"
    path.parent.mkdir()
    house.ingest(write_jsonl(path, records))
    assert house.sql("SELECT name FROM main.dataset").item() == "MMBench/test/cn"
    assert house.sql("SELECT count(*) FROM main.answer").item() == 0
    # Where the model had to reason, what it said stands in place of the answer.
    for record in records:
        record["submission"]["answer"] = "B"
    path = path.with_name("20261121_211019_samples_mmbench_cn_test_reasoning.jsonl")
    house.ingest(write_jsonl(path, records))
    assert house.sql("SELECT count(*) FROM main.answer").item() == 0
    assert house.sql("SELECT run FROM current_run ORDER BY run_id").to_series().to_list() == [
        "20261121_211019",
        "20261121_211019_reasoning",
    ]


def test_answers_that_want_an_image_too(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = _copy(shared, tmp_path, "seedbench_2")
    records = _records(path)
    for record in records[-2:]:
        for seed in (value for name, value in record.items() if name.startswith("seed_")):
            seed["question_id"] = f"27_{record['doc_id']}"
    (report,) = house.ingest(write_jsonl(path, records))
    assert (
        "2 answers left out: their questions want a text and an image, which no letter can be"
        in report.notes
    )
    assert house.sql("SELECT count(*) FROM main.prediction").item() == 10
    assert house.sql("SELECT count(*) FROM main.question").item() == 12


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
    assert "does not name the model" in str(byproducts.describe(path))
    assert byproducts.describe(Path(shutil.copy(path, tmp_path))) is None


def test_files_that_hold_no_answers(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    results = _folder(shared, "A") / "20261121_211019_results.json"
    before = facts(house.path)
    figures = shared / "formats/lmms_out/submissions/mmbench_en_dev_results.json"
    with pytest.raises(InputError, match="holds no answers: it is lmms-eval's own figures"):
        house.ingest(figures)
    cut = tmp_path / results.name
    cut.write_bytes(results.read_bytes()[:5000])
    with pytest.raises(InputError, match="not valid JSON, or cut off"):
        house.ingest(cut)
    assert facts(house.path) == before


def test_a_missing_results_file_is_told(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = _copy(shared, tmp_path, "seedbench")
    path.with_name("20261121_211019_results.json").unlink()
    (report,) = house.ingest(path)
    assert "model acme/vlm-A (the folder's name)" in report.inferred
    assert (
        "there is no 20261121_211019_results.json next to it, so its settings are not known"
        in report.notes
    )
    assert house.sql("SELECT count(*) FROM main.prediction").item() == 8


def test_samples_that_are_missing_are_told(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = _copy(shared, tmp_path, "seedbench")
    write_jsonl(path, _records(path)[:5])
    (report,) = house.ingest(path)
    assert (
        "3 of the 8 documents that 20261121_211019_results.json lists are not in the file"
        in report.notes
    )


def _change(path: Path, row: int, change: Callable[[dict[str, Any]], object]) -> None:
    records = _records(path)
    change(records[row - 1])
    write_jsonl(path, records)


def _append(path: Path, other: Path) -> None:
    path.write_text(path.read_text("utf-8") + other.read_text("utf-8"), "utf-8")


_BAD: dict[str, tuple[str, Callable[[Path, Path], object], str]] = {
    "cut in half": (
        "seedbench",
        lambda path, shared: path.write_bytes(path.read_bytes()[:-300]),
        "row 8: not valid JSON, or cut off: Unterminated string starting at",
    ),
    "two models": (
        "mmbench_en_dev",
        lambda path, shared: _append(path, _samples(shared, "B", "mmbench_en_dev")),
        "row 17, field doc_id: is one more than the 16 documents that 20261121_211019_results.json "
        "lists for mmbench_en_dev; the samples of one run of one model make a file",
    ),
    "two models of mmvet": (
        "mmvet",
        lambda path, shared: _append(path, _samples(shared, "B", "mmvet")),
        "row 7, field doc_id: is one more than the 6 documents",
    ),
    "two models of likelihoods": (
        "seedbench_ppl",
        lambda path, shared: _append(path, _samples(shared, "B", "seedbench_ppl")),
        "row 9, field doc_id: is one more than the 8 documents",
    ),
    "a document twice": (
        "seedbench",
        lambda path, shared: write_jsonl(path, [*_records(path)[:7], _records(path)[2]]),
        "row 8, field seed_all.question_id: question 101671, pass 0 stands in rows 3 and 8 with the same "
        "value; --on-duplicate first or last says which one counts",
    ),
    "no index": (
        "mmbench_en_dev",
        lambda path, shared: _change(path, 3, lambda one: one["gpt_eval_score"].update(index="x")),
        "row 3, field index: 'x' is no whole number from 0, or too large",
    ),
    "no question": (
        "mmbench_en_dev",
        lambda path, shared: _change(path, 3, lambda one: one["gpt_eval_score"].pop("question")),
        "row 3, field gpt_eval_score.question: is missing",
    ),
    "no id": (
        "seedbench",
        lambda path, shared: _change(path, 2, lambda one: one["seed_all"].update(question_id="")),
        "row 2, field seed_all.question_id: is empty",
    ),
    "another form": (
        "seedbench",
        lambda path, shared: _change(path, 2, lambda one: one.update(seed_all=1.0)),
        "row 2, field seed_all: is no object with question_id and answer",
    ),
    "an answer that is none": (
        "seedbench",
        lambda path, shared: _change(path, 2, lambda one: one["seed_all"].update(answer="F")),
        "row 2, field seed_all.answer: the answer 'F' of question 101670 is none of its choices "
        "(A, B, C, D)",
    ),
    "an id of another benchmark": (
        "seedbench_2",
        lambda path, shared: _change(path, 4, lambda one: one["seed_all"].update(question_id="77")),
        "row 4, field seed_all.question_id: '77' is no id of SEED-Bench-2",
    ),
    "responses that are numbers": (
        "seedbench",
        lambda path, shared: _change(path, 5, lambda one: one.update(filtered_resps=[1])),
        "row 5, field filtered_resps: is neither a text nor a list of texts",
    ),
    "a likelihood that is no number": (
        "seedbench_ppl",
        lambda path, shared: _change(
            path, 6, lambda one: one["filtered_resps"].__setitem__(1, ["minus two", "False"])
        ),
        "row 6, field filtered_resps: 'minus two' is no finite number",
    ),
    "a likelihood that is not one": (
        "seedbench_ppl",
        lambda path, shared: _change(
            path, 6, lambda one: one["filtered_resps"].__setitem__(1, ["nan", "False"])
        ),
        "row 6, field filtered_resps: 'nan' is no finite number",
    ),
    "likelihoods that are none": (
        "seedbench_ppl",
        lambda path, shared: _change(path, 6, lambda one: one.update(filtered_resps="A")),
        "row 6, field filtered_resps: is no list of likelihoods",
    ),
    "a broken results file": (
        "seedbench",
        lambda path, shared: path.with_name("20261121_211019_results.json").write_text("{"),
        "20261121_211019_results.json: not valid JSON, or cut off",
    ),
}


@pytest.fixture(scope="module")
def bare(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """An empty warehouse in which nothing succeeds."""
    path = tmp_path_factory.mktemp("bare") / "bare.duckdb"
    shutil.copy(new_file, path)
    return QuickHouse(path)


@pytest.mark.parametrize("name", _BAD)
def test_bad_input(bare: Warehouse, shared: Path, tmp_path: Path, name: str) -> None:
    task, spoil, message = _BAD[name]
    path = _copy(shared, tmp_path, task)
    if task == "seedbench_ppl":
        shutil.copy(_samples(shared, "A", "seedbench"), path.parent)
    spoil(path, shared)
    with pytest.raises(InputError) as caught:
        bare.ingest(path)
    assert message in str(caught.value)
    assert bare.sql("SELECT count(*) FROM main.source").item() == 0


def test_two_models_without_a_results_file(
    bare: Warehouse, house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, "seedbench")
    _append(path, _samples(shared, "B", "seedbench"))
    path.with_name("20261121_211019_results.json").unlink()
    with pytest.raises(
        InputError, match="question 101669, pass 0 stands in rows 1 and 9 with different values"
    ):
        bare.ingest(path)
    house.ingest(path, on_duplicate="last")
    wanted = [record["filtered_resps"] for record in _records(_samples(shared, "B", "seedbench"))]
    assert sorted(house.sql("SELECT text FROM main.prediction").to_series()) == sorted(wanted)


def test_documents_of_likelihoods_that_are_others(
    bare: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, "seedbench_ppl")
    shutil.copy(_samples(shared, "A", "seedbench"), path.parent)
    _change(path, 4, lambda one: one.update(input="What is on the roof? Answer :"))
    with pytest.raises(
        InputError,
        match=r"row 4, field doc_id: 3 is not the same document in 20261121_211019_samples_seedbench.jsonl",
    ):
        bare.ingest(path)


def test_duplicates_of_likelihoods(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = _copy(shared, tmp_path, "seedbench_ppl")
    shutil.copy(_samples(shared, "A", "seedbench"), path.parent)
    write_jsonl(path, [*_records(path), _records(path)[0]])
    house.ingest(path, on_duplicate="first")
    assert house.sql("SELECT count(*) FROM main.choice_score").item() == 32
    assert house.sql("SELECT count(*) FROM main.question_pass").item() == 8
    assert house.sql("SELECT count(*) FROM main.choice").item() == 32


def test_an_unknown_task(bare: Warehouse, house: Warehouse, shared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "acme__vlm-A"
    folder.mkdir()
    other = Path(
        shutil.copy(
            _samples(shared, "A", "seedbench"), folder / "20261121_211019_samples_furniture.jsonl"
        )
    )
    with pytest.raises(InputError, match=r"furniture.*--(benchmark|map)"):
        bare.ingest(other)
    house.ingest(other, benchmark="SEED-Bench")
    assert house.sql("SELECT run FROM current_run").item() == "20261121_211019_furniture"
    # Its samples may also be of a form that is not read.
    records = [
        {
            "doc_id": 0,
            "target": "yes",
            "filtered_resps": "Yes.",
            "doc_hash": "x",
            "mme_perception": {"score": 1.0},
        }
    ]
    with pytest.raises(InputError) as caught:
        bare.ingest(write_jsonl(folder / "20261121_211019_samples_mme.jsonl", records))
    assert "row 1: the samples of the task mme are in no form that is known here" in str(caught.value)  # fmt: skip
    with pytest.raises(
        UsageError, match="--method clip is for choice scores, not for lmms_samples"
    ):
        bare.ingest(_samples(shared, "A", "seedbench"), method="clip")
    assert bare.sql("SELECT count(*) FROM main.source").item() == 0

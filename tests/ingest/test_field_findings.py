"""What real files of lm-evaluation-harness, HELM, Every Eval Ever, LLaVA and MM-Vet v2 did, row by row.

`lm_eval_forms.json` is what lm-evaluation-harness 0.4.13 wrote of tasks of our own, by a model that
draws its answers: samples by task, and the results file.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from bench import data, measure, speed
from evalhouse import InputError, Warehouse
from ingest import exact_match
from ingest.adapter import ByProductError
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.tables import facts, write_jsonl

_TIME = "2026-11-24T01-58-38.161060"
_FORMS: dict[str, Any] = json.loads(
    Path(__file__).with_name("lm_eval_forms.json").read_text("utf-8")
)
_FIGURES: dict[str, dict[str, float]] = _FORMS["results"]["results"]


def _write(folder: Path, *tasks: str, time: str = _TIME) -> Path:
    """The folder of a run with these tasks' samples."""
    folder = folder / "acme__model-A"
    folder.mkdir(parents=True, exist_ok=True)
    results = json.dumps(_FORMS["results"])
    (folder / f"results_{time}.json").write_text(results, encoding="utf-8")
    for task in tasks:
        write_jsonl(folder / f"samples_{task}_{time}.jsonl", _FORMS["samples"][task])
    return folder


def _samples(folder: Path, task: str) -> Path:
    return folder / f"samples_{task}_{_TIME}.jsonl"


_MAPPED = {"my_mmlu_*": "MMLU", "my_*": "*"}


@pytest.fixture(scope="module")
def forms(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Every form of request, loaded with two entries of --map."""
    folder = tmp_path_factory.mktemp("forms")
    path = folder / "forms.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    outcomes = list(house.ingest_many(_write(folder, *_FORMS["samples"]), map=_MAPPED))
    assert [str(one.error) for one in outcomes if one.error] == []
    left = [one.file.path.name for one in outcomes if one.left]
    assert left == [f"samples_my_wiki_{_TIME}.jsonl"]
    return house


@pytest.fixture(scope="module")
def pyfade(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    path = tmp_path_factory.mktemp("pyfade") / "pyfade.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    mapped = {"gsm8k": "GSM8K", "mmlu_pro_plus_*": "MMLU-Pro+"}
    outcomes = list(house.ingest_many(shared / "wild/pyfade", map=mapped))
    assert [one.error for one in outcomes if one.error] == []
    return house


_FINDINGS = {
    "W1": (
        "test_answers_to_other_questions_are_not_bound_by_their_numbers",
        "test_prompts_are_questions_too",
        "test_questions_without_images_are_none_of_another_benchmark",
    ),
    "W2": (
        "test_a_file_is_the_same_run_whatever_the_warehouse_held",
        "test_equal_files_of_two_times_are_two_runs",
    ),
    "W3": (
        "test_inspect_scores::test_under_the_judge_of_a_scorer_figures_are_inspect_s",
        "test_inspect_scores::test_what_a_scorer_reads_nothing_in_is_wrong_and_not_pending",
    ),
    "W4": ("test_filtered_run_is_the_one_boards_show",),
    "W5": (
        "test_a_whole_solution_is_compared_by_its_result",
        "test_commas_and_dollars_are_ignored",
        "test_expressions_that_may_never_end_are_left",
    ),
    "W6": ("test_several_right_choices_are_weighted", "test_several_right_places_in_the_target"),
    "W7": (
        "test_inspect_scores::test_each_grader_of_a_panel_is_a_judge",
        "test_inspect_scores::test_votes_without_replies_are_kept",
    ),
    "W8": (
        "test_inspect_scores::test_a_changed_log_adds_to_its_run",
        "test_inspect_scores::test_a_changed_grade_of_an_open_answer_is_a_person_s_score",
    ),
    "W9": ("test_engine::test_duckdb_1_5_reads_it_renamed_and_attached",),
    "W10": (
        "test_vlmevalkit_field::test_answers_in_a_folder_bind_to_no_other_benchmark",
        "test_what_is_said_of_a_file_is_said_of_its_folder",
    ),
    "W11": (
        "test_vlmevalkit_field::test_open_questions_and_lists",
        "test_vlmevalkit_field::test_lists_are_read_and_never_evaluated",
    ),
    "W12": ("test_answers_in_a_choices_words_are_told",),
    "R1": (
        "test_lmms_tasks::test_every_figure_of_eleven_tasks_is_the_harnesss",
        "test_lmms_tasks::test_a_real_file",
    ),
    "R2": ("test_inspect_runs::test_another_order_of_choices_is_a_dataset_of_its_own",),
    "R3": ("test_inspect_runs::test_two_tasks_on_one_dataset_within_a_second",),
    "R4": ("test_inspect_runs::test_samples_without_a_target_are_loaded_and_said_to_be_unscored",),
    "R5": ("test_figures_of_each_form", "test_likelihoods_of_whole_texts_are_left_with_the_reason"),
    "R6": ("test_unconditional_requests_of_older_versions",),
    "R7": (
        "test_vlmevalkit_field::test_every_prediction_file_of_a_run_loads",
        "test_vlmevalkit_field::test_abilities",
    ),
    "R8": ("test_an_ability_under_two_parents_is_two",),
    "R9": (
        "test_inspect_runs::test_another_sample_of_a_dataset_extends_it",
        "test_inspect_runs::test_ids_of_other_questions_make_a_dataset_of_its_own",
    ),
    "R10": ("test_cases::test_case",),
    "R11": (
        "test_mm_vet_v2_is_a_benchmark_of_its_own",
        "test_helms_answers_score_as_there",
        "test_helm_likelihoods::test_the_answer_is_the_likeliest_choice",
        "test_a_review_of_two_models_is_no_judgment_of_one",
    ),
    "R12": ("test_vlmevalkit_field::test_open_questions_and_lists",),
    "R13": (
        "test_benchmark_folders::test_what_names_of_datasets_tell",
        "test_vlmevalkit_field::test_every_prediction_file_of_a_run_loads",
    ),
    "R14": (
        "test_shards::test_parts_make_one_run",
        "test_shards::test_what_the_processes_of_an_unfinished_run_wrote_is_one_run",
    ),
    "R15": ("test_one_map_for_many_tasks", "test_a_new_task_is_a_benchmark_of_its_own"),
    "R16": (
        "test_field_figures::test_figures_of_runs_without_a_judge_are_the_peers",
        "test_vlmevalkit_figures::test_every_figure_of_37_datasets",
    ),
    "lm-eval: prompts": (
        "test_how_the_model_was_asked_is_found_by_sql",
        "test_prompts_are_attributes_of_the_answers",
        "test_harness_scores::test_every_metric_of_every_line_of_lm_eval",
    ),
    "Inspect: scores": (
        "test_inspect_scores::test_every_scorer_s_value_is_a_row",
        "test_inspect_runs::test_limits_settings_and_costs_are_found_by_sql",
    ),
    "A log that ended early": ("test_inspect_runs::test_a_folder_says_which_logs_ended_early",),
    "lm-eval, 20,000 documents": ("test_a_large_file_of_lm_eval",),
}
"""By the number of a finding, or how its sentence begins: the tests that hold it, of this file or another."""


def test_each_finding_has_its_tests(shared: Path) -> None:
    text = (shared / "FIELD_FINDINGS.md").read_text("utf-8")
    parts = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    wrong, refused, left, _ = parts.values()
    found = re.findall(r"^\| (W\d+) \|", wrong, re.M) + re.findall(r"\b(R\d+) ", refused)
    assert len(found) == 28
    sentences = re.split(r"(?<=\.) (?=[A-Z]|lm-eval)", left.strip())
    begun = [name for name in _FINDINGS if not re.fullmatch(r"[WR]\d+", name)]
    found += [next(name for name in begun if one.startswith(name)) for one in sentences]
    assert sorted(found) == sorted(_FINDINGS)


@pytest.mark.parametrize("name", sorted({name for names in _FINDINGS.values() for name in names}))
def test_the_test_of_a_finding_is_there(name: str) -> None:
    file, _, function = name.rpartition("::")
    (path,) = ROOT.glob(f"tests/*/{file}.py") if file else [Path(__file__)]
    tree = ast.parse(path.read_text("utf-8"))
    assert function in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def _figure(house: Warehouse, run: str) -> float:
    return float(
        house.sql(
            "SELECT score FROM field_v2.benchmark_score WHERE figure = 'Overall' AND judge = 'none' "
            f"AND level = 'overall' AND run = '{run}'"
        ).item()
    )


# W1


@pytest.mark.slow
def test_answers_to_other_questions_are_not_bound_by_their_numbers(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    """The questions of the folder above are none of the dataset's, though their numbers are."""
    house.ingest(shared / "wild/llava/playground/data/coco2014_val_qa_eval/qa90_questions.jsonl")
    before = facts(house.path)
    answers = shared / "wild/llava/llava/eval/table/answer/answer_bard.jsonl"
    with pytest.raises(InputError, match="its questions are of no dataset in the warehouse"):
        house.ingest(answers)
    assert facts(house.path) == before
    # Without the questions nothing contradicts, and the report says what they were bound by.
    alone = Path(shutil.copy(answers, tmp_path))
    (report,) = house.ingest(alone)
    (said,) = report.alerts
    assert said.startswith("its answers are bound to LLaVA-Bench/COCO by whole numbers alone")
    assert said in "\n".join(report.lines())


def test_prompts_are_questions_too(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    questions = shared / "wild/llava/playground/data/coco2014_val_qa_eval/qa90_questions.jsonl"
    house.ingest(questions)
    asked = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]

    def write(name: str, text: Callable[[str], str]) -> Path:
        rows = [
            {"question_id": one["question_id"], "prompt": text(one["text"]), "text": "Yes.",
             "answer_id": "x", "model_id": name}
            for one in asked
        ]  # fmt: skip
        return write_jsonl(tmp_path / f"{name}.jsonl", rows)

    (report,) = house.ingest(write("same", str))
    assert report.alerts == []
    with pytest.raises(InputError, match="its questions are of no dataset in the warehouse"):
        house.ingest(write("other", lambda text: f"How can I improve {text[:9]}?"))


_TABLE = "wild/llava/llava/eval/table"


def test_questions_without_images_are_a_benchmark_of_the_users(
    house: Warehouse, shared: Path
) -> None:
    """Without its name nothing is loaded; what the errors say to give loads the folder."""
    folder = shared / _TABLE
    before = facts(house.path)
    failed = {one.file.path.name: str(one.error) for one in house.ingest_many(folder)}
    assert "`ingest FILE --benchmark NAME` makes one of that name" in failed["question.jsonl"]
    assert "give it with --benchmark NAME" in failed["answer_bard.jsonl"]
    assert facts(house.path) == before
    outcomes = list(house.ingest_many(folder, benchmark="Vicuna-80"))
    assert [one.error for one in outcomes if one.error] == []
    rows = house.sql(
        "SELECT q.text, p.text FROM main.prediction AS p JOIN main.question AS q USING (question_id) "
        "JOIN current_run USING (run_id) WHERE model = 'bard:20230327' AND question_key = '1'"
    ).rows()
    ((question, answer),) = rows
    assert question == "How can I improve my time management skills?"
    assert answer.startswith("Here are some tips on how to improve your time management skills")
    states = house.sql("SELECT state, count(*) FROM open_answer GROUP BY 1").rows()
    assert states == [("open", 160)]
    kinds = house.sql("SELECT count(*) FROM main.ability WHERE name = 'fermi'").item()
    assert kinds == 1
    assert all(
        one.report and one.report.already
        for one in house.ingest_many(folder, benchmark="Vicuna-80")
    )


def test_questions_without_images_are_none_of_another_benchmark(
    house: Warehouse, shared: Path
) -> None:
    """Not even of the only one in the warehouse, whose ids are the same."""
    house.ingest(shared / "wild/llava/playground/data/coco2014_val_qa_eval/qa90_questions.jsonl")
    with pytest.raises(InputError, match="names no benchmark"):
        house.ingest(shared / _TABLE / "question.jsonl")


def test_a_new_task_is_a_benchmark_of_its_own(house: Warehouse, shared: Path) -> None:
    samples = shared / "wild/pyfade/tests/data/samples_gsm8k_2025-09-09T13-31-53.431753.jsonl"
    house.ingest(samples)
    assert house.sql("SELECT DISTINCT dataset FROM current_run").rows() == [("gsm8k",)]


# W10


def test_what_is_said_of_a_file_is_said_of_its_folder(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    questions = shared / "wild/llava/playground/data/coco2014_val_qa_eval/qa90_questions.jsonl"
    house.ingest(questions)
    folder = tmp_path / "answers"
    folder.mkdir()
    shutil.copy(shared / "wild/llava/llava/eval/table/answer/answer_bard.jsonl", folder)
    said = run("ingest", folder, "--db", house.path, cwd=tmp_path)
    assert said.code == 0, said.err
    printed = " ".join(said.out.split())
    assert "its answers are bound to LLaVA-Bench/COCO by whole numbers alone" in printed


# W2


def test_a_file_is_the_same_run_whatever_the_warehouse_held(house: Warehouse, shared: Path) -> None:
    samples = shared / "wild/pyfade/tests/data/samples_gsm8k_2025-09-09T13-31-53.431753.jsonl"
    house.ingest(samples, map={"gsm8k": "GSM8K"})
    before = facts(house.path)
    assert house.ingest(samples, map={"gsm8k": "GSM8K", "mmlu": "MMLU"})[0].already
    assert house.ingest(samples, benchmark="GSM8K")[0].already
    assert facts(house.path) == before
    labels = house.sql("SELECT run FROM current_run ORDER BY run_id").to_series().to_list()
    start = "2025-09-09T13-31-53.431753_gsm8k"
    assert labels == [f"{start}_unfiltered", f"{start}_strict-match"]


def test_equal_files_of_two_times_are_two_runs(house: Warehouse, tmp_path: Path) -> None:
    for time in (_TIME, _TIME.replace("161060", "161061")):
        folder = _write(tmp_path / time, "my_mi", time=time)
        house.ingest(folder / f"samples_my_mi_{time}.jsonl", map=_MAPPED)
    assert house.sql("SELECT count(*) FROM current_run").item() == 2


# W4


def test_filtered_run_is_the_one_boards_show(pyfade: Warehouse) -> None:
    rows = pyfade.sql(
        "SELECT run, score FROM leaderboard WHERE level = 'overall' AND strategy = 'vanilla' "
        "AND average = 'micro' AND is_latest AND dataset LIKE 'MMLU-Pro+%'"
    ).rows()
    start = "2025-10-14T15-11-56.507865_mmlu_pro_plus_chemistry"
    assert rows == [(f"{start}_custom-extract", pytest.approx(2 / 3))]


# W5


def test_a_whole_solution_is_compared_by_its_result(pyfade: Warehouse) -> None:
    run = "2025-09-09T13-31-53.431753_gsm8k_strict-match"
    assert _figure(pyfade, run) == pytest.approx(1 / 3)
    scores = pyfade.sql(
        "SELECT question_key, score FROM exact_match WHERE run_id IN (SELECT run_id FROM "
        "current_run WHERE run LIKE '%strict-match') ORDER BY 1"
    )
    assert [score for _, score in scores.rows()] == [1.0, 0.0, 0.0]
    said = pyfade.sql(
        "SELECT r.text, a.value FROM main.reference_answer AS r JOIN main.question_attribute AS a "
        "USING (question_id) WHERE a.name = 'target' ORDER BY r.question_id"
    ).rows()
    assert [text for text, _ in said] == ["230", "57500", "7"]
    assert all(whole.endswith(f"#### {text}") for text, whole in said)


@pytest.mark.parametrize("name", ["strict-match", "flexible-extract"])
def test_commas_and_dollars_are_ignored(forms: Warehouse, name: str) -> None:
    stated = _FIGURES["my_gsm"][f"exact_match,{name}"]
    assert _figure(forms, f"{_TIME}_my_gsm_{name}") == pytest.approx(stated)
    assert stated > 0


def test_expressions_that_may_never_end_are_left() -> None:
    listed = {"metric": "exact_match", "regexes_to_ignore": ["(a+)+$", ",", "(", r"(?s).*#### "]}
    found = exact_match.exact_match({"metric_list": [listed]})
    assert found.left == ("(a+)+$", "(")
    assert found.compared("So 1,000.\n#### 1,001") == "1001"


# W6, R5, R6


def test_several_right_choices_are_weighted(forms: Warehouse) -> None:
    """TruthfulQA's mc2: the mass of the right choices; an answer of one of them would be wrong."""
    rows = forms.sql("SELECT mass FROM field_v2.right_mass ORDER BY question_key").rows()
    theirs = [one["acc"] for one in _FORMS["samples"]["my_mc2"]]
    assert [mass for (mass,) in rows] == pytest.approx(theirs)
    assert fmean(theirs) == pytest.approx(_FIGURES["my_mc2"]["acc,none"])
    n_answers = (
        "SELECT count(*) FROM main.answer JOIN main.question USING (question_id) JOIN "
        "main.dataset AS d USING (dataset_id) WHERE d.name = 'mc2'"
    )
    assert forms.sql(n_answers).item() == 0
    scored = "SELECT score FROM leaderboard WHERE dataset = 'mc2' AND level = 'overall'"
    assert set(forms.sql(scored).to_series()) == {None}


def test_several_right_places_in_the_target(house: Warehouse, tmp_path: Path) -> None:
    folder = _write(tmp_path, "my_mi")
    records = [dict(one, target="[0, 2]") for one in _FORMS["samples"]["my_mi"]]
    write_jsonl(_samples(folder, "my_mi"), records)
    (report,) = house.ingest(_samples(folder, "my_mi"), map=_MAPPED)
    assert any("have several right choices" in note for note in report.notes)
    right = house.sql("SELECT DISTINCT right_choices FROM field_v2.right_mass").item()
    assert right == "AC"


@pytest.mark.parametrize(
    ("task", "metric"),
    [
        # The choice stands in the prompt, and the same words follow.
        ("my_wino", "acc,none"),
        # One continuation, which the model says or not.
        ("my_lamb", "acc,none"),
        # With twice the requests.
        ("my_mi", "acc,none"),
        ("my_mmlu_anat", "acc,none"),
        # Letters are of one length.
        ("my_mmlu_astro", "acc_norm,none"),
    ],
)
def test_figures_of_each_form(forms: Warehouse, task: str, metric: str) -> None:
    assert _figure(forms, f"{_TIME}_{task}") == pytest.approx(_FIGURES[task][metric])


def test_unconditional_requests_of_older_versions(house: Warehouse, tmp_path: Path) -> None:
    """0.4.8 writes their continuations without the blank."""
    folder = _write(tmp_path, "my_mi")
    records = json.loads(json.dumps(_FORMS["samples"]["my_mi"]))
    for record in records:
        for place in (3, 4, 5):
            one = record["arguments"][f"gen_args_{place}"]
            one["arg_1"] = one["arg_1"].strip()
    write_jsonl(_samples(folder, "my_mi"), records)
    (report,) = house.ingest(_samples(folder, "my_mi"), map=_MAPPED)
    assert any(
        note.startswith("15 likelihoods of choices without their question are attributes")
        for note in report.notes
    )
    assert _figure(house, f"{_TIME}_my_mi") == pytest.approx(_FIGURES["my_mi"]["acc,none"])


def test_likelihoods_of_whole_texts_are_left_with_the_reason(
    house: Warehouse, tmp_path: Path
) -> None:
    folder = _write(tmp_path, "my_wiki")
    with pytest.raises(ByProductError, match="log-likelihoods of whole texts, of which word_perpl"):
        house.ingest(_samples(folder, "my_wiki"), map=_MAPPED)


def test_what_the_harness_made_of_each_answer_is_there(forms: Warehouse) -> None:
    """Also what no board shows: mutual information, perplexity."""
    rows = forms.sql(
        "SELECT metric, avg(score) FROM main.harness_score AS h JOIN main.run AS r USING (run_id) "
        f"WHERE r.label = '{_TIME}_my_mi' GROUP BY 1"
    ).rows()
    stated = {name.removesuffix(",none"): value for name, value in _FIGURES["my_mi"].items()}
    assert {"acc", "acc_norm", "acc_mutual_info"} == {name for name, _ in rows}
    assert all(score == pytest.approx(stated[name]) for name, score in rows)


def test_averages_of_groups_are_figures(forms: Warehouse) -> None:
    found = forms.sql("SELECT value FROM main.harness_figure WHERE task = 'my_mmlu' AND metric = 'acc'")  # fmt: skip
    assert [float(value) for (value,) in found.rows()] == [_FIGURES["my_mmlu"]["acc,none"]]


# R8


def test_an_ability_under_two_parents_is_two(house: Warehouse, tmp_path: Path) -> None:
    def write(name: str, *parents: str) -> Path:
        rows = [
            {"index": n, "question": f"{name} {n}", "A": "a", "B": "b", "answer": "A",
             "category": "shape", "l2-category": parent}
            for n, parent in enumerate(parents, start=1 + 100 * len(parents))
        ]  # fmt: skip
        return write_jsonl(tmp_path / f"{name}.jsonl", rows)

    house.ingest(write("two", "form", "colour"), benchmark="Own")
    # A later file has one of them.
    house.ingest(write("one", "colour"), benchmark="Own", version="2")
    rows = house.sql(
        "SELECT p.name, a.name, count(*) FROM main.question_ability JOIN main.ability AS a USING (ability_id) "
        "JOIN main.ability AS p ON a.parent_id = p.ability_id GROUP BY ALL ORDER BY ALL"
    ).rows()
    assert rows == [("colour", "colour / shape", 2), ("form", "form / shape", 1)]


# W12


def test_answers_in_a_choices_words_are_told(house: Warehouse, tmp_path: Path) -> None:
    """The paper's first step reads letters alone: Yes is none there; latest reads it."""
    rows = [
        {
            "index": n,
            "question": f"Is it {n}?",
            "A": "Yes",
            "B": "No",
            "answer": "A",
            "prediction": said,
        }
        for n, said in enumerate(("Yes", "no.", "A"), start=1)
    ]
    (report,) = house.ingest(
        write_jsonl(tmp_path / "m_Own.jsonl", rows), benchmark="Own", model="m"
    )
    assert any(
        words.startswith("2 of 3 answers are a choice's words, and no letter")
        for words in report.alerts
    )


# R10: Every Eval Ever 0.2 is in test_every_eval_ever.

_HELM = "wild/eee/tests/data/helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2"


@pytest.fixture(scope="module")
def helm(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    path = tmp_path_factory.mktemp("helm") / "helm.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    outcomes = list(house.ingest_many(shared / _HELM))
    assert [one.error for one in outcomes if one.error] == []
    assert [one.file.path.name for one in outcomes if one.left] == [
        "per_instance_stats.json",
        "run_spec.json",
        "scenario.json",
    ]
    return house


def test_helms_answers_score_as_there(helm: Warehouse, shared: Path) -> None:
    stats = json.loads((shared / _HELM / "stats.json").read_text("utf-8"))
    theirs = {
        one["name"]["split"]: one["mean"]
        for one in stats
        if one["name"]["name"] == "exact_match" and "perturbation" not in one["name"]
    }
    ours = helm.sql(
        "SELECT dataset, score FROM leaderboard WHERE level = 'overall' AND strategy = 'vanilla'"
    ).rows()
    assert dict(ours) == {
        f"mmlu/philosophy/{split}": pytest.approx(mean) for split, mean in theirs.items()
    }
    label = "20251105T150202_mmlu:subject=philosophy,method=multiple_choice_joint"
    assert set(helm.sql("SELECT run FROM current_run").to_series()) == {label}


def test_helms_scores_and_figures_are_facts(helm: Warehouse, shared: Path) -> None:
    per_instance = json.loads((shared / _HELM / "per_instance_stats.json").read_text("utf-8"))
    theirs = sorted(
        (one["instance_id"], stat["name"]["name"], float(stat["mean"]))
        for one in per_instance
        for stat in one["stats"]
        if "exact_match" in stat["name"]["name"]
    )
    ours = helm.sql(
        "SELECT question_key, metric, score FROM main.harness_score JOIN main.question USING (question_id) ORDER BY ALL"
    ).rows()
    assert ours == theirs
    figures = dict(helm.sql("SELECT metric, value FROM main.harness_figure").rows())
    assert float(figures["split=test|exact_match"]) == pytest.approx(1 / 9)
    assert len(figures) == 54
    # And how the model was asked.
    shots = (
        "SELECT flags ->> '$.harness.adapter_spec.max_train_instances' FROM main.source WHERE "
        "format = 'helm_states'"
    )
    assert helm.sql(shots).item() == "5"


def test_other_methods_of_helm_are_refused_by_name(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    state = json.loads((shared / _HELM / "scenario_state.json").read_text("utf-8"))
    state["adapter_spec"]["method"] = "ranking_binary"
    path = tmp_path / "scenario_state.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(InputError, match="'ranking_binary' is not read"):
        house.ingest(path)
    state["adapter_spec"]["method"] = "multiple_choice_joint"
    del state["request_states"][3]["result"]
    path.write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(InputError, match=r"row 4, field result\.completions: is no list"):
        house.ingest(path)
    assert house.sql("SELECT count(*) FROM main.source WHERE format = 'helm_states'").item() == 0


# R11


def test_mm_vet_v2_is_a_benchmark_of_its_own(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    answers = shared / "wild/mmvet2/gpt-4o-2024-05-13_detail-high.json"
    with pytest.raises(
        InputError, match="there is no dataset 'MM-Vet v2' in the warehouse; ingest its"
    ):
        house.ingest(answers)
    asked = {
        key: {
            "question": f"Q {key}?<IMG>{key}.png",
            "answer": "a<OR>b",
            "capability": ["ocr", "seq"],
        }
        for key in json.loads(answers.read_text("utf-8"))
    }
    questions = tmp_path / "mm-vet-v2.json"
    questions.write_text(json.dumps(asked), encoding="utf-8")
    house.ingest(questions, answers)
    assert house.sql(
        "SELECT dataset, count(*) FROM current_run JOIN main.prediction USING (run_id) GROUP BY 1"
    ).rows() == [("MM-Vet v2", 517)]


def test_a_review_of_two_models_is_no_judgment_of_one(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {
            "review_id": "r",
            "question_id": 1,
            "answer1_id": "a",
            "answer2_id": "b",
            "text": "8 9",
            "score": [8.0, 9.0],
            "metadata": {},
        }
    ]
    with pytest.raises(InputError, match="is a review of two models' answers"):
        house.ingest(write_jsonl(tmp_path / "review_a_b.jsonl", rows))


# R15


def test_one_map_for_many_tasks(forms: Warehouse) -> None:
    """What * stands for is the version, or takes the place of * in the dataset's name."""
    datasets = forms.sql("SELECT name FROM main.dataset ORDER BY name").to_series().to_list()
    assert datasets == ["MMLU/anat", "MMLU/astro", "gsm", "lamb", "mc2", "mi", "wino"]


# In the files, not in the warehouse.


def test_how_the_model_was_asked_is_found_by_sql(pyfade: Warehouse) -> None:
    rows = pyfade.sql(
        "SELECT flags ->> '$.harness.n-shot', flags ->> '$.harness.version', "
        "flags ->> '$.harness.task.generation_kwargs.temperature', "
        "flags ->> '$.harness.config.fewshot_seed', flags ->> '$.harness.config.limit' "
        "FROM main.source WHERE path LIKE '%samples_gsm8k%'"
    ).rows()
    assert rows == [("5", "3.0", "0.0", "1234", "100.0")]


def test_prompts_are_attributes_of_the_answers(
    forms: Warehouse, pyfade: Warehouse, helm: Warehouse
) -> None:
    query = (
        "SELECT q.question_key, a.value FROM main.answer_attribute AS a JOIN main.question AS q "
        "USING (question_id) JOIN main.run AS r USING (run_id) WHERE a.name = '{}' AND r.label LIKE '{}' ORDER BY 1"
    )
    (_, prompt), *_ = pyfade.sql(query.format("prompt", "%_gsm8k_strict-match")).rows()
    assert prompt.count("Question: ") == 6
    assert prompt.endswith('"type": "text"}]')
    (_, prompt), *_ = helm.sql(query.format("prompt", "%")).rows()
    assert prompt.startswith("The following are multiple choice questions")
    assert prompt.endswith("Answer:")
    assert [
        json.loads(prompts) for _, prompts in forms.sql(query.format("prompt", "%my_wino")).rows()
    ] == [
        [one["arguments"][f"gen_args_{n}"]["arg_0"] for n in (0, 1)]
        for one in _FORMS["samples"]["my_wino"]
    ]
    # What acc_mutual_info and perplexity are made of.
    assert len(forms.sql(query.format("unconditional", "%my_mi")).rows()) == 5
    assert [
        json.loads(value)[0] for _, value in forms.sql(query.format("loglik", "%my_lamb")).rows()
    ] == [one["filtered_resps"][0] for one in _FORMS["samples"]["my_lamb"]]


def test_every_figure_is_ours_or_has_a_reason(forms: Warehouse) -> None:
    """Of eleven tasks' figures; those without a reason are the same."""
    rows = forms.sql(
        "SELECT dataset, metric, filter, is_same, reason FROM field_v2.harness_difference ORDER BY ALL"
    ).rows()
    differing = {(task, metric): reason for task, metric, _, is_same, reason in rows if not is_same}
    assert all(differing.values())
    assert {metric for _, metric in differing} <= {"word_perplexity", "acc"}
    # That of a group of tasks, which is no run, is the mean of theirs.
    assert [task for task, metric in differing if metric == "acc"] == []
    assert len(rows) - len(differing) == 14


@pytest.mark.slow
def test_a_large_file_of_lm_eval(new_file: Path, tmp_path: Path) -> None:
    """As the benchmark measures it, with a quarter of the documents: its figure, and the memory that it takes."""
    peaks = {}
    for n in (1, 5_000):
        path = data.lm_eval_samples(tmp_path, n)
        db = tmp_path / f"{n}.duckdb"
        shutil.copy(new_file, db)
        cost = measure.evalhouse("ingest", path, "--map", "large_task=Large", "--no-refresh", "--db", db)  # fmt: skip
        peaks[n] = cost.peak
    speed.require_share(Warehouse(db), path)
    # What is the same for a file of any size is not the file's; and to compare the harness's figures with
    # ours, results are computed next to the warehouse, in memory.
    most = speed.TIMES_BYTES * path.stat().st_size + 25e6
    assert peaks[5_000] - peaks[1] < most

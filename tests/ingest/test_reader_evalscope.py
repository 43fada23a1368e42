"""evalscope's work dirs: what is read of them, and its figures next to ours."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from ingest.many import Outcome
from ingest.readers import evalscope
from ingest.reading import yaml_blocks
from tests.houses import QuickHouse
from tests.tables import facts, write_jsonl

_HERON, _QUARRY = "heron-vl-7b", "tidewater/quarry-vision-32b"


@pytest.fixture(scope="module")
def out(shared: Path) -> Path:
    return shared / "formats/evalscope/out"


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, dict[str, Any]]]:
    text = (shared / "formats/evalscope/EXPECTED.json").read_text("utf-8")
    found = {name: of for name, of in json.loads(text).items() if not name.startswith("_")}
    assert len(found) == 17
    return found


@pytest.fixture(scope="module")
def loaded(
    out: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, list[Outcome]]:
    path = tmp_path_factory.mktemp("evalscope") / "lab.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    return house, list(house.ingest_many(out))


@pytest.fixture(scope="module")
def lab(loaded: tuple[Warehouse, list[Outcome]]) -> Warehouse:
    return loaded[0]


def _full(model: str) -> str:
    return _QUARRY if model in _QUARRY else model


def _place(name: str, of: Mapping[str, Any]) -> tuple[str, str, str | None] | None:
    """The task's figure as it is stored: metric, group, filter and reducer; None: a number of answers."""
    identity, _, what = name.partition(": ")
    if what.endswith("num"):
        return None
    metric, _, written = identity.partition(",")
    dimensions = dict(pair.split("=") for pair in written.split(",") if pair)
    metric = metric.removesuffix("/mean")
    part = dimensions.get("category", "default")
    target = dimensions.get("target", "answer")
    reducer = None if target == "answer" else target
    found = re.fullmatch(r"(category|subset) (.*?)( macro over subsets)?", what)
    if found and found[2] != "default":
        part = found[2]
    same = [key.partition(": ")[2] for key in of if key.startswith(f"{identity}: ")]
    n = {
        kind: sum(
            bool(re.fullmatch(rf"{kind} (?!.* (num|macro over subsets)$).*", key)) for key in same
        )
        for kind in ("category", "subset")
    }
    macro = f"{reducer}, macro" if reducer else "macro"
    if what == "macro over categories" and n["category"] > 1:
        reducer = macro
    if found and found[3] and n["subset"] > 1:
        reducer = f"{macro} of subsets"
    group = None if part == "default" else f"grouped|{part}"
    return (group or metric, metric if group else "", reducer)


def test_every_figure_of_its_reports_is_kept(
    lab: Warehouse, expected: dict[str, dict[str, dict[str, Any]]]
) -> None:
    rows = lab.sql(
        "SELECT f.task, m.name, f.metric, coalesce(f.filter, ''), f.reducer, CAST(f.value AS DOUBLE) "
        "FROM main.harness_figure AS f JOIN main.model AS m USING (model_id)"
    ).rows()
    stored = {tuple(row[:5]): row[5] for row in rows}
    assert len(stored) == len(rows)
    met = set()
    n = 0
    for task, of_task in expected.items():
        for model, of in of_task.items():
            for name, value in of.items():
                place = _place(name, of) if ": " in name else None
                if place is not None:
                    key = (task, _full(model), *place)
                    if key not in stored:
                        # The mean of one subset is the subset's.
                        assert name.endswith(" macro over subsets")
                        key = (*key[:4], None)
                    met.add(key)
                    n += 1
                    assert stored[key] == value, name
    assert (met == {*stored}, n) == (True, 528)


def test_reports_are_kept_with_their_numbers(
    lab: Warehouse, expected: dict[str, dict[str, dict[str, Any]]]
) -> None:
    rows = lab.sql(
        "SELECT flags ->> '$.run', flags ->> '$.model', flags ->> '$.harness' FROM main.source "
        "WHERE path LIKE '%/reports/%'"
    ).rows()
    assert len(rows) == 34
    for label, model, harness in rows:
        said = json.loads(harness)
        task = next(name for name in expected if label.endswith(f"_{name}"))
        of = expected[task][model.rpartition("/")[2]]
        execution = said["execution_summary"]
        assert [execution[name] for name in ("requested", "succeeded", "errored")] == [
            of[name] for name in ("requested", "succeeded", "errored")
        ]
        wanted = Counter(value for name, value in of.items() if name.endswith(": num"))
        assert Counter(metric["num"] for metric in said["metrics"]) == wanted


def test_every_answer_is_read(loaded: tuple[Warehouse, list[Outcome]], out: Path) -> None:
    lab, outcomes = loaded
    assert [str(one.error) for one in outcomes if one.error] == []
    left = Counter(one.left for one in outcomes if one.left)
    assert left == {
        "evalscope's predictions, which are read with the reviews of the same name": 78,
        "evalscope's settings, logs or page, in which no answers are": 9,
    }
    lines = Counter[str]()
    for path in out.rglob("reviews/*/*.jsonl"):
        lines[_full(path.parent.name)] += len(path.read_text("utf-8").splitlines())
    rows = lab.sql(
        "SELECT m.name, count(*) FROM main.prediction JOIN main.run AS r USING (run_id) "
        "JOIN main.model AS m USING (model_id) WHERE r.superseded_by IS NULL GROUP BY 1"
    ).rows()
    assert dict(rows) == lines
    assert sum(lines.values()) == 973
    # Each data set is one run of a model, whose subsets are its parts.
    runs = lab.sql(
        "SELECT count(*), count(DISTINCT label) FROM main.run WHERE superseded_by IS NULL"
    )
    assert runs.row(0) == (34, 33)
    names = lab.sql("SELECT name FROM main.dataset ORDER BY 1")["name"].to_list()
    assert names == sorted(
        ["AI2D", "BLINK", "ChartQA", "DocVQA", "HallusionBench", "InfoVQA", "MMBench", "MMMU", "MMStar",
         "MathVista", "OCRBench", "POPE", "RealWorldQA", "SEED-Bench-2-Plus", "cmmmu", "general_vmcq",
         "simple_vqa"]
    )  # fmt: skip


def test_what_a_line_says(lab: Warehouse, out: Path) -> None:
    run = (
        "FROM main.run AS r JOIN main.dataset AS d USING (dataset_id) JOIN main.model AS m "
        "USING (model_id) JOIN main.prediction AS p USING (run_id) JOIN main.question AS q "
        f"USING (question_id) WHERE r.superseded_by IS NULL AND m.name = '{_HERON}'"
    )
    repeats = lab.sql(f"SELECT p.sample, count(*) {run} AND d.name = 'BLINK' GROUP BY 1 ORDER BY 1")
    assert repeats.rows() == [(0, 25), (1, 25)]
    # Copies of a question with an index of above a million are its passes.
    passes = lab.sql(f"SELECT p.pass, count(*) {run} AND d.name = 'MMBench' GROUP BY 1 ORDER BY 1")
    assert passes.rows() == [(0, 32), (1, 6)]
    first = json.loads(
        next((out / "rules").rglob("reviews/heron*/mmmu_Art.jsonl")).open().readline()
    )
    text = lab.sql(
        f"SELECT q.text, p.text, r.produced_at::VARCHAR {run} AND d.name = 'MMMU' "
        "AND q.question_key = 'Art/0'"
    ).row(0)
    assert text == (
        "<image 1> A path is 45 m long and a step covers 3 m. How many steps does the path take?",
        first["sample_score"]["score"]["prediction"],
        "2026-11-28 13:07:22",
    )
    choices = lab.sql(
        "SELECT c.label, c.text FROM main.choice AS c JOIN main.question AS q USING (question_id) "
        "WHERE q.question_key = 'Art/1' ORDER BY 1"
    )
    assert choices.rows() == [("A", "canvas"), ("B", "oak"), ("C", "wicker"), ("D", "tin")]
    # Two pictures, and what the model thought apart from what it said.
    images = lab.sql(
        "SELECT count(*) FROM main.question_image JOIN main.question AS q USING (question_id) "
        "WHERE q.question_key = 'Art/1'"
    )
    assert images.item() == 2
    written = "".join(path.read_text("utf-8") for path in out.rglob("reviews/*/*.jsonl"))
    kept = lab.sql(
        "SELECT count(*) FROM main.answer_attribute JOIN main.run AS r USING (run_id) "
        "WHERE name = 'reasoning' AND r.superseded_by IS NULL"
    ).item()
    assert kept == written.count('"type": "reasoning"') == 81
    asked = lab.sql(
        "SELECT count(DISTINCT value) FROM main.answer_attribute WHERE name = 'stop_reason'"
    )
    assert asked.item() == 2


def test_failed_calls_and_states_of_scores_are_said(
    loaded: tuple[Warehouse, list[Outcome]],
) -> None:
    lab, outcomes = loaded
    words = Counter(note for one in outcomes if one.report for note in one.report.alerts)
    assert words["4 of 30 calls failed, and are in no file: chart 2, web 2"] == 4
    assert words["1 of 30 calls failed, and are in no file: web 1"] == 4
    ended = lab.sql(
        "SELECT m.name, s.status, s.error FROM main.run_status AS s JOIN main.run AS r USING (run_id) "
        "JOIN main.model AS m USING (model_id) WHERE r.superseded_by IS NULL ORDER BY 1"
    ).rows()
    assert ended == [
        (_HERON, "incomplete", "4 of 30 calls failed, and are in no file: chart 2, web 2"),
        (_QUARRY, "incomplete", "1 of 30 calls failed, and are in no file: web 1"),
    ]
    states = lab.sql(
        "SELECT value, count(*) FROM main.answer_attribute WHERE name = 'score_status' GROUP BY 1 ORDER BY 1"
    )
    assert states.rows() == [("excluded", 3), ("fallback", 2)]
    said = "the harness's score of 1 answer is"
    assert words[f"{said} the rule's, as no judge gave a verdict (fallback)"] == 2
    assert words[f"{said} left out, as no judge gave a verdict (excluded)"] == 1
    # What is left out has no score, and what fell back has the rule's.
    scored = lab.sql(
        "SELECT a.value, count(h.metric) FROM main.answer_attribute AS a LEFT JOIN main.harness_score AS h "
        "USING (run_id, question_id, pass, sample) WHERE a.name = 'score_status' GROUP BY 1 ORDER BY 1"
    )
    assert scored.rows() == [("excluded", 0), ("fallback", 2)]


def test_judges_calls_are_judgments(lab: Warehouse, out: Path) -> None:
    attempts = [
        attempt
        for path in out.rglob("judge_*/*/reviews/*/*.jsonl")
        for line in path.read_text("utf-8").splitlines()
        for attempt in json.loads(line)["sample_score"]["score"]["metadata"].get(
            "judge_attempts", []
        )
    ]
    rows = lab.sql("SELECT log, prompt, reply, score, error FROM main.judgment").rows()
    assert Counter(row[0] for row in rows) == Counter(one.get("raw_response") for one in attempts)
    assert Counter(row[1] for row in rows) == Counter(
        one["messages"][0]["content"] for one in attempts
    )
    right = [one.get("parsed_value", {}).get("verdict") == "A" for one in attempts]
    assert sum(right) == sum(float(row[2] or row[3] or 0) == 1 for row in rows) == 26
    assert sorted(row[4] for row in rows if row[4]) == [
        "parse_error: no JSON object found in the reply",
        "parse_error: no JSON object found in the reply",
        "transport_error: BadRequestError: Error code: 400 - picture could not be read",
    ]
    tasks = lab.sql("SELECT task, model FROM main.judge ORDER BY 1").rows()
    assert tasks == [("choice_extraction", "assessor-mini"), ("soft_score", "assessor-mini")]


def test_the_same_folder_again_is_no_news(lab: Warehouse, out: Path) -> None:
    before = facts(lab.path)
    outcomes = list(lab.ingest_many(out / "errors", out / "judge_only"))
    assert all(one.report is None or one.report.already for one in outcomes)
    assert facts(lab.path) == before


# Why our release scores a data set otherwise than evalscope does.
_OTHERWISE = {
    "ai2d": "the last capital of a text is an answer there, where nothing is marked",
    "blink": "the same",
    "chartqa": "ours compares the whole reply, theirs what stands behind ANSWER:",
    "cmmmu": "its benchmark is inferred, and evalscope draws letters at random",
    "docvqa": "ours compares the whole reply, theirs what stands behind ANSWER:",
    "general_vmcq": "the last capital of a text is an answer there, where nothing is marked",
    "hallusion_bench": "ours reads yes and no in any case",
    "infovqa": "ours compares the whole reply, theirs what stands behind ANSWER:",
    "math_vista": "math_verify compares there",
    "mm_bench": "the last capital of a text is an answer there, where nothing is marked",
    "mm_star": "the same",
    "mmmu": "the same, and MMMU's own matching of open answers",
    "pope": "ours reads yes and no in any case; its F1 is a mean of F1s",
    "real_world_qa": "ours compares the whole reply, theirs what stands behind ANSWER:",
    "seed_bench_2_plus": "the last capital of a text is an answer there, where nothing is marked",
}
_ROUNDED = {"ocr_bench"}
"""Every answer is scored alike, and a mean of rounded means is off by the last digit."""


@pytest.mark.slow
def test_ours_stand_next_to_its_figures(lab: Warehouse) -> None:
    rows = lab.sql(
        "SELECT dataset, metric, is_same, reason_kind, published, ours, reducer FROM harness_difference "
        "WHERE is_stated"
    ).rows()
    kinds: dict[str, set[str]] = {}
    for task, metric, is_same, kind, published, ours, reducer in rows:
        if not is_same and reducer is None and not metric.startswith("is_"):
            kinds.setdefault(task, set()).add(kind)
            if task in _ROUNDED:
                assert kind == "another_mean"
                assert abs(published - ours) < 0.0002
    assert kinds.keys() == _OTHERWISE.keys() | _ROUNDED
    assert {task for task, found in kinds.items() if found == {"another_mean"}} == _ROUNDED
    # Where a judge alone decides, both are one figure.
    judged = [row for row in rows if row[1] == "is_correct"]
    assert [row[2] for row in judged] == [True, True]
    assert all(row[0] == "simple_vqa" for row in rows if row[1].startswith("is_"))


@pytest.mark.slow
def test_groups_are_compared_by_their_questions(lab: Warehouse) -> None:
    """OCRBench is read alike, so that each subset's figure is ours."""
    rows = lab.sql(
        "SELECT metric, is_same FROM harness_difference WHERE dataset = 'ocr_bench' "
        "AND metric LIKE 'grouped|%'"
    ).rows()
    assert len(rows) == 6
    assert all(is_same for _, is_same in rows)


@pytest.mark.parametrize(
    ("name", "benchmark", "n_passes"), [("mm_star", "MMStar", 26), ("mm_bench_en", "MMBench", 18)]
)
def test_questions_that_are_known_are_bound_by_their_content(
    house: Warehouse, out: Path, tmp_path: Path, name: str, benchmark: str, n_passes: int
) -> None:
    """Under the data set's own keys, and the passes of CircularEval as passes."""
    reviews = sorted((out / "rules").glob(f"*/reviews/heron-vl-7b/{name}*.jsonl"))
    samples = [one for path in reviews for one in evalscope.read(path)[1]]
    keys = {key: str(500 + n) for n, key in enumerate(dict.fromkeys(one.key for one in samples))}
    questions = [
        {
            "question_key": keys[one.key],
            "pass": one.pass_,
            "question": one.text,
            "answer": one.answer,
        }
        | dict(zip("ABCD", one.choices, strict=False))
        for one in sorted(samples, key=lambda one: one.pass_)
    ]
    house.ingest(write_jsonl(tmp_path / "questions.jsonl", questions), benchmark=benchmark)
    for path in reviews:
        (report,) = house.ingest(path)
        assert report.datasets == [benchmark]
        assert any("other keys in the dataset" in note for note in report.notes)
    rows = house.sql(
        "SELECT q.question_key, p.pass FROM main.prediction AS p JOIN main.run AS r USING (run_id) "
        "JOIN main.question AS q USING (question_id) WHERE r.superseded_by IS NULL"
    ).rows()
    assert sorted(rows) == sorted((one["question_key"], one["pass"]) for one in questions)
    assert len(rows) == n_passes


def test_settings_are_read_without_a_library(tmp_path: Path) -> None:
    path = tmp_path / "task_config.yaml"
    path.write_text(
        "model: 'a/b'\nlimit: null\nbad: !!python/object:os.system x\ndatasets:\n- p\n- q\n",
        "utf-8",
    )
    found = yaml_blocks.read(path)
    assert found == {"model": "a/b", "bad": "!!python/object:os.system x", "datasets": "- p\n- q"}
    assert yaml_blocks.read(tmp_path / "none.yaml") == {}

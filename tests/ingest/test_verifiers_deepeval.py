"""verifiers' rollouts and deepeval's test runs: the harnesses' own files, and what else they may hold."""

from __future__ import annotations

import base64
import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from tests.tables import facts, write_jsonl
from warehouse.errors import InputError

_RUN = "formats/others/verifiers/outputs/tiny-qa--acme--tiny--null--e45a591d"
_IMAGE = b"not looked into"
_URL = "data:image/png;base64," + base64.b64encode(_IMAGE).decode()
_ANSWERS = (
    "SELECT q.question_key, p.sample, p.text, p.failed FROM main.prediction AS p "
    "JOIN main.question AS q USING (question_id) ORDER BY 1, 2"
)
_SCORES = (
    "SELECT q.question_key, h.sample, h.metric, h.score FROM main.harness_score AS h "
    "JOIN main.question AS q USING (question_id) WHERE h.score IS NOT NULL ORDER BY 1, 2, 3"
)


def _rollouts(folder: Path, shared: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A copy of the run, of which the rollouts of one task have answers."""
    shutil.copytree(shared / _RUN, folder / "run")
    path = folder / "run/traces.jsonl"
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for n, one in enumerate(one for one in records if one["task"]["data"]["idx"] == 0):
        asked = [
            {"type": "text", "text": "What is it?\nA. red\nB. blue"},
            {"type": "image_url", "image_url": {"url": _URL}},
        ]
        one["task"]["data"] |= {"prompt": [{"role": "user", "content": asked}], "level": "easy"}
        one["task"]["data"]["answer"] = "A"
        message = {"role": "assistant", "content": f"It is {'AB'[n]}", "reasoning_content": "Hm."}
        (trace,) = one["traces"]
        trace |= {"ok": True, "errors": [], "stop_condition": "agent_completed"}
        trace["nodes"] = [
            {"message": {"role": "user", "content": asked}},
            {"parent": 0, "message": message, "sampled": True},
        ]
        trace["rewards"] = {
            "right": {"score": float(1 - n), "weight": 0.5},
            "short": {"score": 1.0},
        }
        trace["metrics"] = {"words": 3.0}
    write_jsonl(path, records)
    return path, records


def test_rollouts_that_failed_are_failed_answers(house: Warehouse, shared: Path) -> None:
    outcomes = {one.file.path.name: one for one in house.ingest_many((shared / _RUN).parent)}
    assert [str(one.error) for one in outcomes.values() if one.error] == []
    assert "rollouts are in traces.jsonl" in str(outcomes["eval.json"].left)
    assert house.sql(_ANSWERS).rows() == [
        (key, sample, None, True) for key in "01" for sample in (0, 1)
    ]
    errors = house.sql("SELECT DISTINCT error FROM main.sample_error")
    assert errors.item() == "ProviderError: upstream stream ended before its terminal event"
    run = "SELECT m.name, r.label FROM main.run AS r JOIN main.model AS m USING (model_id)"
    assert house.sql(run).rows() == [("acme/tiny", "tiny-qa--acme--tiny--null--e45a591d")]


def test_a_run_that_ended_before_its_first_rollout_is_left(house: Warehouse, shared: Path) -> None:
    (path,) = (
        one
        for one in shared.glob("formats/others/verifiers/*/*/traces.jsonl")
        if not one.stat().st_size
    )
    with pytest.raises(InputError, match="holds no rollout: verifiers' run ended before the first"):
        house.ingest(path)


def test_rollouts_have_messages_images_and_rewards(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    house.ingest(_rollouts(tmp_path, shared)[0])
    assert house.sql(_ANSWERS).rows() == [
        ("0", 0, "It is A", False),
        ("0", 1, "It is B", False),
        ("1", 0, None, True),
        ("1", 1, None, True),
    ]
    assert house.sql(_SCORES).rows() == [
        ("0", 0, "reward", 1.5),
        ("0", 0, "right", 1.0),
        ("0", 0, "short", 1.0),
        ("0", 0, "words", 3.0),
        ("0", 1, "reward", 1.0),
        ("0", 1, "right", 0.0),
        ("0", 1, "short", 1.0),
        ("0", 1, "words", 3.0),
    ]
    question = "SELECT text, sha256 FROM main.question_image JOIN main.question USING (question_id)"
    assert house.sql(question).rows() == [("What is it?", sha256(_IMAGE).hexdigest())]
    assert house.sql("SELECT text FROM main.choice ORDER BY label")["text"].to_list() == [
        "red",
        "blue",
    ]
    told = "SELECT DISTINCT value FROM main.answer_attribute WHERE name = 'reasoning'"
    assert house.sql(told).item() == "Hm."


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("task", "data"), None, "row 2, field task.data: is missing"),
        (("task", "data", "idx"), "x", "row 2, field task.data.idx: is no whole number"),
        (("env", "id"), "other", "row 2, field env.id: is other, and tiny-qa in the first line"),
        (("traces",), {}, "row 2, field traces: is no list"),
        (("traces", 0, "ok"), None, "row 2, field traces.0.ok: is missing"),
        (("traces", 0, "nodes"), 1, "row 2, field traces.0.nodes: is no list"),
        (("traces", 0, "rewards"), {"r": {}}, "row 2, field traces.0.rewards.r.score: is missing"),
    ],
)
def test_a_bad_field_of_a_rollout_is_named(
    house: Warehouse, shared: Path, tmp_path: Path, place: tuple[Any, ...], value: Any, words: str
) -> None:
    path, records = _rollouts(tmp_path, shared)
    found: Any = records[1]
    for name in place[:-1]:
        found = found[name]
    found[place[-1]] = value
    write_jsonl(path, records)
    before = facts(house.path)
    with pytest.raises(InputError, match=re.escape(f"{path}, {words}")):
        house.ingest(path)
    assert facts(house.path) == before


@pytest.fixture
def folder(shared: Path, tmp_path: Path) -> Path:
    """deepeval's folder, under its own name."""
    shutil.copytree(shared / "formats/others/deepeval/dot_deepeval", tmp_path / "lab/.deepeval")
    return tmp_path / "lab/.deepeval"


def _changed(folder: Path, name: str, **changes: Any) -> Path:
    """A test run of another name, some of whose fields are other ones."""
    run = json.loads((folder / ".latest_run_full.json").read_text("utf-8"))
    path = folder.parent / name
    path.write_text(json.dumps(run | changes), "utf-8")
    return path


def test_a_hidden_folder_that_is_named_is_read(house: Warehouse, folder: Path) -> None:
    outcomes = {one.file.path.name: one for one in house.ingest_many(folder, model="m")}
    assert "cache of scores" in str(outcomes[".deepeval-cache.json"].left)
    assert ".latest_run_full.json has too" in str(outcomes[".latest_test_run.json"].left)
    assert house.sql(_ANSWERS).rows() == [
        ("test_case_0", 0, "A", False),
        ("test_case_1", 0, "B", False),
    ]
    assert house.sql(_SCORES).rows() == [
        ("test_case_0", 0, "Exact", 1.0),
        ("test_case_1", 0, "Exact", 0.0),
    ]
    rows = house.sql("SELECT metric, published, ours, is_same FROM harness_difference").rows()
    assert rows == [("Exact", 0.5, 0.5, True)]
    with pytest.raises(InputError, match="no file there"):
        list(house.ingest_many(folder.parent))


def test_the_linked_test_run_alone_is_the_same_run(make_house: Any, folder: Path) -> None:
    rows = []
    for n, name in enumerate((".latest_run_full.json", ".latest_test_run.json")):
        house = make_house(f"house{n}")
        house.ingest(folder / name, model="m")
        (folder / name).unlink()
        rows.append(house.sql(_ANSWERS).rows() + house.sql(_SCORES).rows())
    assert rows[0] == rows[1]


def test_deepeval_names_the_model_among_hyperparameters_alone(
    house: Warehouse, folder: Path
) -> None:
    with pytest.raises(InputError, match="does not name the model; give it with --model NAME"):
        house.ingest(folder / ".latest_run_full.json")
    path = _changed(folder, "test_run_20261128_101112.json", hyperparameters={"model": "acme/m"})
    house.ingest(path)
    run = "SELECT m.name, r.label FROM main.run AS r JOIN main.model AS m USING (model_id)"
    assert house.sql(run).rows() == [("acme/m", "20261128_101112")]


def test_images_are_numbered_and_names_that_come_twice_too(house: Warehouse, folder: Path) -> None:
    image = {"dataBase64": base64.b64encode(_IMAGE).decode(), "mimeType": "image/png"}
    cases = [
        {
            "name": "one",
            "input": "See [DEEPEVAL:IMAGE:f00] and say",
            "imagesMapping": {"f00": image},
        },
        {"name": "one", "input": "And now?", "actualOutput": "no", "expectedOutput": "yes"},
    ]
    path = _changed(folder, "test_run_20261128_101112.json", testCases=cases)
    house.ingest(path, model="m")
    questions = house.sql("SELECT question_key, text FROM main.question ORDER BY 1").rows()
    assert questions == [("one (1)", "See <image 1> and say"), ("one (2)", "And now?")]
    hashes = house.sql("SELECT sha256 FROM main.question_image")
    assert hashes.item() == sha256(_IMAGE).hexdigest()


def test_no_score_is_lost_where_names_come_twice(
    make_house: Any, shared: Path, tmp_path: Path, folder: Path
) -> None:
    scores = [{"name": "Exact", "score": one} for one in (1.0, 0.5)]
    case = {"name": "a", "input": "b", "actualOutput": "c", "metricsData": scores}
    house = make_house("deepeval")
    house.ingest(_changed(folder, "test_run_20261128_101112.json", testCases=[case]), model="m")
    assert house.sql(_SCORES).rows() == [("a", 0, "Exact", 1.0), ("a", 0, "Exact (2)", 0.5)]
    path, records = _rollouts(tmp_path, shared)
    for one in records:
        (trace,) = one["traces"]
        trace["rewards"] = {"reward": {"score": 1.0, "weight": 0.5}}
        trace["metrics"] = {"reward": 3.0}
    write_jsonl(path, records)
    house = make_house("verifiers")
    house.ingest(path)
    found = {(metric, score) for _, _, metric, score in house.sql(_SCORES).rows()}
    assert found == {("reward", 1.0), ("reward|sum", 0.5), ("metric|reward", 3.0)}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"testCases": []}, ", field testCases: is empty"),
        (
            {"testCases": [], "conversationalTestCases": [{}]},
            ", field testCases: holds conversations alone, which are not read",
        ),
        ({"testCases": [{"name": "a"}]}, ", row 1, field testCases.0.input: is missing"),
        (
            {
                "testCases": [
                    {
                        "name": "a",
                        "input": "[DEEPEVAL:IMAGE:f] b",
                        "imagesMapping": {"f": {"dataBase64": "%"}},
                    }
                ]
            },
            ", row 1, field testCases.0.imagesMapping.f.dataBase64: is no base64",
        ),
        (
            {
                "testCases": [
                    {"name": "a", "input": "b", "metricsData": [{"name": "c", "score": "d"}]}
                ]
            },
            ", row 1, field testCases.0.metricsData.0.score: is no number",
        ),
    ],
)
def test_a_bad_field_of_a_test_run_is_named(
    house: Warehouse, folder: Path, changes: dict[str, Any], words: str
) -> None:
    path = _changed(folder, "test_run_20261128_101112.json", **changes)
    before = facts(house.path)
    with pytest.raises(InputError, match=re.escape(f"{path}{words}")):
        house.ingest(path, model="m")
    assert facts(house.path) == before
